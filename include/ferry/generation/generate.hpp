#pragma once

#include <ferry/generation/generative.hpp>
#include <ferry/generation/options.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

namespace ferry {

/// The tokens given and those that the model goes on with, [batch, tokens]; behind an encoder, those of the decoder. Texts of different
/// lengths are padded on their left, where the attention mask has zeros; without a mask there is no padding.
[[nodiscard]] at::Tensor generate(generation::Generative& model, Inputs inputs, const GenerationOptions& options = {});

[[nodiscard]] inline at::Tensor generate(const AnyModel& model, Inputs inputs, const GenerationOptions& options = {}) {
    generation::GenerativeModel generative(model);
    return generate(generative, std::move(inputs), options);
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/generation/generate-inl.hpp>
#endif
