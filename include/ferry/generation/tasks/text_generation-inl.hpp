#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/generation/decompose.hpp>
#include <ferry/generation/tasks/cached_decoder.hpp>
#include <ferry/generation/tasks/metadata.hpp>
#include <ferry/generation/tasks/new_tokens.hpp>
#include <ferry/generation/tasks/samples.hpp>
#include <ferry/generation/tasks/state_decoder.hpp>
#include <ferry/generation/tasks/text_generation.hpp>

#include <cstdint>
#include <memory>

namespace ferry::generation {

FERRY_INLINE bool text_generation::fits(const TaskSource& source) {
    const AnyModel& model = source.model;
    return model.takes("input_ids") && is_generative(model) && !is_multimodal(model);
}

FERRY_INLINE Inputs text_generation::sample(const TaskSource& source) { return sample_texts(source.model, 2); }

FERRY_INLINE TaskProgram text_generation::program(const TaskSource& source, const TaskOptions& options) {
    const std::int64_t room = room_of_text(source, options);
    const bool has_cache = source.model.static_cache(1, 1).has_value();
    const bool is_dynamic = options.is_dynamic && has_cache;
    const NewTokens tokens(room, is_dynamic);
    const AnyModel decoder = has_cache ? AnyModel(std::make_shared<CausalDecoder>(source.model, room))
                                       : AnyModel(std::make_shared<StateDecoder>(source.model));
    return {{{"forward", decoder, inputs("input_ids", sample_ids(1, tokens.count()), "cache_position", tokens.places()),
              tokens.shapes({{"input_ids", 1}, {"cache_position", 0}})}},
            cache_metadata(source, room, is_dynamic)};
}

}  // namespace ferry::generation
