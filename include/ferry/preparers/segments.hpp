#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstdint>
#include <vector>

/// Segments of what comes one after the other, told by their bounds: where each begins, and where the last one ends.
namespace ferry {

/// 32-bit integers, as kernels for packed sequences take them.
[[nodiscard]] inline at::Tensor bounds_tensor(const std::vector<std::int64_t>& bounds) {
    return at::tensor(bounds, at::TensorOptions(at::kInt));
}

[[nodiscard]] inline std::int64_t longest_segment(const at::Tensor& bounds) {
    const at::Tensor numbers = bounds.to(at::kCPU, at::kLong).contiguous();
    const std::int64_t* const each = numbers.const_data_ptr<std::int64_t>();
    std::int64_t longest = 0;
    for (std::int64_t i = 1; i < numbers.numel(); ++i) longest = std::max(longest, each[i] - each[i - 1]);
    return longest;
}

}  // namespace ferry
