#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/models/siglip_vision.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <cstdint>
#include <memory>

namespace ferry::models {

FERRY_INLINE SiglipVisionOptions SiglipVisionOptions::read(ConfigReader& config) {
    SiglipVisionOptions made;
    made.patches = PatchOptions::read(config, made.patches);
    made.encoder.layer.activation = "gelu_pytorch_tanh";
    made.encoder = VisionEncoderOptions::read(config, made.encoder);
    made.has_head = config.flag("vision_use_head", true);
    // Of what stands behind it or beside it.
    config.ignore({"projection_dim", "vocab_size", "num_image_tokens", "projector_hidden_act"});
    return made;
}

FERRY_INLINE AttentionPooling::AttentionPooling(const Weights& weights, const VisionLayerOptions& options)
    : width_(options.width), heads_(options.heads) {
    const Weights attention = weights / "attention";
    probe_ = register_parameter("probe", weights.take("probe", {1, 1, width_}), false);
    weight_ = register_parameter("in_proj_weight", attention.take("in_proj_weight", {3 * width_, width_}), false);
    bias_ = register_parameter("in_proj_bias", attention.take("in_proj_bias", {3 * width_}), false);
    output_ = register_module("out_proj", std::make_shared<Linear>(attention / "out_proj", width_, width_, true));
    norm_ = register_module("layernorm", std::make_shared<LayerNorm>(weights / "layernorm", width_, options.epsilon));
    const MlpOptions mlp{width_, options.inner, /*has_bias=*/true, options.activation};
    mlp_ = register_module("mlp", std::make_shared<Mlp>(weights / "mlp" / "fc1", weights / "mlp" / "fc2", mlp));
}

FERRY_INLINE at::Tensor AttentionPooling::projected(const at::Tensor& x, std::int64_t part) const {
    const std::int64_t from = part * width_, to = from + width_;
    return in_heads(at::linear(x, weight_.slice(0, from, to), bias_.slice(0, from, to)), heads_, width_ / heads_);
}

FERRY_INLINE at::Tensor AttentionPooling::forward(const at::Tensor& x) const {
    const at::Tensor query = projected(probe_.expand({x.size(0), -1, -1}), 0);
    const at::Tensor found = at::scaled_dot_product_attention(query, projected(x, 1), projected(x, 2));
    const at::Tensor pooled = output_->forward(side_by_side(found)).select(1, 0);
    return pooled + mlp_->forward(norm_->forward(pooled));
}

FERRY_INLINE SiglipVision::SiglipVision(const Weights& all, const SiglipVisionOptions& options) {
    const Weights weights = tower_weights(all);
    const VisionLayerOptions& layer = options.encoder.layer;
    embeddings_ = register_module("embeddings", std::make_shared<TowerEmbeddings>(weights / "embeddings", options,
                                                                                  /*has_class=*/false,
                                                                                  /*has_bias=*/true));
    encoder_ = register_module(
        "encoder", std::make_shared<VisionEncoder>(weights / "encoder" / "layers", tower_layer_names, options.encoder));
    norm_ = register_module("post_layernorm",
                            std::make_shared<LayerNorm>(weights / "post_layernorm", layer.width, layer.epsilon));
    if (options.has_head) head_ = register_module("head", std::make_shared<AttentionPooling>(weights / "head", layer));
}

FERRY_INLINE PooledOutput SiglipVision::forward(const at::Tensor& pixel_values) const {
    const at::Tensor hidden = norm_->forward(encoder_->forward(embeddings_->forward(pixel_values)));
    return {hidden, head_ ? head_->forward(hidden) : at::Tensor()};
}

}  // namespace ferry::models
