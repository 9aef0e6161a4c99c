#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/finite.hpp>
#include <ferry/models/blocks/heads.hpp>
#include <ferry/models/blocks/sight.hpp>
#include <ferry/models/whisper.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
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

inline constexpr double whisper_epsilon = 1e-5;
inline constexpr std::int64_t whisper_stride = 2;  // of the second convolution

[[nodiscard]] inline WhisperStackOptions whisper_stack(ConfigReader& config, const std::string& which,
                                                       std::string_view positions) {
    const WhisperStackOptions made{.layers = config.layers(which + "_layers"),
                                   .heads = config.integer(which + "_attention_heads"),
                                   .inner = config.integer(which + "_ffn_dim"),
                                   .positions = config.integer(positions)};
    config.ignore({which + "_layerdrop"});
    return made;
}

}  // namespace detail

FERRY_INLINE WhisperOptions WhisperOptions::read(ConfigReader& config) {
    WhisperOptions made{.vocabulary = config.integer("vocab_size"),
                        .width = config.integer("d_model"),
                        .bins = config.integer("num_mel_bins")};
    made.encoder = detail::whisper_stack(config, "encoder", "max_source_positions");
    made.decoder = detail::whisper_stack(config, "decoder", "max_target_positions");
    made.activation = config.text("activation_function", made.activation);
    made.ties_embeddings = config.flag("tie_word_embeddings", true);
    config.expect("is_encoder_decoder", true);
    config.expect("num_hidden_layers", made.encoder.layers);
    // transformers has scale_embedding in the config, and scales nothing by it.
    config.ignore({"scale_embedding", "dropout", "activation_dropout", "init_std", "apply_spec_augment",
                   "mask_time_prob", "mask_time_length", "mask_time_min_masks", "mask_feature_prob",
                   "mask_feature_length", "mask_feature_min_masks", "use_weighted_layer_sum", "classifier_proj_size",
                   "median_filter_width", "decoder_start_token_id", "forced_decoder_ids", "suppress_tokens",
                   "begin_suppress_tokens", "max_length"});
    return made;
}

FERRY_INLINE WhisperLayer::WhisperLayer(const Weights& weights, const WhisperOptions& options, bool is_decoder) {
    const WhisperStackOptions& stack = is_decoder ? options.decoder : options.encoder;
    const std::int64_t size = head_size(options.width, stack.heads);
    const SourceAttentionOptions attention{.width = options.width,
                                           .heads = stack.heads,
                                           .head_size = size,
                                           .scale = 1 / std::sqrt(static_cast<double>(size)),
                                           .has_bias = true};
    const auto add_norm = [&](const char* name) {
        return register_module(name,
                               std::make_shared<LayerNorm>(weights / name, options.width, detail::whisper_epsilon));
    };
    self_ = register_module("self_attn", std::make_shared<SourceAttention>(weights / "self_attn", attention));
    before_self_ = add_norm("self_attn_layer_norm");
    if (is_decoder) {
        cross_ =
            register_module("encoder_attn", std::make_shared<SourceAttention>(weights / "encoder_attn", attention));
        before_cross_ = add_norm("encoder_attn_layer_norm");
    }
    mlp_ = register_module(
        "mlp", std::make_shared<Mlp>(weights / "fc1", weights / "fc2",
                                     MlpOptions{options.width, stack.inner, /*has_bias=*/true, options.activation}));
    before_mlp_ = add_norm("final_layer_norm");
}

FERRY_INLINE at::Tensor WhisperLayer::forward(at::Tensor x) const {
    const at::Tensor normal = before_self_->forward(x);
    x = x + self_->forward(normal, self_->read(normal), std::nullopt);
    return finite(x + mlp_->forward(before_mlp_->forward(x)));
}

template <class Cache>
at::Tensor WhisperLayer::forward(at::Tensor x, const Sources& sources, Cache& cache, std::size_t layer) const {
    const at::Tensor normal = before_self_->forward(x);
    const auto [key, value] = self_->read(normal);
    x = x + self_->forward(normal, cache.self_attention_cache.update(key, value, layer, sources.places), sources.seen);
    const auto encoded = cache.cross(layer, [&] { return cross_->read(sources.encoded); });
    x = x + cross_->forward(before_cross_->forward(x), encoded, std::nullopt);
    return x + mlp_->forward(before_mlp_->forward(x));
}

FERRY_INLINE WhisperStack::WhisperStack(const Weights& weights, const WhisperOptions& options, bool is_decoder) {
    const WhisperStackOptions& stack = is_decoder ? options.decoder : options.encoder;
    positions_ = register_module(
        "embed_positions", std::make_shared<Embedding>(weights / "embed_positions", stack.positions, options.width));
    for (std::int64_t i = 0; i < stack.layers; ++i)
        layers_.push_back(register_module("layers_" + std::to_string(i),
                                          std::make_shared<WhisperLayer>(weights / "layers" / i, options, is_decoder)));
    norm_ = register_module(
        "layer_norm", std::make_shared<LayerNorm>(weights / "layer_norm", options.width, detail::whisper_epsilon));
}

FERRY_INLINE WhisperEncoder::WhisperEncoder(const Weights& weights, const WhisperOptions& options)
    : WhisperStack(weights, options, /*is_decoder=*/false) {
    const auto add = [&](const char* name, std::int64_t from, std::int64_t stride) {
        return register_module(
            name,
            std::make_shared<Convolution1d>(
                weights / name,
                ConvolutionOptions{.from = from, .to = options.width, .size = 3, .stride = stride, .padding = 1}));
    };
    first_ = add("conv1", options.bins, 1);
    second_ = add("conv2", options.width, detail::whisper_stride);
}

FERRY_INLINE HiddenOutput WhisperEncoder::forward(const at::Tensor& input_features) const {
    if (const std::int64_t frames = positions_->weight.size(0) * detail::whisper_stride;
        input_features.size(-1) != frames)
        throw Error(
            ErrorKind::invalid_input,
            "the encoder takes " + std::to_string(frames) + " frames, not " + std::to_string(input_features.size(-1)),
            {.hint = "pad the sound with silence"});
    at::Tensor x = at::gelu(second_->forward(at::gelu(first_->forward(input_features))));
    x = x.transpose(1, 2) + positions_->weight;
    for (const auto& layer : layers_) x = layer->forward(x);
    return {norm_->forward(x)};
}

FERRY_INLINE WhisperDecoder::WhisperDecoder(const Weights& weights, const WhisperOptions& options)
    : WhisperStack(weights, options, /*is_decoder=*/true),
      tokens_(register_module(
          "embed_tokens", std::make_shared<Embedding>(weights / "embed_tokens", options.vocabulary, options.width))) {}

template <class Cache>
at::Tensor WhisperDecoder::forward(const at::Tensor& ids, const at::Tensor& encoded, Cache& cache) const {
    const std::int64_t count = ids.size(1);
    const at::Tensor places = cache.self_attention_cache.places(count, ids.device());
    const WhisperLayer::Sources sources{.places = places,
                                        .seen = seen_so_far(places, cache.self_attention_cache.length_with(count)),
                                        .encoded = encoded};
    at::Tensor x = tokens_->forward(ids) + positions_->forward(places);
    for (std::size_t i = 0; i < layers_.size(); ++i) x = layers_[i]->forward(x, sources, cache, i);
    cache.self_attention_cache.advance(count);
    return norm_->forward(x);
}

FERRY_INLINE Whisper::Whisper(const Weights& weights, const WhisperOptions& options)
    : encoder(register_module("encoder", std::make_shared<WhisperEncoder>(weights / "model.encoder", options))),
      options_(options),
      decoder_(register_module("decoder", std::make_shared<WhisperDecoder>(weights / "model.decoder", options))),
      head_(decoder_->embeddings()) {
    if (!options.ties_embeddings || weights.has("proj_out.weight"))
        head_ =
            register_parameter("proj_out", weights.take("proj_out.weight", {options.vocabulary, options.width}), false);
}

FERRY_INLINE EncoderDecoderOutput Whisper::forward(const at::Tensor& decoder_input_ids,
                                                   const at::Tensor& encoder_hidden_states,
                                                   AnyEncoderDecoderCache past_key_values) const {
    const at::Tensor x =
        std::visit([&](auto& cache) { return decoder_->forward(decoder_input_ids, encoder_hidden_states, cache); },
                   past_key_values);
    return {at::linear(x, head_), std::move(past_key_values)};
}

FERRY_INLINE StaticEncoderDecoderCache Whisper::static_cache(std::int64_t batch, std::int64_t length) const {
    const WhisperStackOptions& stack = options_.decoder;
    return {StaticCache::make(stack.layers, {batch, stack.heads, length, head_size(options_.width, stack.heads)},
                              head_.scalar_type(), head_.device()),
            {}};
}

}  // namespace ferry::models
