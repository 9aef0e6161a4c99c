#pragma once

#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ferry::models {

/// What a model needs to know of the sizes of images, computed before it runs: sizes that are data would steer what a graph does.
/// Of `image_grid_thw` [images, 3], the patches that each image has in time, down and across, it makes
/// - `image_position_ids` [patches, 2], the row and column of each patch,
/// - `image_cu_seqlens` [images + 1], where the patches of each image begin, and where the last ones end,
/// - `position_ids` [3, batch, tokens], where each token is in time, down and across; of a text, the same three times.
/// What is given already stays. It is an input preparer of generate and of generation::Pipeline.
struct ImageGridInputs {
    std::int64_t image_token = -1;  ///< stands for `merged` x `merged` patches
    std::int64_t merged = 1;        ///< patches of each direction that are one token

    [[nodiscard]] Inputs operator()(Inputs inputs) const;

    [[nodiscard]] at::Tensor patch_positions(const at::Tensor& image_grid_thw) const;
    [[nodiscard]] static at::Tensor patch_bounds(const at::Tensor& image_grid_thw);
    /// Padding, where the mask is 0, is at 0. Without images the grid is undefined.
    [[nodiscard]] at::Tensor token_positions(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                             const at::Tensor& image_grid_thw) const;

private:
    void check(const at::Tensor& image_grid_thw) const;
    static void check_patches(const at::Tensor& pixel_values, const at::Tensor& image_grid_thw);
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/image_grid_inputs-inl.hpp>
#endif
