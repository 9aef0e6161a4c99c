#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/preparers/grid_thw.hpp>
#include <ferry/preparers/segments.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace ferry::preparers {
namespace detail {

/// For each image, what the tower says, or `merge_sizes` where each has its own.
[[nodiscard]] inline std::vector<std::int64_t> merge_sizes(const AddedInputs& inputs, const VisionGrid& tower,
                                                           std::size_t images) {
    const at::Tensor given = inputs.tensor("merge_sizes");
    if (tower.spatial_merge_size != 1 || !given.defined())
        return std::vector<std::int64_t>(images, tower.spatial_merge_size);
    std::vector<std::int64_t> made = numbers_of(given);
    if (made.size() == images) return made;
    throw Error(ErrorKind::invalid_input, "'" + inputs.name("merge_sizes") + "' has " + std::to_string(made.size()) +
                                              " numbers, for " + std::to_string(images) + " images");
}

/// Patches that come one after the other are as many as their sizes say.
inline void check_patches(const Inputs& inputs, const std::string& sizes, const char* patches, std::int64_t count) {
    if (!inputs.contains(patches)) return;
    const auto given = inputs.get<at::Tensor>(patches);
    if (!given.defined() || given.dim() != 2 || given.size(0) == count) return;
    std::ostringstream told;
    told << "'" << patches << "' are of the sizes " << given.sizes() << ", and '" << sizes << "' says [" << count
         << ", elements of a patch]";
    throw Error(ErrorKind::invalid_input, told.str(), {.hint = "take both from one call of the processor"});
}

inline void add_windows(AddedInputs& inputs, const std::vector<PatchCounts>& grids, std::int64_t merged,
                        std::int64_t size, const at::Device& device) {
    if (size < 1)
        throw Error(ErrorKind::invalid_input, "the model's windows are smaller than what it makes one feature of");
    const vision::Windows windows = vision::windows_of(grids, merged, size);
    inputs.add("window_index", [&] { return windows.order.to(device); });
    inputs.add("cu_window_seqlens", [&] { return windows.bounds.to(device); });
    inputs.add("max_window_seqlen", [&] { return longest_segment(windows.bounds); });
}

inline void add_grid(AddedInputs inputs, std::initializer_list<const char*> patches_of, const VisionGrid& tower) {
    const at::Tensor given = inputs.tensor("grid_thw");
    const at::Device device = given.device();
    const std::vector<PatchCounts> grids = patch_counts(given, inputs.name("grid_thw"));
    const std::vector<std::int64_t> merged = merge_sizes(inputs, tower, grids.size());
    for (std::size_t i = 0; i < grids.size(); ++i) check_merged(grids[i], merged[i], inputs.name("grid_thw"));
    for (const char* patches : patches_of)
        check_patches(inputs.all(), inputs.name("grid_thw"), patches, count_patches(grids));

    const at::Tensor bounds = vision::segment_bounds(grids, tower.merges_frames);
    inputs.add("cu_seqlens", [&] { return bounds.to(device); });
    inputs.add("max_seqlen", [&] { return longest_segment(bounds); });
    inputs.add("position_ids", [&] { return vision::patch_positions(grids, merged, tower.has_time_axis).to(device); });
    if (tower.window_size > 0 && tower.patch_size > 0)
        add_windows(inputs, grids, tower.spatial_merge_size,
                    tower.window_size / tower.spatial_merge_size / tower.patch_size, device);
    if (tower.num_grid_per_side > 0) {
        const vision::Resampling table =
            vision::resample_table(grids, tower.num_grid_per_side, tower.spatial_merge_size, tower.interpolation);
        inputs.add("interp_indices", [&] { return table.indices.to(device); });
        inputs.add("interp_weights", [&] { return table.weights.to(device); });
    }
    inputs.drop("grid_thw");
    inputs.drop("merge_sizes");
}

}  // namespace detail

FERRY_INLINE void grid_thw::add_all(const AddedInputs& inputs, const VisionGrid& tower) {
    const auto add = [&](const char* prefix, std::initializer_list<const char*> patches) {
        const AddedInputs added = inputs.with_prefix(prefix);
        if (added.may_change() && added.has("grid_thw")) detail::add_grid(added, patches, tower);
    };
    add("", {"hidden_states", "pixel_values"});
    add("image_", {"pixel_values"});
    add("video_", {"pixel_values_videos"});
}

}  // namespace ferry::preparers
