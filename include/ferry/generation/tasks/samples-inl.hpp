#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/tasks/samples.hpp>

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::generation {
namespace detail {

/// Where a config speaks of images or sounds: in a section of its own, if it has one.
[[nodiscard]] inline const tree::Context& section_of(const tree::Context& config, std::string_view name) {
    const tree::Context* section = config_field(config, {name});
    return section != nullptr && section->is_dict() ? *section : config;
}

[[nodiscard]] inline std::vector<std::int64_t> image_sizes(const tree::Context& config) {
    const tree::Context* size = config_field(config, {"image_size"});
    const std::int64_t channels = config_integer(config, {"num_channels"}).value_or(3);
    if (size != nullptr && size->is_list() && size->items().size() == 2) {
        const auto high = size->items()[0].as_integer(), wide = size->items()[1].as_integer();
        if (high && wide) return {channels, *high, *wide};
    }
    const std::optional<std::int64_t> side = size == nullptr ? std::nullopt : size->as_integer();
    if (!side)
        throw Error(ErrorKind::invalid_input, "config.json does not say how large images are: no 'image_size'",
                    {.hint = "export it with inputs of your own"});
    return {channels, *side, *side};
}

[[nodiscard]] inline std::vector<std::int64_t> sound_sizes(const tree::Context& config) {
    constexpr std::int64_t frames_of_position = 2;
    const auto bins = config_integer(config, {"num_mel_bins"});
    const auto positions = config_integer(config, {"max_source_positions"});
    if (!bins || !positions)
        throw Error(ErrorKind::invalid_input,
                    "config.json does not say how long sounds are: no 'num_mel_bins', or no 'max_source_positions'",
                    {.hint = "export it with inputs of your own"});
    return {*bins, *positions * frames_of_position};
}

[[nodiscard]] inline at::ScalarType weight_type(const AnyModel& model) {
    for (const at::Tensor& each : model->parameters())
        if (each.is_floating_point()) return each.scalar_type();
    return at::kFloat;
}

}  // namespace detail

FERRY_INLINE at::Tensor sample_ids(std::int64_t texts, std::int64_t tokens) {
    return at::ones({texts, tokens}, at::TensorOptions(at::kLong));
}

FERRY_INLINE Inputs sample_texts(const AnyModel& model, std::int64_t texts) {
    constexpr std::int64_t tokens = 8;
    Inputs made = inputs("input_ids", sample_ids(texts, tokens));
    if (model.takes("attention_mask")) made.set("attention_mask", sample_ids(texts, tokens));
    return made;
}

FERRY_INLINE at::Tensor sample_source(const TaskSource& source, std::string_view input, std::int64_t count) {
    std::vector<std::int64_t> sizes;
    if (input == "pixel_values")
        sizes = detail::image_sizes(detail::section_of(source.config, "vision_config"));
    else if (input == "input_features")
        sizes = detail::sound_sizes(detail::section_of(source.config, "audio_config"));
    else
        throw Error(ErrorKind::unsupported, "there is no sample for the input '" + std::string(input) + "'",
                    {.hint = "there are those for: pixel_values, input_features"});
    sizes.insert(sizes.begin(), count);
    return at::zeros(sizes, at::TensorOptions(detail::weight_type(source.model)));
}

}  // namespace ferry::generation
