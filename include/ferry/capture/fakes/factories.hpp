#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/SymInt.h>

#include <algorithm>
#include <cstdint>
#include <optional>

/// Tensors made of numbers alone.
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

struct tril_indices {
    static constexpr auto target = op("aten::tril_indices");
    static at::Tensor fake(std::int64_t row, std::int64_t col, std::int64_t offset, std::optional<at::ScalarType> dtype,
                           std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
        TORCH_CHECK(row >= 0 && col >= 0, "tril_indices: a matrix of ", row, " by ", col);
        return made({2, elements_below(row, col, offset)}, dtype);
    }
};

struct triu_indices {
    static constexpr auto target = op("aten::triu_indices");
    static at::Tensor fake(std::int64_t row, std::int64_t col, std::int64_t offset, std::optional<at::ScalarType> dtype,
                           std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
        TORCH_CHECK(row >= 0 && col >= 0, "triu_indices: a matrix of ", row, " by ", col);
        return made({2, row * col - elements_below(row, col, offset - 1)}, dtype);
    }
};

struct randperm {
    static constexpr auto target = op("aten::randperm");
    static at::Tensor fake(const c10::SymInt& n, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                           std::optional<at::Device>, std::optional<bool>) {
        return made({n.expect_int()}, dtype);
    }
};

static_assert(elements_below(3, 3, 0) == 6 && elements_below(4, 2, 1) == 8 && elements_below(2, 5, -1) == 1);

}  // namespace ferry::fake_ops

namespace ferry {
using factory_fakes = fakes<fake_ops::tril_indices, fake_ops::triu_indices, fake_ops::randperm>;
}  // namespace ferry
