#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/finite.hpp>
#include <ferry/models/blocks/sight.hpp>
#include <ferry/models/t5.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace ferry::models {
namespace detail {

/// A mask of tokens that are no padding, for scores of [batch, heads, queries, keys].
[[nodiscard]] inline std::optional<at::Tensor> seen_keys(const at::Tensor& attention_mask) {
    if (!attention_mask.defined()) return std::nullopt;
    return attention_mask.to(at::kBool).unsqueeze(1).unsqueeze(1);
}

/// A matrix under its own name, or where the checkpoint has it once for several uses.
[[nodiscard]] inline Weights own_or_shared(const Weights& weights, std::string_view own) {
    if (!(weights / own).has("weight")) return weights / "shared";
    weights.ignore("shared.weight");
    return weights / own;
}

}  // namespace detail

FERRY_INLINE T5Options T5Options::read(ConfigReader& config) {
    T5Options made{.vocabulary = config.integer("vocab_size"),
                   .width = config.integer("d_model"),
                   .inner = config.integer("d_ff"),
                   .encoder_layers = config.layers("num_layers")};
    made.decoder_layers = config.layers("num_decoder_layers", made.encoder_layers);
    made.attention = {.width = made.width,
                      .heads = config.integer("num_heads"),
                      .head_size = config.integer("d_kv"),
                      .names = {"q", "k", "v", "o"}};
    made.buckets = config.integer("relative_attention_num_buckets", made.buckets);
    made.max_distance = config.integer("relative_attention_max_distance", made.max_distance);
    made.epsilon = config.real("layer_norm_epsilon", made.epsilon);

    const std::string form = config.text("feed_forward_proj", "relu"), gate = "gated-";
    made.is_gated = config.flag("is_gated_act", form.starts_with(gate));
    made.activation = form == "gated-gelu" ? "gelu_new" : form.starts_with(gate) ? form.substr(gate.size()) : form;
    made.activation = config.text("dense_act_fn", made.activation);
    // "Tied" is only how older files say it: what the matrix behind the decoder is, is seen from the weights.
    made.scales_output = config.flag("scale_decoder_outputs", config.flag("tie_word_embeddings", true));
    config.expect("is_decoder", false);
    config.ignore({"dropout_rate", "n_positions", "output_past", "task_specific_params", "decoder_start_token_id",
                   "gradient_checkpointing"});
    return made;
}

FERRY_INLINE T5FeedForward::T5FeedForward(const Weights& weights, const T5Options& options)
    : activation_(activation(options.activation)) {
    const auto add = [&](const char* name, std::int64_t from, std::int64_t to) {
        return register_module(name, std::make_shared<Linear>(weights / name, from, to));
    };
    in_ = add(options.is_gated ? "wi_0" : "wi", options.width, options.inner);
    if (options.is_gated) gated_ = add("wi_1", options.width, options.inner);
    out_ = add("wo", options.inner, options.width);
    if (out_->weight.scalar_type() == at::kHalf) out_->to(at::kFloat);  // its sums overflow
}

FERRY_INLINE at::Tensor T5FeedForward::forward(const at::Tensor& x) const {
    at::Tensor inner = activation_(in_->forward(x));
    if (gated_) inner = inner * gated_->forward(x);
    return out_->forward(inner.to(out_->weight.scalar_type()));
}

FERRY_INLINE T5Block::T5Block(const Weights& weights, const T5Options& options, bool is_decoder) {
    const Weights layers = weights / "layer";
    std::int64_t layer = 0;
    const auto add_norm = [&] {
        return register_module(
            "layer_" + std::to_string(layer) + "_layer_norm",
            std::make_shared<RmsNorm>(layers / layer / "layer_norm", options.width, options.epsilon));
    };
    const auto add_attention = [&](const char* name) {
        return register_module(name, std::make_shared<SourceAttention>(layers / layer / name, options.attention));
    };
    before_self_ = add_norm();
    self_ = add_attention("SelfAttention");
    if (is_decoder) {
        ++layer;
        before_cross_ = add_norm();
        cross_ = add_attention("EncDecAttention");
    }
    ++layer;
    before_feed_forward_ = add_norm();
    feed_forward_ =
        register_module("DenseReluDense", std::make_shared<T5FeedForward>(layers / layer / "DenseReluDense", options));
}

FERRY_INLINE at::Tensor T5Block::fed_forward(const at::Tensor& x) const {
    return finite(x + feed_forward_->forward(before_feed_forward_->forward(x)));
}

FERRY_INLINE at::Tensor T5Block::forward(const at::Tensor& x, const at::Tensor& bias) const {
    const at::Tensor normal = before_self_->forward(x);
    return fed_forward(finite(x + self_->forward(normal, self_->read(normal), bias)));
}

template <class Cache>
at::Tensor T5Block::forward(at::Tensor x, const Sources& sources, Cache& cache, std::size_t layer) const {
    const at::Tensor normal = before_self_->forward(x);
    const auto [key, value] = self_->read(normal);
    x = finite(
        x + self_->forward(normal, cache.self_attention_cache.update(key, value, layer, sources.places), sources.bias));
    const auto encoded = cache.cross(layer, [&] { return cross_->read(sources.encoded); });
    return fed_forward(finite(x + cross_->forward(before_cross_->forward(x), encoded, sources.encoded_seen)));
}

FERRY_INLINE T5Stack::T5Stack(const Weights& weights, const T5Options& options, bool is_decoder) {
    const std::string name = is_decoder ? "decoder" : "encoder";
    const Weights own = weights / name, blocks = own / "block";
    tokens_ = register_module("embed_tokens",
                              std::make_shared<Embedding>(detail::own_or_shared(weights, name + ".embed_tokens"),
                                                          options.vocabulary, options.width));
    bias_ = register_module("relative_attention_bias",
                            std::make_shared<RelativeBias>(blocks / 0 / "layer.0.SelfAttention.relative_attention_bias",
                                                           RelativeBiasOptions{.heads = options.attention.heads,
                                                                               .buckets = options.buckets,
                                                                               .max_distance = options.max_distance,
                                                                               .looks_ahead = !is_decoder}));
    const std::int64_t count = is_decoder ? options.decoder_layers : options.encoder_layers;
    for (std::int64_t i = 0; i < count; ++i)
        blocks_.push_back(
            register_module("block_" + std::to_string(i), std::make_shared<T5Block>(blocks / i, options, is_decoder)));
    norm_ = register_module("final_layer_norm",
                            std::make_shared<RmsNorm>(own / "final_layer_norm", options.width, options.epsilon));
}

FERRY_INLINE HiddenOutput T5Encoder::forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) const {
    const std::int64_t count = input_ids.size(1);
    at::Tensor bias = bias_->forward(at::arange(count, at::TensorOptions(input_ids.device())), count);
    if (const auto seen = detail::seen_keys(attention_mask)) bias = only_seen(bias, *seen);
    at::Tensor x = tokens_->forward(input_ids);
    for (const auto& block : blocks_) x = block->forward(x, bias);
    return {norm_->forward(x)};
}

template <class Cache>
at::Tensor T5Decoder::forward(const at::Tensor& ids, const at::Tensor& encoded, const at::Tensor& attention_mask,
                              Cache& cache) const {
    const std::int64_t count = ids.size(1), all = cache.self_attention_cache.length_with(count);
    const at::Tensor places = cache.self_attention_cache.places(count, ids.device());
    const T5Block::Sources sources{.places = places,
                                   .bias = only_seen(bias_->forward(places, all), seen_so_far(places, all)),
                                   .encoded = encoded,
                                   .encoded_seen = detail::seen_keys(attention_mask)};
    at::Tensor x = tokens_->forward(ids);
    for (std::size_t i = 0; i < blocks_.size(); ++i) x = blocks_[i]->forward(x, sources, cache, i);
    cache.self_attention_cache.advance(count);
    return norm_->forward(x);
}

FERRY_INLINE T5::T5(const Weights& weights, const T5Options& options)
    : encoder(register_module("encoder", std::make_shared<T5Encoder>(weights, options))),
      options_(options),
      decoder_(register_module("decoder", std::make_shared<T5Decoder>(weights, options))),
      head_(decoder_->embeddings()) {
    weights.ignore("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight");
    if (weights.has("lm_head.weight"))
        head_ =
            register_parameter("lm_head", weights.take("lm_head.weight", {options.vocabulary, options.width}), false);
}

FERRY_INLINE EncoderDecoderOutput T5::forward(const at::Tensor& decoder_input_ids,
                                              const at::Tensor& encoder_hidden_states, const at::Tensor& attention_mask,
                                              AnyEncoderDecoderCache past_key_values) const {
    at::Tensor x = std::visit(
        [&](auto& cache) { return decoder_->forward(decoder_input_ids, encoder_hidden_states, attention_mask, cache); },
        past_key_values);
    if (options_.scales_output) x = x * (1 / std::sqrt(static_cast<double>(options_.width)));
    return {at::linear(x, head_), std::move(past_key_values)};
}

FERRY_INLINE StaticEncoderDecoderCache T5::static_cache(std::int64_t batch, std::int64_t length) const {
    return {StaticCache::make(options_.decoder_layers,
                              {batch, options_.attention.heads, length, options_.attention.head_size},
                              head_.scalar_type(), head_.device()),
            {}};
}

}  // namespace ferry::models
