#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/capped_attention.hpp>
#include <ferry/models/blocks/layer_types.hpp>
#include <ferry/models/decoder.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scalar_tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::models {

FERRY_INLINE std::shared_ptr<FeedForward> gated_mlp(const Weights& layer, const DecoderOptions& options,
                                                    std::int64_t /*index*/) {
    return std::make_shared<GatedMlp>(layer / "mlp", options.mlp);
}
FERRY_INLINE std::shared_ptr<FeedForward> fused_gated_mlp(const Weights& layer, const DecoderOptions& options,
                                                          std::int64_t /*index*/) {
    return std::make_shared<FusedGatedMlp>(layer / "mlp", options.mlp);
}

FERRY_INLINE DecoderOptions DecoderOptions::read(ConfigReader& config, DecoderOptions defaults) {
    DecoderOptions made = std::move(defaults);
    made.vocabulary = config.integer("vocab_size");
    made.width = made.mlp.width = config.integer("hidden_size");
    made.layers = config.layers("num_hidden_layers");
    made.mlp.inner = config.integer("intermediate_size");
    made.mlp.activation = config.text("hidden_act", made.mlp.activation);
    made.norm.epsilon = config.real("rms_norm_eps", made.norm.epsilon);
    made.ties_embeddings = config.flag("tie_word_embeddings", made.ties_embeddings);
    AttentionOptions& attention = made.attention;
    attention.width = made.width;
    attention.heads = config.integer("num_attention_heads");
    attention.key_heads = config.integer("num_key_value_heads", attention.heads);
    if (attention.heads <= 0 || attention.key_heads <= 0 || attention.heads % attention.key_heads != 0)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(attention.heads) + " heads cannot share " +
                                             std::to_string(attention.key_heads) + " of keys and values");
    attention.head_size =
        config.integer("head_dim", attention.head_size > 0 ? attention.head_size : made.width / attention.heads);
    attention.norm = made.norm;
    made.is_sliding = sliding_layers(config, made.layers);
    if (made.sliding_rotary)
        RotaryOptions::read_both(config, attention.head_size, made.rotary, *made.sliding_rotary);
    else
        made.rotary = RotaryOptions::read(config, attention.head_size, made.rotary);
    return made;
}

FERRY_INLINE DecoderBody::DecoderBody(const Weights& weights, DecoderOptions options) : options_(std::move(options)) {
    for (std::int64_t i = 0; i < options_.layers; ++i)
        layers_.push_back(register_module("layers_" + std::to_string(i),
                                          std::make_shared<DecoderLayer>(weights / "layers" / i, options_, i)));
    norm_ = register_module("norm", options_.norm.make(weights / "norm", options_.width));
    rotary_ = register_module("rotary_emb", std::make_shared<Rotary>(options_.rotary));
    if (options_.sliding_rotary)
        sliding_rotary_ = register_module("sliding_rotary_emb", std::make_shared<Rotary>(*options_.sliding_rotary));
}

namespace detail {

/// Positions of three axes for one text would go with any number of texts, and a program exported so takes no other.
inline void check_positions(const at::Tensor& position_ids, std::int64_t texts, std::int64_t tokens) {
    if (position_ids.dim() != 3 || (position_ids.size(1) == texts && position_ids.size(2) == tokens)) return;
    std::ostringstream told;
    told << "the positions are of the sizes " << position_ids.sizes() << ", and there are " << texts << " texts of "
         << tokens << " tokens";
    throw Error(ErrorKind::invalid_input, told.str());
}

}  // namespace detail

template <class Cache>
at::Tensor DecoderBody::hidden(at::Tensor x, const at::Tensor& attention_mask, const at::Tensor& position_ids,
                               Cache& cache) const {
    const std::int64_t count = x.size(1);
    detail::check_positions(position_ids, x.size(0), count);
    const Rotary::Turns turns = rotary_->forward(position_ids, x.scalar_type());
    const Rotary::Turns sliding_turns =
        sliding_rotary_ ? sliding_rotary_->forward(position_ids, x.scalar_type()) : turns;
    Sight all, windowed;
    for (const auto& layer : layers_) {
        Sight& sight = layer->slides() ? windowed : all;
        if (!sight.seen.defined())
            sight = sight_over(cache, layer->index(), attention_mask, count,
                               layer->slides() ? options_.window : std::nullopt);
        x = layer->forward(x, layer->slides() ? sliding_turns : turns, sight, cache);
    }
    cache.advance(count);
    return norm_->forward(x);
}

FERRY_INLINE CausalHiddenOutput DecoderBody::forward(const at::Tensor& inputs_embeds, const at::Tensor& attention_mask,
                                                     const at::Tensor& position_ids, Cache past_key_values) const {
    const at::Tensor x = std::visit(
        [&](auto& cache) { return hidden(inputs_embeds, attention_mask, position_ids, cache); }, past_key_values);
    return {x, std::move(past_key_values)};
}

FERRY_INLINE StaticCache DecoderBody::static_cache(std::int64_t batch, std::int64_t length) const {
    const at::Tensor like = norm_->parameters().at(0);
    return StaticCache::make(options_.layers,
                             {batch, options_.attention.key_heads, length, options_.attention.head_size},
                             like.scalar_type(), like.device());
}

FERRY_INLINE Decoder::Decoder(const Weights& weights, const DecoderOptions& options)
    : embedding_scale_(options.embedding_scale) {
    const Weights model = weights / "model";
    tokens_ = register_module("embed_tokens",
                              std::make_shared<Embedding>(model / "embed_tokens", options.vocabulary, options.width));
    body_ = register_module("model", std::make_shared<DecoderBody>(model, options));
    if (options.ties_embeddings) {
        head_ = tokens_->weight;
        weights.ignore("lm_head.weight");
    } else {
        head_ =
            register_parameter("lm_head", weights.take("lm_head.weight", {options.vocabulary, options.width}), false);
    }
    if (options.rounds_embedding_scale)
        embedding_scale_ = at::scalar_tensor(embedding_scale_, at::TensorOptions(head_.scalar_type())).item<double>();
}

FERRY_INLINE at::Tensor Decoder::embedded(const at::Tensor& input_ids) const {
    const at::Tensor x = tokens_->forward(input_ids);
    return embedding_scale_ == 1 ? x : x * embedding_scale_;
}

FERRY_INLINE at::Tensor Decoder::logits(const at::Tensor& x) const {
    at::Tensor made = at::linear(x, head_);
    if (options().logit_divisor != 1) made = made / options().logit_divisor;
    return options().logit_cap ? capped(made, *options().logit_cap) : made;
}

FERRY_INLINE CausalOutput Decoder::forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                           const at::Tensor& position_ids, Cache past_key_values) {
    CausalHiddenOutput made =
        body_->forward(embedded(input_ids), attention_mask, position_ids, std::move(past_key_values));
    return {logits(made.last_hidden_state), std::move(made.past_key_values)};
}

}  // namespace ferry::models
