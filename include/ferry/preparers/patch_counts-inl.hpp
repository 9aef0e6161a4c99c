#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/preparers/patch_counts.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/TensorAccessor.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ferry {

FERRY_INLINE std::vector<PatchCounts> patch_counts(const at::Tensor& sizes, const std::string& name) {
    if (!sizes.defined() || sizes.dim() != 2 || sizes.size(1) < 2 || sizes.size(1) > 3 ||
        !at::isIntegralType(sizes.scalar_type(), /*includeBool=*/false)) {
        std::ostringstream told;
        told << "'" << name << "' is of the sizes ";
        if (sizes.defined()) told << sizes.sizes();
        told << ", and integers [images, 3] are needed";
        throw Error(ErrorKind::invalid_input, told.str());
    }
    const at::Tensor numbers = sizes.to(at::kCPU, at::kLong);
    const auto each = numbers.accessor<std::int64_t, 2>();
    const bool has_times = each.size(1) == 3;
    std::vector<PatchCounts> made;
    for (std::int64_t i = 0; i < each.size(0); ++i) {
        const PatchCounts grid{has_times ? each[i][0] : 1, each[i][has_times ? 1 : 0], each[i][has_times ? 2 : 1]};
        constexpr std::int64_t most = 1 << 20;  // what is computed of them stays a number
        if (std::min({grid.times, grid.rows, grid.columns}) < 1 ||
            std::max({grid.times, grid.rows, grid.columns}) > most)
            throw Error(ErrorKind::invalid_input, "'" + name + "' has an image of " + std::to_string(grid.times) +
                                                      " x " + std::to_string(grid.rows) + " x " +
                                                      std::to_string(grid.columns) + " patches");
        made.push_back(grid);
    }
    return made;
}

FERRY_INLINE void check_merged(const PatchCounts& grid, std::int64_t merged, const std::string& name) {
    if (merged >= 1 && grid.rows % merged == 0 && grid.columns % merged == 0) return;
    throw Error(ErrorKind::invalid_input, "'" + name + "' has an image of " + std::to_string(grid.rows) + " x " +
                                              std::to_string(grid.columns) + " patches, and multiples of " +
                                              std::to_string(merged) + " are needed");
}

FERRY_INLINE std::int64_t count_patches(const std::vector<PatchCounts>& grids) {
    std::int64_t count = 0;
    for (const PatchCounts& grid : grids) count += grid.size();
    return count;
}

}  // namespace ferry
