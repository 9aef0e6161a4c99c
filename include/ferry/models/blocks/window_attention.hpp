#pragma once

#include <ferry/models/blocks/vision_encoder.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <string_view>

namespace ferry::models {

/// How many patches an image has.
struct PatchGrid {
    std::int64_t rows = 0, columns = 0;
};

/// Attention of patches to those in the same window of an image. In every other layer the windows are shifted by half of their size,
/// around the edges of the image, and patches from both sides of an edge do not see each other.
class WindowAttention : public torch::nn::Module {
public:
    /// `weights` have how much each place in a window matters to each other, by their distance, under the name `table`.
    WindowAttention(const Weights& weights, std::string_view table, std::int64_t heads, std::int64_t window,
                    bool is_shifted);

    [[nodiscard]] at::Tensor forward(const VisionAttention& attention, const at::Tensor& x, PatchGrid grid) const;

private:
    /// [batch, rows, columns, width] as [batch * windows, places, width]
    [[nodiscard]] at::Tensor in_windows(const at::Tensor& image) const;
    [[nodiscard]] at::Tensor from_windows(const at::Tensor& windows, PatchGrid grid) const;
    /// [1, heads, places, places]
    [[nodiscard]] at::Tensor bias() const;
    /// [windows, places, places], in the element type of `like`
    [[nodiscard]] at::Tensor edges(PatchGrid grid, const at::Tensor& like) const;

    std::int64_t window_, shift_;
    at::Tensor table_, index_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/window_attention-inl.hpp>
#endif
