#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/config_reader.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <numbers>
#include <optional>
#include <string>

namespace ferry::models {

FERRY_INLINE RotaryOptions RotaryOptions::read(ConfigReader& config, std::int64_t head_size) {
    RotaryOptions made{.size = head_size, .theta = config.real("rope_theta", 10000)};
    double part = config.real("partial_rotary_factor", 1);
    const std::int64_t positions = config.integer("max_position_embeddings", 0);
    const tree::Context* given = config.find("rope_parameters");
    if (const tree::Context* older = config.find("rope_scaling"); given == nullptr) given = older;
    if (given != nullptr) {
        ConfigReader rope(*given);
        made.theta = rope.real("rope_theta", made.theta);
        part = rope.real("partial_rotary_factor", part);
        made.type = rope.text("type", "default");
        made.type = rope.text("rope_type", made.type);
        made.factor = rope.real("factor", 1);
        if (made.type == "llama3") {
            made.low_frequency_factor = rope.real("low_freq_factor", 1);
            made.high_frequency_factor = rope.real("high_freq_factor", 4);
            made.original_positions = rope.integer("original_max_position_embeddings", positions);
        } else if (made.type != "default" && made.type != "linear") {
            throw Error(ErrorKind::unsupported,
                        "config.json: rotary positions of the type '" + made.type + "' are not supported",
                        {.hint = "there are: default, linear, llama3"});
        }
        rope.finish();
    }
    made.size = static_cast<std::int64_t>(static_cast<double>(head_size) * part);
    return made;
}

FERRY_INLINE at::Tensor rotary_frequencies(const RotaryOptions& options) {
    const at::Tensor exponents = at::arange(0, options.size, 2, at::TensorOptions(at::kFloat)) / options.size;
    const at::Tensor frequencies = 1.0 / at::pow(options.theta, exponents);
    if (options.type == "linear") return frequencies / options.factor;
    if (options.type != "llama3") return frequencies;
    // Slow turns become slower, fast ones stay, and between them one goes over into the other.
    const auto original = static_cast<double>(options.original_positions);
    const at::Tensor length = 2 * std::numbers::pi / frequencies, slower = frequencies / options.factor;
    const double longest = original / options.low_frequency_factor, shortest = original / options.high_frequency_factor;
    const at::Tensor share = (original / length - options.low_frequency_factor) /
                             (options.high_frequency_factor - options.low_frequency_factor);
    const at::Tensor between = (1 - share) * slower + share * frequencies;
    return at::where(length > longest, slower, at::where(length < shortest, frequencies, between));
}

}  // namespace ferry::models
