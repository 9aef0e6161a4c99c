#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/new_tensors.hpp>
#include <ferry/executorch/decompositions/ordering.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/where.h>
#include <c10/core/WrapDimMinimal.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

namespace ferry::executorch::parts {
namespace detail {

[[nodiscard]] inline at::Tensor as_indices(const at::Tensor& counts, bool out_int32) {
    return out_int32 ? counts.to(at::kInt) : counts;
}

}  // namespace detail

/// Equal integers keep their order, as libtorch has it: each gets its place into it. Equal reals may change places.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> sort::decompose(const at::Tensor& self, std::int64_t dim,
                                                                bool descending) {
    if (self.dim() == 0) return {self.clone(), self.to(at::kLong).mul(0)};
    const std::int64_t size = self.size(dim);
    if (self.is_floating_point()) return self.topk(size, dim, descending, true);
    const std::int64_t at = c10::maybe_wrap_dim(dim, self.dim());
    at::DimVector sizes(static_cast<std::size_t>(self.dim()), 1);
    sizes[static_cast<std::size_t>(at)] = size;
    const at::Tensor places = detail::count_up_to(self, size).view(sizes);
    const at::Tensor keys = self.to(at::kLong) * size + (descending ? (size - 1) - places : places);
    const at::Tensor order = std::get<1>(keys.topk(size, dim, descending, true));
    return {self.gather(dim, order), order};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> stable_sort::decompose(const at::Tensor& self, std::optional<bool>,
                                                                       std::int64_t dim, bool descending) {
    return sort::decompose(self, dim, descending);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> kthvalue::decompose(const at::Tensor& self, std::int64_t k,
                                                                    std::int64_t dim, bool keepdim) {
    const auto [values, places] = sort::decompose(self, dim, /*descending=*/false);
    if (self.dim() == 0) return {values, places};
    const at::Tensor value = values.slice(dim, k - 1, k), place = places.slice(dim, k - 1, k);
    return keepdim ? std::tuple(value, place) : std::tuple(value.squeeze(dim), place.squeeze(dim));
}

/// The lower of two in the middle; what is not a number is the median, where there is one.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> median_along::decompose(const at::Tensor& self, std::int64_t dim,
                                                                        bool keepdim) {
    if (self.dim() == 0) return {self.clone(), self.to(at::kLong).mul(0)};
    const auto [value, place] = kthvalue::decompose(self, (self.size(dim) + 1) / 2, dim, keepdim);
    if (!self.is_floating_point()) return {value, place};
    const at::Tensor is_none = self.ne(self), any = is_none.any(dim, keepdim);
    const at::Tensor none = decomposed::number_like(self, std::numeric_limits<double>::quiet_NaN());
    return {at::where(any, none, value), at::where(any, is_none.to(at::kLong).argmax(dim, keepdim), place)};
}
FERRY_INLINE at::Tensor median::decompose(const at::Tensor& self) {
    return std::get<0>(median_along::decompose(self.reshape(-1), 0, false));
}

FERRY_INLINE at::Tensor bucketize::decompose(const at::Tensor& self, const at::Tensor& boundaries, bool out_int32,
                                             bool right) {
    const at::Tensor values = self.unsqueeze(-1);
    const at::Tensor below = right ? boundaries.le(values) : boundaries.lt(values);
    return detail::as_indices(below.sum(-1), out_int32);
}

FERRY_INLINE at::Tensor searchsorted::decompose(const at::Tensor& sorted, const at::Tensor& self, bool out_int32,
                                                bool right, std::optional<std::string_view> side,
                                                const std::optional<at::Tensor>& sorter) {
    const at::Tensor rows = sorter && sorter->defined() ? sorted.gather(-1, *sorter) : sorted;
    const at::Tensor among = rows.dim() == 1 ? rows : rows.unsqueeze(-2), values = self.unsqueeze(-1);
    const bool after_equals = right || (side && *side == "right");
    return detail::as_indices((after_equals ? among.le(values) : among.lt(values)).sum(-1), out_int32);
}

/// Elements outside of the range are in no bin, its end is in the last.
FERRY_INLINE at::Tensor histogram::decompose(const at::Tensor& self, std::int64_t bins, const at::Scalar& min,
                                             const at::Scalar& max) {
    const at::Tensor values = decomposed::wide(self.is_floating_point() ? self : self.to(at::kFloat)).reshape({-1, 1});
    at::Tensor low = decomposed::number_like(values, min), high = decomposed::number_like(values, max);
    if (min.toDouble() == max.toDouble()) {
        const bool of_data = min.toDouble() == 0;
        if (of_data) {
            low = values.min();
            high = values.max();
        }
        const at::Tensor is_point = low.eq(high).to(values.scalar_type());
        low = low - is_point;
        high = high + is_point;
    }
    const at::Tensor bin = ((values - low) * bins / (high - low)).floor().clamp_max(static_cast<double>(bins - 1));
    const at::Tensor is_inside = values.ge(low).logical_and(values.le(high));
    const at::Tensor numbers = detail::count_up_to(self, bins).to(values.scalar_type());
    return bin.eq(numbers).logical_and(is_inside).sum(0).to(self.scalar_type());
}

}  // namespace ferry::executorch::parts
