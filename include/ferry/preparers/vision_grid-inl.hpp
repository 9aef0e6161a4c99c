#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/preparers/segments.hpp>
#include <ferry/preparers/vision_grid.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bucketize.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::vision {
namespace detail {

[[nodiscard]] inline at::Tensor joined(const std::vector<at::Tensor>& parts) {
    return parts.empty() ? at::empty({0}, at::TensorOptions(at::kLong)) : at::cat(parts);
}

/// Of one frame, in the order of its blocks of `merged` x `merged`: [patches, 2].
[[nodiscard]] inline at::Tensor frame_positions(const PatchCounts& grid, std::int64_t merged) {
    const at::Tensor rows = at::arange(grid.rows).unsqueeze(1).expand({grid.rows, grid.columns});
    const at::Tensor columns = at::arange(grid.columns).expand({grid.rows, grid.columns});
    return at::stack({rows, columns}, -1)
        .unflatten(1, {grid.columns / merged, merged})
        .unflatten(0, {grid.rows / merged, merged})
        .transpose(1, 2)
        .reshape({-1, 2});
}

struct Taps {
    at::Tensor places, weights;  ///< [patches, taps]
};

/// Which of a row of `side` entries a place on an axis of some size is made of.
[[nodiscard]] inline Taps taps_on_axis(const at::Tensor& place, const at::Tensor& size, std::int64_t side,
                                       const Interpolation& how) {
    const at::Tensor at = place.to(at::kFloat);
    const at::Tensor source =
        how.align_corners ? at * (side - 1) / (size - 1).clamp_min(1) : (at + 0.5) * side / size - 0.5;
    const at::Tensor below = source.floor();
    const at::Tensor steps = how.is_bicubic ? at::arange(-1, 3) : at::arange(0, 2);
    const at::Tensor wanted = below.to(at::kLong).unsqueeze(1) + steps;
    const at::Tensor distance = ((source - below).unsqueeze(1) - steps).abs();
    at::Tensor weights;
    if (how.is_bicubic) {  // the kernel of Keys, with -0.75 as torch has it
        constexpr double bend = -0.75;
        const at::Tensor near = ((bend + 2) * distance - (bend + 3)) * distance * distance + 1;
        const at::Tensor far = ((bend * distance - 5 * bend) * distance + 8 * bend) * distance - 4 * bend;
        weights = at::where(distance <= 1, near, far);
    } else {
        weights = (1 - distance).clamp_min(0);
    }
    if (how.pads_zeros) weights = weights * ((wanted >= 0) & (wanted < side));
    return {wanted.clamp(0, side - 1), weights};
}

}  // namespace detail

FERRY_INLINE at::Tensor segment_bounds(const std::vector<PatchCounts>& grids, bool merges_frames) {
    std::vector<std::int64_t> bounds{0};
    for (const PatchCounts& grid : grids)
        for (std::int64_t time = 0; time < (merges_frames ? 1 : grid.times); ++time)
            bounds.push_back(bounds.back() + (merges_frames ? grid.size() : grid.frame()));
    return bounds_tensor(bounds);
}

FERRY_INLINE at::Tensor patch_positions(const std::vector<PatchCounts>& grids, const std::vector<std::int64_t>& merged,
                                        bool has_time_axis) {
    std::vector<at::Tensor> made;
    for (std::size_t i = 0; i < grids.size(); ++i) {
        at::Tensor places = detail::frame_positions(grids[i], merged[i]).repeat({grids[i].times, 1});
        if (has_time_axis) {
            const at::Tensor times = at::arange(grids[i].times).repeat_interleave(grids[i].frame());
            places = at::cat({times.unsqueeze(1), places}, 1);
        }
        made.push_back(places);
    }
    return made.empty() ? at::empty({0, has_time_axis ? 3 : 2}, at::TensorOptions(at::kLong)) : at::cat(made);
}

FERRY_INLINE Windows windows_of(const std::vector<PatchCounts>& grids, std::int64_t merged, std::int64_t size) {
    std::vector<at::Tensor> order;
    std::vector<std::int64_t> bounds{0};
    std::int64_t first = 0;
    for (const PatchCounts& grid : grids) {
        const std::int64_t rows = grid.rows / merged, columns = grid.columns / merged;
        const at::Tensor places = first + at::arange(grid.times * rows * columns).view({grid.times, rows, columns});
        first += grid.times * rows * columns;
        for (std::int64_t time = 0; time < grid.times; ++time)
            for (std::int64_t row = 0; row < rows; row += size)
                for (std::int64_t column = 0; column < columns; column += size) {
                    order.push_back(places[time]
                                        .slice(0, row, std::min(row + size, rows))
                                        .slice(1, column, std::min(column + size, columns))
                                        .reshape(-1));
                    bounds.push_back(bounds.back() + order.back().numel() * merged * merged);
                }
    }
    return {detail::joined(order), bounds_tensor(bounds)};
}

FERRY_INLINE Resampling resample_table(const std::vector<PatchCounts>& grids, std::int64_t side, std::int64_t merged,
                                       const Interpolation& how) {
    std::vector<std::int64_t> heights, widths, counts;
    for (const PatchCounts& grid : grids) {
        heights.push_back(grid.rows);
        widths.push_back(grid.columns);
        counts.push_back(grid.size());
    }
    const auto for_patches = [&](const std::vector<std::int64_t>& each) {
        const at::TensorOptions integers(at::kLong);
        return at::tensor(each, integers).repeat_interleave(at::tensor(counts, integers));
    };
    const at::Tensor places = patch_positions(grids, std::vector<std::int64_t>(grids.size(), merged));
    const detail::Taps down = detail::taps_on_axis(places.select(1, 0), for_patches(heights), side, how);
    const detail::Taps across = detail::taps_on_axis(places.select(1, 1), for_patches(widths), side, how);
    return {(down.places.unsqueeze(2) * side + across.places.unsqueeze(1)).flatten(1),
            (down.weights.unsqueeze(2) * across.weights.unsqueeze(1)).flatten(1)};
}

FERRY_INLINE at::Tensor nearest_positions(const std::vector<PatchCounts>& grids, std::int64_t side) {
    const double step = 1.0 / static_cast<double>(side);
    const at::Tensor limits = at::arange(step, 1.0, step);
    const auto nearest = [&](std::int64_t size) {
        return at::bucketize(at::arange(size) / size, limits, /*out_int32=*/false, /*right=*/true);
    };
    std::vector<at::Tensor> made;
    made.reserve(grids.size());
    for (const PatchCounts& grid : grids)
        made.push_back((nearest(grid.rows).unsqueeze(1) * side + nearest(grid.columns)).flatten().repeat(grid.times));
    return detail::joined(made);
}

}  // namespace ferry::vision
