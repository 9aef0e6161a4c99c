#pragma once

#include <ferry/core/names.hpp>
#include <ferry/preparers/vision_grid.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ferry::models {

/// What a model needs to know of the sizes of images, computed before it runs: sizes that are data would steer what a graph does.
/// Of `image_grid_thw` [images, 3], the patches that each image has in time, down and across, it makes
/// - `image_position_ids` [patches, 2], the row and column of each patch,
/// - `image_cu_seqlens` [images + 1], where the patches of each image begin, and where the last ones end,
/// - `position_ids` [3, batch, tokens], where each token is in time, down and across; of a text, the same three times.
/// What is given already stays. It is what the input preparers rope_index and grid_thw make of a model, without the model: for generate and
/// generation::Pipeline.
struct ImageGridInputs {
    static constexpr auto forward_parameters = names("image_position_ids", "image_cu_seqlens", "position_ids");

    std::int64_t image_token = -1;  ///< stands for `merged` x `merged` patches
    std::int64_t merged = 1;        ///< patches of each direction that are one token

    [[nodiscard]] Inputs operator()(Inputs inputs) const;

    [[nodiscard]] VisionGrid vision_grid() const { return {.spatial_merge_size = merged}; }
    /// Padding, where the mask is 0, is at 0.
    [[nodiscard]] at::Tensor rope_index(const Inputs& inputs) const;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/image_grid_inputs-inl.hpp>
#endif
