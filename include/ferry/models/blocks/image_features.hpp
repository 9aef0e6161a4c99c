#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/clip_vision.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/siglip_vision.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace ferry::models {

struct ImageFeatureOptions {
    std::variant<ClipVisionOptions, SiglipVisionOptions> tower{};
    std::vector<std::int64_t> layers{-2};  ///< whose hidden states they are, side by side
    bool drops_first = true;               ///< which is CLIP's token for the whole image

    /// From the config of a model that has `vision_config` in it.
    [[nodiscard]] static ImageFeatureOptions read(ConfigReader& config);
    /// Of one feature.
    [[nodiscard]] std::int64_t width() const;
};

/// An encoder of images, as far as a language model wants it: [images, patches, width].
class ImageFeatures : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values");

    ImageFeatures(const Weights& weights, const ImageFeatureOptions& options);

    [[nodiscard]] at::Tensor forward(const at::Tensor& pixel_values) const;

private:
    std::variant<std::shared_ptr<ClipVision>, std::shared_ptr<SiglipVision>> tower_{};
    std::vector<std::int64_t> layers_;
    bool drops_first_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/image_features-inl.hpp>
#endif
