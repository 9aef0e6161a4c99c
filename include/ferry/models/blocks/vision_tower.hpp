#pragma once

#include <ferry/models/blocks/patch_embedding.hpp>
#include <ferry/models/blocks/vision_encoder.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>

namespace ferry::models {

/// What CLIP's and SigLIP's encoders of images have in common, alone or as a part of models that see.
struct VisionTowerOptions {
    PatchOptions patches{.image = {224, 224}, .patch = {16, 16}};
    VisionEncoderOptions encoder{};
};

inline constexpr VisionLayerNames tower_layer_names{.norm_before = "layer_norm1",
                                                    .query = "self_attn.q_proj",
                                                    .key = "self_attn.k_proj",
                                                    .value = "self_attn.v_proj",
                                                    .output = "self_attn.out_proj",
                                                    .norm_after = "layer_norm2",
                                                    .mlp_out = "mlp.fc1",
                                                    .mlp_back = "mlp.fc2"};

/// Older versions of transformers have another level around a tower.
[[nodiscard]] inline Weights tower_weights(const Weights& weights) {
    const Weights inside = weights / "vision_model";
    return inside.has("embeddings.patch_embedding.weight") ? inside : weights;
}

/// Patches and their places, maybe with a token for all of them in front.
class TowerEmbeddings : public torch::nn::Module {
public:
    TowerEmbeddings(const Weights& weights, const VisionTowerOptions& options, bool has_class, bool has_bias)
        : patches_(options.patches) {
        const std::int64_t width = options.encoder.layer.width;
        weights.ignore("position_ids");  // older versions of transformers wrote that they go up from 0
        embedding_ = register_module("patch_embedding", std::make_shared<PatchEmbedding>(weights / "patch_embedding",
                                                                                         patches_, width, has_bias));
        positions_ = register_parameter(
            "position_embedding",
            weights.take("position_embedding.weight", {patches_.count() + (has_class ? 1 : 0), width}), false);
        if (has_class) class_ = register_parameter("class_embedding", weights.take("class_embedding", {width}), false);
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& pixel_values) const {
        check_image_size(pixel_values, patches_);
        const at::Tensor patches = embedding_->forward(pixel_values);
        if (!class_.defined()) return patches + positions_;
        return at::cat({class_.expand({pixel_values.size(0), 1, -1}), patches}, 1) + positions_;
    }

private:
    PatchOptions patches_;
    std::shared_ptr<PatchEmbedding> embedding_;
    at::Tensor positions_, class_;
};

}  // namespace ferry::models
