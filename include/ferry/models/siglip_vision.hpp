#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/vision_tower.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/outputs.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ferry::models {

struct SiglipVisionOptions : VisionTowerOptions {
    bool has_head = true;  ///< that makes one vector of all patches

    /// Of a checkpoint's config.json, or of the `vision_config` in it.
    [[nodiscard]] static SiglipVisionOptions read(ConfigReader& config);
};

/// One learned question to all patches.
class AttentionPooling : public torch::nn::Module {
public:
    AttentionPooling(const Weights& weights, const VisionLayerOptions& options);
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const;

private:
    [[nodiscard]] at::Tensor projected(const at::Tensor& x, std::int64_t part) const;

    std::int64_t width_, heads_;
    at::Tensor probe_, weight_, bias_;  // of queries, keys and values, one below the other
    std::shared_ptr<Linear> output_;
    std::shared_ptr<LayerNorm> norm_;
    std::shared_ptr<Mlp> mlp_;
};

/// SigLIP's encoder of images.
class SiglipVision : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    SiglipVision(const Weights& weights, const SiglipVisionOptions& options);

    [[nodiscard]] PooledOutput forward(const at::Tensor& pixel_values) const;
    /// Those before the last norm, numbered as VisionEncoder does.
    [[nodiscard]] std::vector<at::Tensor> hidden_states(const at::Tensor& pixel_values) const {
        return encoder_->hidden_states(embeddings_->forward(pixel_values));
    }
    [[nodiscard]] at::Tensor hidden_state(const at::Tensor& pixel_values, std::int64_t number) const {
        return encoder_->hidden_state(embeddings_->forward(pixel_values), number);
    }

private:
    std::shared_ptr<TowerEmbeddings> embeddings_;
    std::shared_ptr<VisionEncoder> encoder_;
    std::shared_ptr<LayerNorm> norm_;
    std::shared_ptr<AttentionPooling> head_;
};

struct SiglipVisionModel {
    using Model = SiglipVision;
    static constexpr std::string_view architecture = "SiglipVisionModel";
    [[nodiscard]] static SiglipVisionOptions options(ConfigReader& config) { return SiglipVisionOptions::read(config); }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/siglip_vision-inl.hpp>
#endif
