#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/models/clip_vision.hpp>

#include <ATen/core/Tensor.h>

#include <memory>

namespace ferry::models {

FERRY_INLINE ClipVisionOptions ClipVisionOptions::read(ConfigReader& config) {
    ClipVisionOptions made;
    made.patches.patch = {32, 32};
    made.patches = PatchOptions::read(config, made.patches);
    made.encoder.layer.activation = "quick_gelu";
    made.encoder.layer.epsilon = 1e-5;
    made.encoder = VisionEncoderOptions::read(config, made.encoder);
    config.ignore({"projection_dim", "vocab_size"});  // of what stands behind it or beside it
    return made;
}

FERRY_INLINE ClipVision::ClipVision(const Weights& all, const ClipVisionOptions& options) {
    const Weights weights = tower_weights(all);
    const auto add_norm = [&](const char* name) {
        return register_module(name, std::make_shared<LayerNorm>(weights / name, options.encoder.layer.width,
                                                                 options.encoder.layer.epsilon));
    };
    embeddings_ = register_module("embeddings", std::make_shared<TowerEmbeddings>(weights / "embeddings", options,
                                                                                  /*has_class=*/true,
                                                                                  /*has_bias=*/false));
    before_ = add_norm("pre_layrnorm");  // transformers writes it so
    encoder_ = register_module(
        "encoder", std::make_shared<VisionEncoder>(weights / "encoder" / "layers", tower_layer_names, options.encoder));
    after_ = add_norm("post_layernorm");
}

FERRY_INLINE PooledOutput ClipVision::forward(const at::Tensor& pixel_values) const {
    const at::Tensor hidden = encoder_->forward(embedded(pixel_values));
    return {hidden, after_->forward(hidden.select(1, 0))};
}

}  // namespace ferry::models
