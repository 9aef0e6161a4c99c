#pragma once

#include <ferry/models/config_reader.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <string>
#include <utility>

namespace ferry::models {

/// How positions turn the elements of a head.
struct RotaryOptions {
    std::int64_t size = 0;  ///< of a head, as far as it is turned
    double theta = 10000;
    std::string type = "default";
    double factor = 1;
    double low_frequency_factor = 1, high_frequency_factor = 4;  ///< of the type "llama3"
    std::int64_t original_positions = 0;                         ///< as well

    /// From config.json, in its form of today (rope_parameters) or the older one (rope_theta, rope_scaling).
    [[nodiscard]] static RotaryOptions read(ConfigReader& config, std::int64_t head_size);
};

/// How fast each pair of elements turns.
[[nodiscard]] at::Tensor rotary_frequencies(const RotaryOptions& options);

/// Cosines and sines of every position.
class Rotary : public torch::nn::Module {
public:
    using Turns = std::pair<at::Tensor, at::Tensor>;

    explicit Rotary(const RotaryOptions& options)
        : frequencies_(register_buffer("inv_freq", rotary_frequencies(options))) {}
    [[nodiscard]] Turns forward(const at::Tensor& positions, at::ScalarType dtype) const {
        const at::Tensor half = positions.unsqueeze(-1).to(at::kFloat) * frequencies_;
        const at::Tensor angles = at::cat({half, half}, -1).unsqueeze(1);  // the same for all heads
        return {angles.cos().to(dtype), angles.sin().to(dtype)};
    }

private:
    at::Tensor frequencies_;
};

/// Heads, turned; their elements behind the rotary size stay as they are.
[[nodiscard]] inline at::Tensor turned(const at::Tensor& heads, const Rotary::Turns& turns) {
    const std::int64_t size = turns.first.size(-1);
    const bool is_whole = heads.size(-1) == size;
    const at::Tensor x = is_whole ? heads : heads.slice(-1, 0, size);
    const at::Tensor swapped = at::cat({-x.slice(-1, size / 2), x.slice(-1, 0, size / 2)}, -1);
    const at::Tensor made = x * turns.first + swapped * turns.second;
    return is_whole ? made : at::cat({made, heads.slice(-1, size)}, -1);
}

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/rotary-inl.hpp>
#endif
