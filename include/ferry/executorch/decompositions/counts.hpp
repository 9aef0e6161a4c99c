#pragma once

#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>

#include <cstdint>

/// Whole numbers beside a tensor, for positions and counts.
namespace ferry::executorch::parts::detail {

[[nodiscard]] inline at::TensorOptions whole_numbers(const at::Tensor& like) {
    return at::TensorOptions().dtype(at::kLong).device(decomposed::real_device(like));
}
[[nodiscard]] inline at::Tensor count_up_to(const at::Tensor& like, std::int64_t end) {
    return at::arange(end, whole_numbers(like));
}
[[nodiscard]] inline at::Tensor number_of(const at::Tensor& like, std::int64_t number) {
    return at::full({}, number, whole_numbers(like));
}

}  // namespace ferry::executorch::parts::detail
