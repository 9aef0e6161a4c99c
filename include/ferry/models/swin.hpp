#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/blocks/classifier.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/patch_embedding.hpp>
#include <ferry/models/blocks/vision_encoder.hpp>
#include <ferry/models/blocks/window_attention.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/outputs.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ferry::models {

struct SwinOptions {
    PatchOptions patches{.image = {224, 224}, .patch = {4, 4}};
    VisionLayerOptions layer{.width = 96, .epsilon = 1e-5};  ///< of the first stage; each next one is twice as wide
    std::vector<std::int64_t> depths{2, 2, 6, 2}, heads{3, 6, 12, 24};  ///< of each stage
    double mlp_ratio = 4;
    std::int64_t window = 7;
    bool has_positions = false;
    std::int64_t labels = 2;

    [[nodiscard]] static SwinOptions read(ConfigReader& config);
    [[nodiscard]] VisionLayerOptions of_stage(std::size_t stage) const;
};

class SwinLayer : public torch::nn::Module {
public:
    SwinLayer(const Weights& weights, const VisionLayerOptions& options, std::int64_t window, bool is_shifted);
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, PatchGrid grid) const {
        return layer_->forward(x, [&](const VisionAttention& attention, const at::Tensor& normal) {
            return windows_->forward(attention, normal, grid);
        });
    }

private:
    std::shared_ptr<VisionLayer> layer_;
    std::shared_ptr<WindowAttention> windows_;
};

/// Four neighbours become one patch, twice as wide.
class PatchMerging : public torch::nn::Module {
public:
    PatchMerging(const Weights& weights, std::int64_t width);
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, PatchGrid grid) const;

private:
    std::shared_ptr<LayerNorm> norm_;
    std::shared_ptr<Linear> reduction_;
};

/// Images to hidden states, stage by stage of fewer and wider patches.
class Swin : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    Swin(const Weights& weights, const SwinOptions& options);

    /// Images of any size, those of config.json while it is exported; zeros at the right and lower edges fill up patches and windows.
    [[nodiscard]] PooledOutput forward(const at::Tensor& pixel_values) const;
    [[nodiscard]] std::int64_t width() const noexcept { return width_; }

private:
    struct Stage {
        std::vector<std::shared_ptr<SwinLayer>> layers;
        std::shared_ptr<PatchMerging> merging;  // none behind the last one
    };

    PatchOptions patches_;
    std::int64_t width_;
    std::shared_ptr<PatchEmbedding> embedding_;
    at::Tensor positions_;
    std::vector<Stage> stages_;
    std::shared_ptr<LayerNorm> first_norm_, last_norm_;
};

class SwinClassifier : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    SwinClassifier(const Weights& weights, const SwinOptions& options)
        : encoder_(register_module("swin", std::make_shared<Swin>(weights / "swin", options))),
          classifier_(register_module(
              "classifier", std::make_shared<Classifier>(weights / "classifier", encoder_->width(), options.labels))) {}
    [[nodiscard]] LogitsOutput forward(const at::Tensor& pixel_values) const {
        return {classifier_->forward(encoder_->forward(pixel_values).pooler_output)};
    }

private:
    std::shared_ptr<Swin> encoder_;
    std::shared_ptr<Classifier> classifier_;
};

struct SwinModel {
    using Model = Swin;
    static constexpr std::string_view architecture = "SwinModel";
    [[nodiscard]] static SwinOptions options(ConfigReader& config) { return SwinOptions::read(config); }
};

struct SwinForImageClassification {
    using Model = SwinClassifier;
    static constexpr std::string_view architecture = "SwinForImageClassification";
    [[nodiscard]] static SwinOptions options(ConfigReader& config) { return SwinOptions::read(config); }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/swin-inl.hpp>
#endif
