#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ferry {

/// How many patches an image, or a clip of frames, has in time, down and across.
struct PatchCounts {
    std::int64_t times, rows, columns;

    [[nodiscard]] std::int64_t frame() const { return rows * columns; }
    [[nodiscard]] std::int64_t size() const { return times * frame(); }
};

/// Of integers [images, 3], or [images, 2] where there is no time; `name` is what errors call them.
[[nodiscard]] std::vector<PatchCounts> patch_counts(const at::Tensor& sizes, const std::string& name);

/// Rows and columns must be multiples of `merged`, which become one feature.
void check_merged(const PatchCounts& grid, std::int64_t merged, const std::string& name);

[[nodiscard]] std::int64_t count_patches(const std::vector<PatchCounts>& grids);

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/preparers/patch_counts-inl.hpp>
#endif
