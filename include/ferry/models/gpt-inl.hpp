#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/sight.hpp>
#include <ferry/models/gpt.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace ferry::models {

FERRY_INLINE void GptOptions::require_whole_heads() const {
    if (layer.heads <= 0 || layer.width % layer.heads != 0)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(layer.heads) +
                                             " heads cannot share a width of " + std::to_string(layer.width));
}

FERRY_INLINE GptOptions GptOptions::read(ConfigReader& config) {
    GptOptions made{.vocabulary = config.integer("vocab_size"), .layers = config.layers("n_layer")};
    made.layer.width = config.integer("n_embd");
    made.layer.heads = config.integer("n_head");
    made.layer.inner = config.integer("n_inner", 4 * made.layer.width);
    made.layer.activation = config.text("activation_function", "gelu_new");
    made.layer.epsilon = config.real("layer_norm_epsilon", 1e-5);
    made.require_whole_heads();
    made.layer.scale = 1 / std::sqrt(static_cast<double>(made.layer.head_size()));
    config.ignore({"n_ctx", "summary_type", "summary_use_proj", "summary_activation", "summary_proj_to_labels",
                   "summary_first_dropout", "gradient_checkpointing", "task_specific_params", "tokenizer_class"});
    made.names = {.base = "transformer",
                  .tokens = "wte",
                  .positions = "wpe",
                  .layers = "h",
                  .norm = "ln_f",
                  .head = "lm_head",
                  .older_head = "lm_head"};
    return made;
}

FERRY_INLINE GptDecoder::GptDecoder(const Weights& weights, GptOptions options) : options_(std::move(options)) {
    const GptNames& names = options_.names;
    const std::int64_t width = options_.layer.width;
    const bool has_base = (weights / names.base / names.tokens).has("weight");
    const Weights model = has_base ? weights / names.base : weights;
    const auto add_embedding = [&](const std::string& name, std::int64_t count) {
        return register_module(name, std::make_shared<Embedding>(model / name, count, width));
    };
    tokens_ = add_embedding(names.tokens, options_.vocabulary);
    if (options_.positions > 0) positions_ = add_embedding(names.positions, options_.positions);
    for (std::int64_t i = 0; i < options_.layers; ++i) {
        GptLayerOptions layer = options_.layer;
        if (options_.scales_by_layer) layer.scale /= static_cast<double>(i + 1);
        layers_.push_back(
            register_module(names.layers + "_" + std::to_string(i),
                            std::make_shared<GptLayer>(model / names.layers / i, layer, static_cast<std::size_t>(i))));
    }
    norm_ = register_module(names.norm, std::make_shared<LayerNorm>(model / names.norm, width, options_.layer.epsilon));
    if (options_.rotary) rotary_ = register_module("rotary_emb", std::make_shared<Rotary>(*options_.rotary));
    const Weights newer = weights / names.head, older = weights / names.older_head;
    const Weights head = older.has("weight") ? older : newer;
    if (options_.ties_embeddings) {
        head_ = tokens_->weight;
        head.ignore("weight");
    } else {
        head_ = register_parameter(names.head, head.take("weight", {options_.vocabulary, width}), false);
    }
    if (options_.has_head_bias)
        head_bias_ = register_parameter(names.head + "_bias", head.take("bias", {options_.vocabulary}), false);
}

template <class Cache>
at::Tensor GptDecoder::hidden(at::Tensor x, const at::Tensor& attention_mask, const at::Tensor& position_ids,
                              Cache& cache) const {
    const std::int64_t count = x.size(1);
    Rotary::Turns turns;
    if (rotary_) turns = rotary_->forward(position_ids, x.scalar_type());
    if (positions_) x = x + positions_->forward(position_ids);
    const Sight sight = sight_over(cache, 0, attention_mask, count);
    for (const auto& layer : layers_) x = layer->forward(x, turns, sight, cache);
    cache.advance(count);
    return norm_->forward(x);
}

FERRY_INLINE CausalOutput GptDecoder::forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                              const at::Tensor& position_ids, Cache past_key_values) {
    const at::Tensor x = std::visit(
        [&](auto& cache) { return hidden(tokens_->forward(input_ids), attention_mask, position_ids, cache); },
        past_key_values);
    return {at::linear(x, head_, head_bias_), std::move(past_key_values)};
}

FERRY_INLINE StaticCache GptDecoder::static_cache(std::int64_t batch, std::int64_t length) const {
    return StaticCache::make(options_.layers, {batch, options_.layer.heads, length, options_.layer.head_size()},
                             head_.scalar_type(), head_.device());
}

}  // namespace ferry::models
