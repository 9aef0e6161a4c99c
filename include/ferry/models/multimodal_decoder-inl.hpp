#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/models/multimodal_decoder.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace ferry::models {

FERRY_INLINE MultimodalWeights MultimodalWeights::find(const Weights& weights, std::string_view tower) {
    const Weights older = weights / "language_model", model = weights / "model";
    for (const Weights& text : {older / "model", older / "model" / "model"})  // the second by a slip of its version 5
        if (text.has("embed_tokens.weight"))
            return {weights / tower, weights / "multi_modal_projector", text, older / "lm_head"};
    if (model.has("embed_tokens.weight"))
        return {weights / tower, weights / "multi_modal_projector", model, weights / "lm_head"};
    return {model / tower, model / "multi_modal_projector", model / "language_model", weights / "lm_head"};
}

FERRY_INLINE MultimodalDecoder::MultimodalDecoder(const MultimodalWeights& weights, const MultimodalOptions& options)
    : placeholder_(options.placeholder) {
    const DecoderOptions& text = options.text;
    const Weights tokens = weights.text / "embed_tokens";
    if (options.projector)
        multi_modal_projector = register_module("multi_modal_projector",
                                                std::make_shared<Projector>(weights.projector, *options.projector));
    embed_tokens = register_module("embed_tokens", std::make_shared<Embedding>(tokens, text.vocabulary, text.width));
    language_model = register_module("language_model", std::make_shared<DecoderBody>(weights.text, text));
    lm_head = register_module(
        "lm_head", std::make_shared<Linear>(text.ties_embeddings ? tokens : weights.head, text.width, text.vocabulary));
    if (text.ties_embeddings) weights.head.ignore("weight");
}

FERRY_INLINE CausalOutput MultimodalDecoder::answer(const at::Tensor& input_ids,
                                                    const std::optional<at::Tensor>& features,
                                                    const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                                    Cache past_key_values) const {
    at::Tensor x = embed_tokens(input_ids);
    if (features) {
        const at::Tensor projected = multi_modal_projector ? multi_modal_projector(*features) : *features;
        x = x.masked_scatter((input_ids == placeholder_).unsqueeze(-1).expand_as(x), projected.to(x.scalar_type()));
    }
    CausalHiddenOutput made = language_model(x, attention_mask, position_ids, std::move(past_key_values));
    return {lm_head(made.last_hidden_state), std::move(made.past_key_values)};
}

}  // namespace ferry::models
