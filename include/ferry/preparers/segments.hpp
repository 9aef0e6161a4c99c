#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Segments of what comes one after the other, told by their bounds: where each begins, and where the last one ends.
namespace ferry {

/// 32-bit integers, as kernels for packed sequences take them.
[[nodiscard]] inline at::Tensor bounds_tensor(const std::vector<std::int64_t>& bounds) {
    return at::tensor(bounds, at::TensorOptions(at::kInt));
}

/// The elements of a tensor of integers, in order.
[[nodiscard]] inline std::vector<std::int64_t> numbers_of(const at::Tensor& tensor) {
    const at::Tensor numbers = tensor.to(at::kCPU, at::kLong).contiguous();
    const auto* const first = numbers.const_data_ptr<std::int64_t>();
    return {first, first + numbers.numel()};
}

[[nodiscard]] inline std::int64_t longest_segment(const at::Tensor& bounds) {
    const std::vector<std::int64_t> each = numbers_of(bounds);
    std::int64_t longest = 0;
    for (std::size_t i = 1; i < each.size(); ++i) longest = std::max(longest, each[i] - each[i - 1]);
    return longest;
}

}  // namespace ferry
