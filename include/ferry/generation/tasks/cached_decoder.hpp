#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/tasks/cache_buffers.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace ferry::generation {

/// A model whose cache is its own: what is given are new tokens of one text, and where in it they are.
class CachedDecoder : public torch::nn::Module {
protected:
    CachedDecoder(AnyModel model, std::int64_t room);

    /// The model's first tensor. What it takes beyond `given` follows from where the tokens are; nothing is padding among as many
    /// tokens as its mask is of.
    [[nodiscard]] at::Tensor run(Inputs given, const at::Tensor& cache_position, std::int64_t masked) const;
    [[nodiscard]] std::int64_t room() const noexcept { return room_; }

private:
    AnyModel model_;
    std::int64_t room_;
    CacheBuffers cache_;
};

/// Of a language model: token ids [1, tokens] and their places [tokens] to logits.
class CausalDecoder final : public CachedDecoder {
public:
    static constexpr auto forward_parameters = names("input_ids", "cache_position");

    CausalDecoder(AnyModel model, std::int64_t room) : CachedDecoder(std::move(model), room) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& input_ids, const at::Tensor& cache_position) const {
        return run(inputs("input_ids", input_ids), cache_position, room());
    }
};

/// Of one that takes vectors [1, tokens, width], with the head behind it, if it has none itself.
class TextDecoder final : public CachedDecoder {
public:
    static constexpr auto forward_parameters = names("inputs_embeds", "cache_position");

    TextDecoder(AnyModel language_model, std::optional<AnyModel> head, std::int64_t room);

    [[nodiscard]] at::Tensor forward(const at::Tensor& inputs_embeds, const at::Tensor& cache_position) const;

private:
    std::optional<AnyModel> head_;
};

/// Of one behind an encoder, which goes by what that has read of one text or sound, at every call.
class SourceDecoder final : public CachedDecoder {
public:
    static constexpr auto forward_parameters = names("decoder_input_ids", "encoder_hidden_states", "cache_position");

    SourceDecoder(AnyModel model, std::int64_t room) : CachedDecoder(std::move(model), room) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& decoder_input_ids, const at::Tensor& encoder_hidden_states,
                                     const at::Tensor& cache_position) const;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/cached_decoder-inl.hpp>
#endif
