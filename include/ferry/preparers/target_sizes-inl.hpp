#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/preparers/segments.hpp>
#include <ferry/preparers/target_sizes.hpp>
#include <ferry/preparers/vision_grid.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ferry::preparers {

FERRY_INLINE void target_sizes::add_all(AddedInputs inputs, const PackedImages& images) {
    const at::Tensor given = inputs.tensor("target_sizes");
    const at::Device device = given.device();
    const std::vector<PatchCounts> grids = patch_counts(given, "target_sizes");
    if (images.num_patches_per_side > 0)
        inputs.add("position_ids",
                   [&] { return vision::nearest_positions(grids, images.num_patches_per_side).to(device); });
    const auto [down, across] = images.window_kernel_size;
    if (down > 0 && across > 0) {
        const vision::Windows windows = vision::windows_of(grids, /*merged=*/1, down);
        inputs.add("window_index", [&] { return windows.order.to(device); });
        inputs.add("cu_window_seqlens", [&] { return windows.bounds.to(device); });
        inputs.add("max_seqlen", [&] { return longest_segment(vision::segment_bounds(grids)); });
        const bool alike = !grids.empty() && algo::all_of(grids, [&](const PatchCounts& grid) {
            return grid.rows == grids[0].rows && grid.columns == grids[0].columns;
        });
        if (inputs.wants("merged_shape") && !alike)
            throw Error(ErrorKind::invalid_input, "the images of 'target_sizes' are of several sizes",
                        {.hint = "this model merges the patches of all images in one go: give those of one size"});
        inputs.add("merged_shape", [&, rows = down, columns = across] {
            return std::vector<std::int64_t>{grids[0].rows / rows, grids[0].columns / columns};
        });
    }
    inputs.drop("target_sizes");
}

}  // namespace ferry::preparers
