#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/decoder.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::models {

FERRY_INLINE DecoderOptions DecoderOptions::read(ConfigReader& config) {
    DecoderOptions made{.vocabulary = config.integer("vocab_size"),
                        .width = config.integer("hidden_size"),
                        .inner = config.integer("intermediate_size"),
                        .layers = config.integer("num_hidden_layers")};
    made.epsilon = config.real("rms_norm_eps", 1e-6);
    made.activation = config.text("hidden_act", "silu");
    made.ties_embeddings = config.flag("tie_word_embeddings", false);
    AttentionOptions& attention = made.attention;
    attention.width = made.width;
    attention.heads = config.integer("num_attention_heads");
    attention.key_heads = config.integer("num_key_value_heads", attention.heads);
    if (attention.heads <= 0 || attention.key_heads <= 0 || attention.heads % attention.key_heads != 0)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(attention.heads) + " heads cannot share " +
                                             std::to_string(attention.key_heads) + " of keys and values");
    attention.head_size = config.integer("head_dim", made.width / attention.heads);
    attention.epsilon = made.epsilon;
    made.rotary = RotaryOptions::read(config, attention.head_size);
    for (const std::string& type : config.texts("layer_types")) {
        if (type != "full_attention" && type != "sliding_attention")
            throw Error(ErrorKind::unsupported, "config.json: layers of the type '" + type + "' are not supported");
        made.is_sliding.push_back(type == "sliding_attention");
    }
    if (!made.is_sliding.empty() && made.is_sliding.size() != static_cast<std::size_t>(made.layers))
        throw Error(ErrorKind::bad_file, "config.json: 'layer_types' does not speak of every layer");
    return made;
}

FERRY_INLINE at::Tensor seen_tokens(const at::Tensor& attention_mask, std::int64_t past, std::int64_t count,
                                    std::optional<std::int64_t> window) {
    const at::TensorOptions options(attention_mask.device());
    const at::Tensor all = at::arange(past + count, options),
                     fresh = at::arange(past, past + count, options).unsqueeze(1);
    at::Tensor seen = all <= fresh;
    if (window) seen = seen.logical_and(all > fresh - *window);
    return seen.logical_and(attention_mask.to(at::kBool).unsqueeze(1).unsqueeze(1));
}

FERRY_INLINE Decoder::Decoder(const Weights& weights, DecoderOptions options) : options_(std::move(options)) {
    const Weights model = weights / "model";
    tokens_ = register_module("embed_tokens",
                              std::make_shared<Embedding>(model / "embed_tokens", options_.vocabulary, options_.width));
    for (std::int64_t i = 0; i < options_.layers; ++i)
        layers_.push_back(register_module("layers_" + std::to_string(i),
                                          std::make_shared<DecoderLayer>(model / "layers" / i, options_, i)));
    norm_ = register_module("norm", std::make_shared<RmsNorm>(model / "norm", options_.width, options_.epsilon));
    rotary_ = register_module("rotary_emb", std::make_shared<Rotary>(options_.rotary));
    if (options_.ties_embeddings) {
        head_ = tokens_->weight;
        weights.ignore("lm_head.weight");
    } else {
        head_ =
            register_parameter("lm_head", weights.take("lm_head.weight", {options_.vocabulary, options_.width}), false);
    }
}

FERRY_INLINE CausalOutput<DynamicCache> Decoder::forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                                         const at::Tensor& position_ids, DynamicCache past_key_values) {
    const std::int64_t past = past_key_values.length(), count = input_ids.size(1);
    at::Tensor x = tokens_->forward(input_ids);
    const Rotary::Turns turns = rotary_->forward(position_ids, x.scalar_type());
    at::Tensor in_window, in_all;
    for (const auto& layer : layers_) {
        at::Tensor& seen = layer->slides() ? in_window : in_all;
        if (!seen.defined())
            seen = seen_tokens(attention_mask, past, count, layer->slides() ? options_.window : std::nullopt);
        x = layer->forward(x, turns, seen, past_key_values);
    }
    return {at::linear(norm_->forward(x), head_), std::move(past_key_values)};
}

}  // namespace ferry::models
