#pragma once

#include <ferry/generation/options.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <functional>
#include <string>
#include <vector>

namespace ferry {

/// A part of a generative model that is exported by itself: a model, and what it is called with.
struct GenerationPart {
    std::string name;
    AnyModel model;
    Inputs inputs;
};
using GenerationParts = std::vector<GenerationPart>;

/// Generates two tokens: the first call of forward takes the whole prompt ("prefill"), the second one token and what the first has
/// left ("decode"). What a model behind an encoder is given first of all comes before: "encoder".
[[nodiscard]] GenerationParts decompose_prefill_decode(const AnyModel& model, const Inputs& inputs,
                                                       const GenerationOptions& options = {});

/// The same where a program of yours generates: the model is called through ferry::submodule there.
[[nodiscard]] GenerationParts decompose_prefill_decode(const AnyModel& model, const std::function<void()>& generates);

/// Whether forward gives something back that the next call takes, such as a cache.
[[nodiscard]] bool is_generative(const AnyModel& model);

/// Whether a model has an encoder for images or sounds, and a language model behind it.
[[nodiscard]] bool is_multimodal(const AnyModel& model);

/// One call of such a model, by its parts: "image_encoder", "audio_encoder", projectors under their own names, "token_embedding",
/// "language_model", "lm_head". They are members that hold a ferry::submodule; what is not called is left out.
[[nodiscard]] GenerationParts decompose_multimodal(const AnyModel& model, const Inputs& inputs);

/// Prefill and decode; of a multimodal model, its parts instead of prefill. `inputs` are those of generate.
[[nodiscard]] GenerationParts decompose_for_generation(const AnyModel& model, const Inputs& inputs,
                                                       const GenerationOptions& options = {});

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/generation/decompose-inl.hpp>
#endif
