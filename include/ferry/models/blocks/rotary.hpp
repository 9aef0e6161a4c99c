#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/tree/context.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::models {

/// How positions turn the elements of a head.
struct RotaryOptions {
    std::int64_t size = 0;  ///< of a head, as far as it is turned
    double theta = 10000;
    std::optional<double> part{};  ///< how much of a head is turned; none: models that always turn all of it
    bool is_interleaved = false;  ///< neighbours turn together, not the elements of one half with those of the other
    std::string type = "default";
    double factor = 1;
    double scale = 1;  ///< of the cosines and sines
    std::int64_t positions = 0, original_positions = 0;  ///< how many the model knows, and was trained with first
    double low_frequency_factor = 1, high_frequency_factor = 4;  ///< of the type "llama3"
    double fast_turns = 32, slow_turns = 1;  ///< of the type "yarn", as is the next
    bool has_whole_bounds = true;
    std::vector<double> short_factors{}, long_factors{};  ///< of the type "longrope"
    std::vector<std::int64_t> sections{};  ///< pairs that turn by each of three axes, in turn; empty: by one axis

    /// From config.json, in its form of today (rope_parameters) or the older one (rope_theta, rope_scaling); what it does not say is as
    /// in `defaults`.
    [[nodiscard]] static RotaryOptions read(ConfigReader& config, std::int64_t head_size, RotaryOptions defaults);
    [[nodiscard]] static RotaryOptions read(ConfigReader& config, std::int64_t head_size) {
        return read(config, head_size, {});
    }
    /// The same by a dict of its own, as models have it whose layers turn in different ways.
    [[nodiscard]] static RotaryOptions read(const tree::Context& parameters, std::int64_t head_size,
                                            RotaryOptions defaults);
    /// Of full and of sliding layers, which hold their defaults before.
    static void read_both(ConfigReader& config, std::int64_t head_size, RotaryOptions& full, RotaryOptions& sliding);
};

/// How fast each pair of elements turns; in long texts, for types that have two answers.
[[nodiscard]] at::Tensor rotary_frequencies(const RotaryOptions& options, bool is_long = false);

/// Cosines and sines of every position.
class Rotary : public torch::nn::Module {
public:
    struct Turns {
        at::Tensor cosines{}, sines{};  ///< none: nothing turns
        bool is_interleaved = false;
    };

    explicit Rotary(RotaryOptions options);
    /// Positions [batch, tokens], or where there are sections, [3, batch, tokens].
    [[nodiscard]] Turns forward(const at::Tensor& positions, at::ScalarType dtype) const;

private:
    [[nodiscard]] at::Tensor by_axis(const at::Tensor& angles) const;
    [[nodiscard]] at::Tensor frequencies(const at::Tensor& positions) const;

    RotaryOptions options_;
    at::Tensor frequencies_, long_frequencies_;
};

/// Heads, turned; their elements behind the rotary size stay as they are.
[[nodiscard]] inline at::Tensor turned(const at::Tensor& heads, const Rotary::Turns& turns) {
    if (!turns.cosines.defined()) return heads;
    const std::int64_t size = turns.cosines.size(-1);
    const bool is_whole = heads.size(-1) == size;
    const at::Tensor x = is_whole ? heads : heads.slice(-1, 0, size);
    const auto quarter_turned = [&] {
        if (!turns.is_interleaved) return at::cat({-x.slice(-1, size / 2), x.slice(-1, 0, size / 2)}, -1);
        const at::Tensor pairs = x.unflatten(-1, {size / 2, 2});
        return at::stack({-pairs.select(-1, 1), pairs.select(-1, 0)}, -1).flatten(-2);
    };
    const at::Tensor made = x * turns.cosines + quarter_turned() * turns.sines;
    return is_whole ? made : at::cat({made, heads.slice(-1, size)}, -1);
}

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/rotary-inl.hpp>
#endif
