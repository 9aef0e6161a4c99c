#pragma once

#include <ferry/capture/fakes/factories.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ferry::fake_ops {

[[nodiscard]] inline at::Tensor made(at::IntArrayRef sizes, std::optional<at::ScalarType> dtype) {
    return at::empty(sizes, at::TensorOptions().device(at::kMeta).dtype(dtype.value_or(at::kLong)));
}

/// How many elements of a matrix are on or below a diagonal.
[[nodiscard]] constexpr std::int64_t elements_below(std::int64_t rows, std::int64_t columns, std::int64_t diagonal) {
    const std::int64_t first = std::clamp<std::int64_t>(-diagonal, 0, rows);                  // that has any
    const std::int64_t full = std::clamp<std::int64_t>(columns - diagonal - 1, first, rows);  // the first with all
    const std::int64_t shortest = first + diagonal + 1, longest = full + diagonal;
    return (full - first) * (shortest + longest) / 2 + (rows - full) * columns;
}

FERRY_INLINE at::Tensor tril_indices::fake(std::int64_t row, std::int64_t col, std::int64_t offset,
                                           std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                                           std::optional<at::Device>, std::optional<bool>) {
    TORCH_CHECK(row >= 0 && col >= 0, "tril_indices: a matrix of ", row, " by ", col);
    return made({2, elements_below(row, col, offset)}, dtype);
}

FERRY_INLINE at::Tensor triu_indices::fake(std::int64_t row, std::int64_t col, std::int64_t offset,
                                           std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                                           std::optional<at::Device>, std::optional<bool>) {
    TORCH_CHECK(row >= 0 && col >= 0, "triu_indices: a matrix of ", row, " by ", col);
    return made({2, row * col - elements_below(row, col, offset - 1)}, dtype);
}

FERRY_INLINE at::Tensor randperm::fake(const c10::SymInt& n, std::optional<at::ScalarType> dtype,
                                       std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
    return made({n.expect_int()}, dtype);
}

static_assert(elements_below(3, 3, 0) == 6 && elements_below(4, 2, 1) == 8 && elements_below(2, 5, -1) == 1);

}  // namespace ferry::fake_ops
