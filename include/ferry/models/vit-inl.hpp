#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/labels.hpp>
#include <ferry/models/vit.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::models {
namespace detail {

inline constexpr VisionLayerNames vit_layer_names{.norm_before = "layernorm_before",
                                                  .query = "attention.attention.query",
                                                  .key = "attention.attention.key",
                                                  .value = "attention.attention.value",
                                                  .output = "attention.output.dense",
                                                  .norm_after = "layernorm_after",
                                                  .mlp_out = "intermediate.dense",
                                                  .mlp_back = "output.dense"};

}  // namespace detail

FERRY_INLINE VitOptions VitOptions::read(ConfigReader& config) {
    VitOptions made;
    made.patches = PatchOptions::read(config, made.patches);
    made.encoder = VisionEncoderOptions::read(config, made.encoder);
    VisionLayerOptions& layer = made.encoder.layer;
    layer.head_size = config.integer("head_dim", layer.head_size);
    layer.has_bias = config.flag("qkv_bias", true);
    made.pooler_width = config.integer("pooler_output_size", 0);
    if (made.pooler_width == 0) made.pooler_width = layer.width;
    made.pooler_activation = config.text("pooler_act", made.pooler_activation);
    made.labels = label_count(config);
    config.ignore({"encoder_stride"});  // of a head that paints images
    return made;
}

FERRY_INLINE VitOptions VitOptions::read_distilled(ConfigReader& config) {
    VitOptions made = read(config);
    made.tokens.emplace_back("distillation_token");
    made.name = "deit";
    return made;
}

FERRY_INLINE Vit::Vit(const Weights& weights, const VitOptions& options) : patches_(options.patches) {
    const Weights embeddings = weights / "embeddings";
    const std::int64_t width = options.encoder.layer.width;
    embeddings.ignore("mask_token");  // of training
    for (const std::string& name : options.tokens)
        tokens_.push_back(register_parameter(name, embeddings.take(name, {1, 1, width}), false));
    const std::int64_t count = patches_.count() + static_cast<std::int64_t>(tokens_.size());
    positions_ =
        register_parameter("position_embeddings", embeddings.take("position_embeddings", {1, count, width}), false);
    embedding_ = register_module(
        "patch_embeddings", std::make_shared<PatchEmbedding>(embeddings / "patch_embeddings" / "projection", patches_,
                                                             width, /*has_bias=*/true));
    encoder_ = register_module("encoder", std::make_shared<VisionEncoder>(weights / "encoder" / "layer",
                                                                          detail::vit_layer_names, options.encoder));
    norm_ = register_module("layernorm",
                            std::make_shared<LayerNorm>(weights / "layernorm", width, options.encoder.layer.epsilon));
}

FERRY_INLINE at::Tensor Vit::forward(const at::Tensor& pixel_values) const {
    check_image_size(pixel_values, patches_);
    std::vector<at::Tensor> all;
    all.reserve(tokens_.size() + 1);
    for (const at::Tensor& token : tokens_) all.push_back(token.expand({pixel_values.size(0), -1, -1}));
    all.push_back(embedding_->forward(pixel_values));
    return norm_->forward(encoder_->forward(at::cat(all, 1) + positions_));
}

FERRY_INLINE VitWithPooler::VitWithPooler(const Weights& weights, const VitOptions& options)
    : encoder_(register_module(options.name, std::make_shared<Vit>(weights, options))),
      activation_(activation(options.pooler_activation)) {
    const Weights dense = weights / "pooler" / "dense";
    if (dense.has("weight"))
        pooler_ = register_module("pooler", std::make_shared<Linear>(dense, options.encoder.layer.width,
                                                                     options.pooler_width, /*has_bias=*/true));
}

FERRY_INLINE PooledOutput VitWithPooler::forward(const at::Tensor& pixel_values) const {
    const at::Tensor hidden = encoder_->forward(pixel_values);
    return {hidden, pooler_ ? activation_(pooler_->forward(hidden.select(1, 0))) : at::Tensor()};
}

FERRY_INLINE VitClassifier::VitClassifier(const Weights& weights, const VitOptions& options)
    : encoder_(register_module(options.name, std::make_shared<Vit>(weights / options.name, options))),
      classifier_(register_module(
          "classifier",
          std::make_shared<Classifier>(weights / "classifier", options.encoder.layer.width, options.labels))) {}

FERRY_INLINE LogitsOutput VitClassifier::forward(const at::Tensor& pixel_values) const {
    return {classifier_->forward(encoder_->forward(pixel_values).select(1, 0))};
}

FERRY_INLINE DistilledVitClassifier::DistilledVitClassifier(const Weights& weights, const VitOptions& options)
    : encoder_(register_module(options.name, std::make_shared<Vit>(weights / options.name, options))) {
    const auto add = [&](const char* name) {
        return register_module(
            name, std::make_shared<Classifier>(weights / name, options.encoder.layer.width, options.labels));
    };
    classifier_ = add("cls_classifier");
    distilled_ = add("distillation_classifier");
}

FERRY_INLINE DistilledOutput DistilledVitClassifier::forward(const at::Tensor& pixel_values) const {
    const at::Tensor hidden = encoder_->forward(pixel_values);
    const at::Tensor of_class = classifier_->forward(hidden.select(1, 0));
    const at::Tensor of_teacher = distilled_->forward(hidden.select(1, 1));
    return {(of_class + of_teacher) / 2, of_class, of_teacher};
}

}  // namespace ferry::models
