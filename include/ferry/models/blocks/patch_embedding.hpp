#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv2d.h>
#include <torch/nn/module.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace ferry::models {

/// How images are cut into patches.
struct PatchOptions {
    using Size = std::array<std::int64_t, 2>;  ///< rows and columns

    std::int64_t channels = 3;
    Size image{}, patch{};

    /// What is not given is as in `otherwise`.
    [[nodiscard]] static PatchOptions read(ConfigReader& config, const PatchOptions& otherwise);

    [[nodiscard]] std::int64_t count() const { return (image[0] / patch[0]) * (image[1] / patch[1]); }
};

/// Throws if these are no images of so many channels.
void check_channels(const at::Tensor& pixel_values, const PatchOptions& options);
/// Throws if these are not images of the very sizes that the model was made for.
void check_image_size(const at::Tensor& pixel_values, const PatchOptions& options);

/// A vector for each patch of an image.
class PatchEmbedding : public torch::nn::Module {
public:
    PatchEmbedding(const Weights& weights, const PatchOptions& options, std::int64_t width, bool has_bias)
        : patch_(options.patch),
          weight_(register_parameter("weight", weights.take("weight", {width, options.channels, patch_[0], patch_[1]}),
                                     false)) {
        if (has_bias) bias_ = register_parameter("bias", weights.take("bias", {width}), false);
    }

    /// [batch, width, rows, columns]
    [[nodiscard]] at::Tensor in_rows(const at::Tensor& pixel_values) const {
        return at::conv2d(pixel_values.to(weight_.scalar_type()), weight_, bias_, /*stride=*/patch_);
    }
    /// [batch, patches, width]
    [[nodiscard]] at::Tensor forward(const at::Tensor& pixel_values) const {
        return in_rows(pixel_values).flatten(2).transpose(1, 2);
    }

private:
    PatchOptions::Size patch_;
    at::Tensor weight_, bias_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/patch_embedding-inl.hpp>
#endif
