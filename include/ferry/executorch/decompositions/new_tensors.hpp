#pragma once

#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>

#include <cstdint>

/// New tensors beside one that is given.
namespace ferry::executorch::parts::detail {

[[nodiscard]] inline at::TensorOptions beside(const at::Tensor& like, at::ScalarType dtype) {
    return at::TensorOptions().dtype(dtype).device(decomposed::real_device(like));
}
[[nodiscard]] inline at::Tensor count_up_to(const at::Tensor& like, std::int64_t end) {
    return at::arange(end, beside(like, at::kLong));
}
[[nodiscard]] inline at::Tensor filled(const at::Tensor& like, at::IntArrayRef sizes, const at::Scalar& number) {
    return at::full(sizes, number, beside(like, like.scalar_type()));
}

}  // namespace ferry::executorch::parts::detail
