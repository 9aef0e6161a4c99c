#pragma once

#include <ferry/core/names.hpp>
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

struct ClipVisionOptions : VisionTowerOptions {
    /// Of a checkpoint's config.json, or of the `vision_config` in it.
    [[nodiscard]] static ClipVisionOptions read(ConfigReader& config);
};

/// CLIP's encoder of images.
class ClipVision : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    ClipVision(const Weights& weights, const ClipVisionOptions& options);

    [[nodiscard]] PooledOutput forward(const at::Tensor& pixel_values) const;
    /// Those before the last norm, of the class token and all patches, numbered as VisionEncoder does.
    [[nodiscard]] std::vector<at::Tensor> hidden_states(const at::Tensor& pixel_values) const {
        return encoder_->hidden_states(embedded(pixel_values));
    }
    [[nodiscard]] at::Tensor hidden_state(const at::Tensor& pixel_values, std::int64_t number) const {
        return encoder_->hidden_state(embedded(pixel_values), number);
    }

private:
    [[nodiscard]] at::Tensor embedded(const at::Tensor& pixel_values) const {
        return before_->forward(embeddings_->forward(pixel_values));
    }

    std::shared_ptr<TowerEmbeddings> embeddings_;
    std::shared_ptr<VisionEncoder> encoder_;
    std::shared_ptr<LayerNorm> before_, after_;
};

struct ClipVisionModel {
    using Model = ClipVision;
    static constexpr std::string_view architecture = "CLIPVisionModel";
    [[nodiscard]] static ClipVisionOptions options(ConfigReader& config) { return ClipVisionOptions::read(config); }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/clip_vision-inl.hpp>
#endif
