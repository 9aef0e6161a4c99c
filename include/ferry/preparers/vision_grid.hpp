#pragma once

#include <ferry/preparers/patch_counts.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ferry {

/// How a table of positions is stretched over an image; the names are those of torch's interpolate.
struct Interpolation {
    bool is_bicubic = false;  ///< else bilinear
    bool align_corners = false;
    bool pads_zeros = false;  ///< what is outside of the table counts nothing; else it is as the border
};

/// How a tower looks at images whose patches come one after the other. A model says it by `VisionGrid vision_grid() const`; the
/// names are those of its config.json.
struct VisionGrid {
    std::int64_t spatial_merge_size = 1;            ///< patches of each direction that become one feature
    bool merges_frames = false;                     ///< the frames of a clip see one another
    bool has_time_axis = false;                     ///< positions are of three axes
    std::int64_t window_size = 0, patch_size = 0;  ///< in pixels, where patches see their window only; 0: they see all
    std::int64_t num_grid_per_side = 0;  ///< of the table of positions; 0: there is none
    Interpolation interpolation{};
};

/// What encoders of such images would compute of their sizes, which are data and would steer what a graph does.
namespace vision {

/// [frames + 1] 32-bit integers: where the patches of each frame, or each clip, begin, and where the last ones end.
[[nodiscard]] at::Tensor segment_bounds(const std::vector<PatchCounts>& grids, bool merges_frames = false);

/// [patches, 2] or [patches, 3]: the row and column, behind the time, of each patch. Those that become one feature are neighbours;
/// `merged` has a number for each image.
[[nodiscard]] at::Tensor patch_positions(const std::vector<PatchCounts>& grids, const std::vector<std::int64_t>& merged,
                                         bool has_time_axis = false);

struct Windows {
    at::Tensor order;  ///< [features]: window by window
    at::Tensor bounds;  ///< [windows + 1] 32-bit integers, in patches
};
/// Windows of `size` x `size` features, each of `merged` x `merged` patches; those at the border may be smaller.
[[nodiscard]] Windows windows_of(const std::vector<PatchCounts>& grids, std::int64_t merged, std::int64_t size);

struct Resampling {
    at::Tensor indices;  ///< [patches, taps], into a table of `side` x `side` positions
    at::Tensor weights;
};
[[nodiscard]] Resampling resample_table(const std::vector<PatchCounts>& grids, std::int64_t side, std::int64_t merged,
                                        const Interpolation& how);

/// [patches]: the nearest of `side` x `side` positions.
[[nodiscard]] at::Tensor nearest_positions(const std::vector<PatchCounts>& grids, std::int64_t side);

}  // namespace vision
}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/preparers/vision_grid-inl.hpp>
#endif
