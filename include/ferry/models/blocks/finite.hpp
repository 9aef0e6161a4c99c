#pragma once

#include <ATen/core/Tensor.h>

namespace ferry::models {

/// Sums of many layers overflow in float16, and only there.
[[nodiscard]] inline at::Tensor finite(const at::Tensor& x) {
    constexpr double largest = 65504, margin = 1000;
    return x.scalar_type() == at::kHalf ? x.clamp(margin - largest, largest - margin) : x;
}

}  // namespace ferry::models
