#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/config_reader.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::models {
namespace detail {

[[nodiscard]] inline std::optional<double> read_part(ConfigReader& config, std::optional<double> otherwise) {
    const double part = config.real("partial_rotary_factor", otherwise.value_or(1));
    if (otherwise) return part;
    if (part != 1)
        throw Error(ErrorKind::unsupported,
                    "config.json: 'partial_rotary_factor' is not 1, and models of this "
                    "architecture turn whole heads");
    return std::nullopt;
}

/// Stretched positions make attention blunter; larger turns sharpen it again.
[[nodiscard]] inline double yarn_scale(double factor, double strength) {
    return factor <= 1 ? 1 : 0.1 * strength * std::log(factor) + 1;
}

inline void read_llama3(ConfigReader& rope, RotaryOptions& made) {
    made.low_frequency_factor = rope.real("low_freq_factor", 1);
    made.high_frequency_factor = rope.real("high_freq_factor", 4);
}

inline void read_yarn(ConfigReader& rope, RotaryOptions& made) {
    made.fast_turns = rope.real("beta_fast", 32);
    made.slow_turns = rope.real("beta_slow", 1);
    made.has_whole_bounds = rope.flag("truncate", true);
    const double strength = rope.real("mscale", 0), strength_of_all = rope.real("mscale_all_dim", 0);
    const bool is_ratio = strength != 0 && strength_of_all != 0;
    made.scale = rope.real("attention_factor",
                           is_ratio ? yarn_scale(made.factor, strength) / yarn_scale(made.factor, strength_of_all)
                                    : yarn_scale(made.factor, 1));
}

inline void read_longrope(ConfigReader& rope, RotaryOptions& made) {
    made.short_factors = rope.reals("short_factor");
    made.long_factors = rope.reals("long_factor");
    const auto pairs = static_cast<std::size_t>((made.size + 1) / 2);
    if (made.short_factors.size() != pairs || made.long_factors.size() != pairs)
        throw Error(ErrorKind::bad_file,
                    "config.json: 'short_factor' and 'long_factor' need " + std::to_string(pairs) + " numbers each");
    const double blunting =
        made.factor <= 1
            ? 1
            : std::sqrt(1 + std::log(made.factor) / std::log(static_cast<double>(made.original_positions)));
    made.scale = rope.real("attention_factor", blunting);
}

inline void read_sections(ConfigReader& rope, RotaryOptions& made) {
    if (made.type == "mrope") made.type = "default";  // an older name
    if (rope.find("mrope_section") != nullptr) made.sections = rope.integers("mrope_section");
    const std::vector<std::int64_t>& all = made.sections;
    const bool is_whole = std::accumulate(all.begin(), all.end(), std::int64_t{0}) == made.size / 2;
    if (!is_whole || std::any_of(all.begin(), all.end(), [](std::int64_t each) { return each < 0; }))
        throw Error(ErrorKind::bad_file,
                    "config.json: 'mrope_section' does not divide " + std::to_string(made.size / 2) + " pairs");
}

}  // namespace detail

FERRY_INLINE RotaryOptions RotaryOptions::read(ConfigReader& config, std::int64_t head_size, RotaryOptions defaults) {
    defaults.theta = config.real("rope_theta", defaults.theta);
    defaults.positions = config.integer("max_position_embeddings", defaults.positions);
    defaults.original_positions = config.integer("original_max_position_embeddings", defaults.original_positions);
    defaults.part = detail::read_part(config, defaults.part);
    const tree::Context* given = config.find("rope_parameters");
    if (const tree::Context* older = config.find("rope_scaling"); older != nullptr && !older->keys().empty())
        given = older;
    return read(given != nullptr ? *given : tree::Context(), head_size, std::move(defaults));
}

FERRY_INLINE RotaryOptions RotaryOptions::read(const tree::Context& parameters, std::int64_t head_size,
                                               RotaryOptions defaults) {
    ConfigReader rope(parameters);
    RotaryOptions made = std::move(defaults);
    made.theta = rope.real("rope_theta", made.theta);
    made.part = detail::read_part(rope, made.part);
    constexpr std::int64_t widest = 1 << 16;
    const double part = made.part.value_or(1);
    if (!(part >= 0 && part <= 1) || head_size < 0 || head_size > widest)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(part) + " of a head of " +
                                             std::to_string(head_size) + " elements cannot be turned");
    made.size = static_cast<std::int64_t>(static_cast<double>(head_size) * part);
    made.type = rope.text("type", made.type);
    made.type = rope.text("rope_type", made.type);
    if (!made.sections.empty()) detail::read_sections(rope, made);
    // Two older names, in checkpoints of Phi-3.
    if (made.type == "su" || (made.type == "yarn" && rope.find("short_factor") != nullptr)) made.type = "longrope";
    if (made.type == "llama3" || made.type == "yarn" || made.type == "longrope") {
        const std::int64_t inner = rope.integer("original_max_position_embeddings", made.positions);
        if (made.original_positions == 0) made.original_positions = inner;
        if (made.original_positions <= 0)
            throw Error(ErrorKind::bad_file, "config.json: rotary positions of the type '" + made.type +
                                                 "' need 'original_max_position_embeddings'");
    }
    const bool has_own_factor = made.type == "yarn" || made.type == "longrope";
    made.factor = rope.real(
        "factor",
        has_own_factor ? static_cast<double>(made.positions) / static_cast<double>(made.original_positions) : 1);
    if (made.type == "llama3") {
        detail::read_llama3(rope, made);
    } else if (made.type == "yarn") {
        detail::read_yarn(rope, made);
    } else if (made.type == "longrope") {
        detail::read_longrope(rope, made);
    } else if (made.type == "dynamic") {
        if (made.positions <= 0)
            throw Error(ErrorKind::bad_file,
                        "config.json: rotary positions of the type 'dynamic' need 'max_position_embeddings'");
    } else if (made.type != "default" && made.type != "linear") {
        throw Error(ErrorKind::unsupported,
                    "config.json: rotary positions of the type '" + made.type + "' are not supported",
                    {.hint = "there are: default, linear, dynamic, llama3, yarn, longrope"});
    }
    rope.finish();
    return made;
}

FERRY_INLINE void RotaryOptions::read_both(ConfigReader& config, std::int64_t head_size, RotaryOptions& full,
                                           RotaryOptions& sliding) {
    full.theta = config.real("rope_theta", full.theta);
    sliding.theta = config.real("rope_local_base_freq", sliding.theta);
    full.positions = sliding.positions = config.integer("max_position_embeddings", full.positions);
    const tree::Context none;
    const tree::Context *full_given = &none, *sliding_given = &none;
    if (const tree::Context* given = config.find("rope_parameters")) {
        ConfigReader both(*given);
        if (const tree::Context* found = both.find("full_attention")) full_given = found;
        if (const tree::Context* found = both.find("sliding_attention")) sliding_given = found;
        both.finish();
    } else if (const tree::Context* older = config.find("rope_scaling")) {
        full_given = older;
    }
    full = read(*full_given, head_size, std::move(full));
    sliding = read(*sliding_given, head_size, std::move(sliding));
}

namespace detail {

/// Slow turns become slower, fast ones stay, and between them one goes over into the other.
[[nodiscard]] inline at::Tensor llama3_frequencies(const RotaryOptions& options, const at::Tensor& frequencies) {
    const auto original = static_cast<double>(options.original_positions);
    const at::Tensor length = 2 * std::numbers::pi / frequencies, slower = frequencies / options.factor;
    const double longest = original / options.low_frequency_factor, shortest = original / options.high_frequency_factor;
    const at::Tensor share = (original / length - options.low_frequency_factor) /
                             (options.high_frequency_factor - options.low_frequency_factor);
    const at::Tensor between = (1 - share) * slower + share * frequencies;
    return at::where(length > longest, slower, at::where(length < shortest, frequencies, between));
}

/// The same, between two pairs of elements that turn so often in a text of the original length.
[[nodiscard]] inline at::Tensor yarn_frequencies(const RotaryOptions& options, const at::Tensor& frequencies) {
    const auto size = static_cast<double>(options.size);
    const auto pair_with = [&](double turns) {
        const double length = static_cast<double>(options.original_positions) / (turns * 2 * std::numbers::pi);
        return size * std::log(length) / (2 * std::log(options.theta));
    };
    double first = pair_with(options.fast_turns), last = pair_with(options.slow_turns);
    if (options.has_whole_bounds) {
        first = std::floor(first);
        last = std::ceil(last);
    }
    first = std::max(first, 0.0);
    last = std::min(last, size - 1);
    if (first == last) last += 0.001;
    const at::Tensor pairs = at::arange(options.size / 2, at::TensorOptions(at::kFloat));
    const at::Tensor share = ((pairs - first) / (last - first)).clamp(0, 1);
    return frequencies / options.factor * share + frequencies * (1 - share);
}

[[nodiscard]] inline at::Tensor rotary_exponents(const RotaryOptions& options) {
    return at::arange(0, options.size, 2, at::TensorOptions(at::kFloat)) / options.size;
}

}  // namespace detail

FERRY_INLINE at::Tensor rotary_frequencies(const RotaryOptions& options, bool is_long) {
    at::Tensor frequencies = 1.0 / at::pow(options.theta, detail::rotary_exponents(options));
    if (options.type == "linear") return frequencies / options.factor;
    if (options.type == "llama3") return detail::llama3_frequencies(options, frequencies);
    if (options.type == "yarn") return detail::yarn_frequencies(options, frequencies);
    if (options.type == "longrope")
        return frequencies / at::tensor(is_long ? options.long_factors : options.short_factors, at::kFloat);
    return frequencies;
}

FERRY_INLINE Rotary::Rotary(RotaryOptions options) : options_(std::move(options)) {
    // Where the turns depend on how long the text is, the powers of theta are taken when that is known.
    frequencies_ = register_buffer(
        "inv_freq", options_.type == "dynamic" ? detail::rotary_exponents(options_) : rotary_frequencies(options_));
    if (options_.type == "longrope")
        long_frequencies_ = register_buffer("long_inv_freq", rotary_frequencies(options_, /*is_long=*/true));
}

FERRY_INLINE at::Tensor Rotary::frequencies(const at::Tensor& positions) const {
    if (options_.type == "longrope")
        return at::where(positions.amax() >= options_.original_positions, long_frequencies_, frequencies_);
    if (options_.type != "dynamic") return frequencies_;
    const at::Tensor length = (positions.amax() + 1).clamp_min(options_.positions).to(at::kFloat);
    const auto size = static_cast<double>(options_.size), known = static_cast<double>(options_.positions);
    const at::Tensor stretch = length * (options_.factor / known) - (options_.factor - 1);
    return 1.0 / (options_.theta * stretch.pow(size / (size - 2))).pow(frequencies_);
}

FERRY_INLINE at::Tensor Rotary::by_axis(const at::Tensor& angles) const {
    constexpr std::int64_t axes = 3;
    if (angles.size(0) != axes)
        throw Error(ErrorKind::invalid_input, "there are positions of " + std::to_string(angles.size(0)) +
                                                  " axes, and the model takes [3, batch, tokens]");
    std::vector<at::Tensor> made;
    std::int64_t first = 0, axis = 0;
    for (const std::int64_t section : options_.sections) {
        made.push_back(angles.select(0, axis).slice(-1, first, first + section));
        first += section;
        axis = (axis + 1) % axes;
    }
    return at::cat(made, -1);
}

FERRY_INLINE Rotary::Turns Rotary::forward(const at::Tensor& positions, at::ScalarType dtype) const {
    at::Tensor half = positions.unsqueeze(-1).to(at::kFloat) * frequencies(positions);
    if (!options_.sections.empty() && positions.dim() == 3) half = by_axis(half);
    const at::Tensor angles =
        options_.is_interleaved ? at::stack({half, half}, -1).flatten(-2) : at::cat({half, half}, -1);
    const at::Tensor for_all_heads = angles.unsqueeze(1);
    const auto scaled = [&](const at::Tensor& each) {
        return (options_.scale == 1 ? each : each * options_.scale).to(dtype);
    };
    return {scaled(for_all_heads.cos()), scaled(for_all_heads.sin()), options_.is_interleaved};
}

}  // namespace ferry::models
