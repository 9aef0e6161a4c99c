#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/tasks/classification.hpp>
#include <ferry/generation/tasks/metadata.hpp>
#include <ferry/generation/tasks/samples.hpp>

#include <cstdint>
#include <string_view>

namespace ferry::generation {

FERRY_INLINE bool image_classification::fits(const TaskSource& source) {
    return source.architecture.find("ForImageClassification") != std::string_view::npos;
}

FERRY_INLINE Inputs image_classification::sample(const TaskSource& source) {
    return inputs("pixel_values", sample_source(source, "pixel_values", 1));
}

FERRY_INLINE TaskProgram image_classification::program(const TaskSource& source, const TaskOptions&) {
    return {{{"forward", source.model, sample(source)}}, model_metadata(source, {})};
}

FERRY_INLINE bool fill_mask::fits(const TaskSource& source) {
    return source.architecture.find("ForMaskedLM") != std::string_view::npos;
}

FERRY_INLINE Inputs fill_mask::sample(const TaskSource& source) { return sample_texts(source.model, 2); }

FERRY_INLINE TaskProgram fill_mask::program(const TaskSource& source, const TaskOptions& options) {
    constexpr std::int64_t otherwise = 2048;
    const std::int64_t most =
        room_for(options.max_seq_len, config_integer(source.config, {"max_position_embeddings"}), otherwise);
    TaskMethod method{"forward", source.model, sample_texts(source.model, 1)};
    if (options.is_dynamic)
        for (const auto& [name, value] : method.inputs)
            method.dynamic_shapes[name].emplace(1, Dim("seq_length_dim", 1, most - 1));
    return {{std::move(method)}, model_metadata(source, most)};
}

}  // namespace ferry::generation
