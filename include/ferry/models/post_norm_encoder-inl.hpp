#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/module_name.hpp>
#include <ferry/models/post_norm_encoder.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry::models {

FERRY_INLINE PostNormEncoder::Options PostNormEncoder::Options::read(ConfigReader& config) {
    Options made;
    made.layer.width = config.integer("hidden_size");
    made.layer.inner = config.integer("intermediate_size");
    made.layer.heads = config.integer("num_attention_heads");
    made.layer.activation = config.text("hidden_act", "gelu");
    made.layer.epsilon = config.real("layer_norm_eps", 1e-12);
    made.embeddings.vocabulary = config.integer("vocab_size");
    made.embeddings.positions = config.integer("max_position_embeddings");
    made.embeddings.types = config.integer("type_vocab_size", 2);
    made.embeddings.width = made.layer.width;
    made.embeddings.epsilon = made.layer.epsilon;
    config.expect("position_embedding_type", "absolute");
    return made;
}

FERRY_INLINE void PostNormEncoder::Options::add_layers(const std::string& name, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) layers.push_back(name + "." + std::to_string(i));
}

FERRY_INLINE PostNormEncoder::PostNormEncoder(const Weights& weights, const Options& options) {
    const EncoderLayerOptions& layer = options.layer;
    embeddings_ =
        register_module("embeddings", std::make_shared<EncoderEmbeddings>(weights / "embeddings", options.embeddings));
    if (!options.widening.empty())
        widening_ = register_module(module_name(options.widening),
                                    std::make_shared<Linear>(weights / options.widening, options.embeddings.width,
                                                             layer.width, /*has_bias=*/true));
    std::vector<std::shared_ptr<EncoderLayer>> layers;
    layers.reserve(options.layers.size());
    for (const std::string& name : options.layers)
        layers.push_back(register_module(module_name(name), std::make_shared<EncoderLayer>(weights / name, layer)));
    for (const std::size_t step : options.steps) steps_.push_back(layers.at(step));
    if (options.steps.empty()) steps_ = std::move(layers);
}

FERRY_INLINE at::Tensor PostNormEncoder::forward(const at::Tensor& input_ids, const MaybeTensor& attention_mask,
                                                 const MaybeTensor& token_type_ids) const {
    at::Tensor x = embeddings_->forward(input_ids, token_type_ids);
    if (widening_) x = widening_->forward(x);
    const MaybeTensor seen = seen_tokens(attention_mask);
    for (const auto& layer : steps_) x = layer->forward(x, seen);
    return x;
}

}  // namespace ferry::models
