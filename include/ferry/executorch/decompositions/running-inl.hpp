#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/new_tensors.hpp>
#include <ferry/executorch/decompositions/running.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>

namespace ferry::executorch::parts {
namespace detail {

/// With a row for each element along the last dimension: what has come up to it.
struct Triangle {
    at::Tensor row, is_past;

    explicit Triangle(const at::Tensor& self) : row(self.unsqueeze(-2)) {
        const at::Tensor number = count_up_to(self, self.size(-1));
        is_past = number.unsqueeze(0).le(number.unsqueeze(1));
    }
};

template <bool largest>
[[nodiscard]] std::tuple<at::Tensor, at::Tensor> running_extreme(const at::Tensor& self, std::int64_t dim) {
    if (self.dim() == 0) return {self.clone(), decomposed::number_like(self, 0, at::kLong)};
    const at::Tensor moved = self.movedim(dim, -1);
    const Triangle past(moved);
    const at::Tensor choice = at::where(past.is_past, past.row, moved.unsqueeze(-1));  // itself, where it is to come
    const at::Tensor made = largest ? choice.amax(-1) : choice.amin(-1);
    const at::Tensor is_it = past.row.eq(made.unsqueeze(-1)).logical_or(past.row.ne(past.row));  // or is not a number
    const at::Tensor places = is_it.logical_and(past.is_past).to(at::kLong) * count_up_to(self, moved.size(-1));
    return {made.movedim(-1, dim), places.amax(-1).movedim(-1, dim)};
}

}  // namespace detail

FERRY_INLINE at::Tensor cumprod::decompose(const at::Tensor& self, std::int64_t dim,
                                           std::optional<at::ScalarType> dtype) {
    const bool is_whole = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true);
    const at::ScalarType made = dtype.value_or(is_whole ? at::kLong : self.scalar_type());
    const at::Tensor factors = decomposed::cast(self, made);
    if (self.dim() == 0) return factors.clone();
    return decomposed::widely(factors, [&](const at::Tensor& each) {
        const detail::Triangle past(each.movedim(dim, -1));
        return at::where(past.is_past, past.row, decomposed::number_like(each, 1)).prod(-1).movedim(-1, dim);
    });
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> cummax::decompose(const at::Tensor& self, std::int64_t dim) {
    return detail::running_extreme<true>(self, dim);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> cummin::decompose(const at::Tensor& self, std::int64_t dim) {
    return detail::running_extreme<false>(self, dim);
}

FERRY_INLINE at::Tensor logcumsumexp::decompose(const at::Tensor& self, std::int64_t dim) {
    if (self.dim() == 0) return self.clone();
    return decomposed::widely(self, [&](const at::Tensor& each) {
        const detail::Triangle past(each.movedim(dim, -1));
        const at::Tensor nothing = decomposed::number_like(each, -std::numeric_limits<double>::infinity());
        return at::where(past.is_past, past.row, nothing).logsumexp(-1).movedim(-1, dim);
    });
}

}  // namespace ferry::executorch::parts
