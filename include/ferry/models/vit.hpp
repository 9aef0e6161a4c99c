#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/classifier.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/patch_embedding.hpp>
#include <ferry/models/blocks/vision_encoder.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/outputs.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {

/// ViT, and DeiT, which has one token more.
struct VitOptions {
    PatchOptions patches{.image = {224, 224}, .patch = {16, 16}};
    VisionEncoderOptions encoder{.layer = {.epsilon = 1e-12}};
    std::vector<std::string> tokens{"cls_token"};  ///< before those of the patches
    std::string name = "vit";                      ///< of the encoder in a model with a head
    std::int64_t pooler_width = 0;
    std::string pooler_activation = "tanh";
    std::int64_t labels = 2;

    [[nodiscard]] static VitOptions read(ConfigReader& config);
    [[nodiscard]] static VitOptions read_distilled(ConfigReader& config);
};

/// Images to hidden states.
class Vit : public torch::nn::Module {
public:
    Vit(const Weights& weights, const VitOptions& options);

    /// [batch, tokens, width], of which the first are the model's own.
    [[nodiscard]] at::Tensor forward(const at::Tensor& pixel_values) const;

private:
    PatchOptions patches_;
    std::vector<at::Tensor> tokens_;
    at::Tensor positions_;
    std::shared_ptr<PatchEmbedding> embedding_;
    std::shared_ptr<VisionEncoder> encoder_;
    std::shared_ptr<LayerNorm> norm_;
};

/// With a vector for the whole image, if the checkpoint has the pooler that makes it.
class VitWithPooler : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    VitWithPooler(const Weights& weights, const VitOptions& options);
    [[nodiscard]] PooledOutput forward(const at::Tensor& pixel_values) const;

private:
    std::shared_ptr<Vit> encoder_;
    std::shared_ptr<Linear> pooler_;
    Activation activation_;
};

class VitClassifier : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    VitClassifier(const Weights& weights, const VitOptions& options);
    [[nodiscard]] LogitsOutput forward(const at::Tensor& pixel_values) const;

private:
    std::shared_ptr<Vit> encoder_;
    std::shared_ptr<Classifier> classifier_;
};

/// One head for the class token, and one that has learned from a teacher.
class DistilledVitClassifier : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    DistilledVitClassifier(const Weights& weights, const VitOptions& options);
    [[nodiscard]] DistilledOutput forward(const at::Tensor& pixel_values) const;

private:
    std::shared_ptr<Vit> encoder_;
    std::shared_ptr<Classifier> classifier_, distilled_;
};

struct VitModel {
    using Model = VitWithPooler;
    static constexpr std::string_view architecture = "ViTModel";
    [[nodiscard]] static VitOptions options(ConfigReader& config) { return VitOptions::read(config); }
};

struct VitForImageClassification {
    using Model = VitClassifier;
    static constexpr std::string_view architecture = "ViTForImageClassification";
    [[nodiscard]] static VitOptions options(ConfigReader& config) { return VitOptions::read(config); }
};

struct DeitModel {
    using Model = VitWithPooler;
    static constexpr std::string_view architecture = "DeiTModel";
    [[nodiscard]] static VitOptions options(ConfigReader& config) { return VitOptions::read_distilled(config); }
};

struct DeitForImageClassification {
    using Model = VitClassifier;
    static constexpr std::string_view architecture = "DeiTForImageClassification";
    [[nodiscard]] static VitOptions options(ConfigReader& config) { return VitOptions::read_distilled(config); }
};

struct DeitForImageClassificationWithTeacher {
    using Model = DistilledVitClassifier;
    static constexpr std::string_view architecture = "DeiTForImageClassificationWithTeacher";
    [[nodiscard]] static VitOptions options(ConfigReader& config) { return VitOptions::read_distilled(config); }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/vit-inl.hpp>
#endif
