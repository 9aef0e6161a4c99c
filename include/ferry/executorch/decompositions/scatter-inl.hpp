#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/new_tensors.hpp>
#include <ferry/executorch/decompositions/scatter.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/slice_scatter.h>
#include <ATen/ops/where.h>
#include <c10/core/WrapDimMinimal.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace ferry::executorch::parts {
namespace detail {

/// The front of each dimension before `end` but one, of the sizes that another tensor has.
[[nodiscard]] inline at::Tensor front_part(at::Tensor self, const at::Tensor& like, std::int64_t end,
                                           std::optional<std::int64_t> but = {}) {
    for (std::int64_t dim = 0; dim < end; ++dim)
        if (dim != but && self.size(dim) != like.size(dim)) self = self.slice(dim, 0, like.size(dim));
    return self;
}
/// Sums, and what they are divided by for a mean.
[[nodiscard]] inline at::Tensor gathered_sums(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                              const at::Tensor& source, bool is_mean, bool with_self) {
    const at::Tensor none = decomposed::number_like(self, 0);
    at::Tensor kept = self, count = filled(self, self.sizes(), 1);
    if (!with_self) {
        const at::Tensor is_hit = count.scatter(dim, index, 0).eq(0);
        kept = at::where(is_hit, none, self);
        count = at::where(is_hit, none, count);
    }
    at::Tensor sum = kept.scatter_add(dim, index, source);
    if (!is_mean) return sum;
    count = count.scatter_add(dim, index, filled(self, index.sizes(), 1));
    return self.is_floating_point() ? sum / count : sum.div(count, "floor");
}
/// Each number beside all that come to its place.
[[nodiscard]] inline at::Tensor gathered_extremes(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                                  const at::Tensor& source, std::string_view how, bool with_self) {
    const at::Tensor own = front_part(self, index, self.dim(), dim).movedim(dim, -1);
    const at::Tensor coming = front_part(source, index, index.dim());
    const at::Tensor place = count_up_to(self, own.size(-1)).unsqueeze(1);
    const at::Tensor comes = index.movedim(dim, -1).unsqueeze(-2).eq(place);
    const at::Tensor row = coming.movedim(dim, -1).unsqueeze(-2), is_hit = comes.any(-1);
    at::Tensor made;
    if (how == "prod") {
        made = at::where(comes, row, decomposed::number_like(self, 1)).prod(-1);
        if (with_self) made = made * own;
    } else {
        // Where nothing comes, or not this one: a number that does come, so that no end of the dtype's range is needed.
        const at::Tensor any =
            with_self ? own.unsqueeze(-1) : row.expand_as(comes).gather(-1, comes.to(at::kLong).argmax(-1, true));
        const at::Tensor choice = at::where(comes, row, any);
        made = how == "amax" ? choice.amax(-1) : choice.amin(-1);
        if (with_self) made = how == "amax" ? made.maximum(own) : made.minimum(own);
    }
    if (!with_self) made = at::where(is_hit, made, own);
    return made.movedim(-1, dim);
}

/// Into the front part of each dimension.
[[nodiscard]] inline at::Tensor put_back(const at::Tensor& self, std::int64_t dim, const at::Tensor& part) {
    at::Tensor made = part;
    for (std::int64_t each = self.dim(); each-- > 0;) {
        if (each == dim || self.size(each) == made.size(each)) continue;
        made = at::slice_scatter(front_part(self, made, each, dim), made, each, 0, made.size(each));
    }
    return made;
}

}  // namespace detail

FERRY_INLINE at::Tensor scatter_reduce::decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                                  const at::Tensor& source, std::string_view how, bool with_self) {
    if (self.dim() == 0)
        return decompose(self.unsqueeze(0), 0, index.reshape(-1), source.reshape(-1), how, with_self).squeeze(0);
    dim = c10::maybe_wrap_dim(dim, self.dim());
    if (how == "sum" || how == "mean") return detail::gathered_sums(self, dim, index, source, how == "mean", with_self);
    return detail::put_back(self, dim, detail::gathered_extremes(self, dim, index, source, how, with_self));
}

FERRY_INLINE at::Tensor scatter_by_name::decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                                   const at::Tensor& source, std::string_view how) {
    return scatter_reduce::decompose(self, dim, index, source, how == "add" ? "sum" : "prod", true);
}
FERRY_INLINE at::Tensor scatter_of_number::decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                                     const at::Scalar& value, std::string_view how) {
    return scatter_by_name::decompose(self, dim, index, detail::filled(self, index.sizes(), value), how);
}

FERRY_INLINE at::Tensor diagonal_scatter::decompose(const at::Tensor& self, const at::Tensor& source,
                                                    std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
    const at::Tensor moved = self.movedim({dim1, dim2}, {-2, -1});
    const at::Tensor row = detail::count_up_to(self, moved.size(-2)),
                     column = detail::count_up_to(self, moved.size(-1));
    const at::Tensor place = (row - std::max<std::int64_t>(-offset, 0)).clamp(0, source.size(-1) - 1);
    const at::Tensor is_on = column.unsqueeze(0).eq((row + offset).unsqueeze(1));
    return at::where(is_on, source.index_select(-1, place).unsqueeze(-1), moved).movedim({-2, -1}, {dim1, dim2});
}

FERRY_INLINE embedding_bag::Results embedding_bag::decompose(const at::Tensor& weight, const at::Tensor& indices,
                                                             const at::Tensor& offsets, bool, std::int64_t mode, bool,
                                                             const std::optional<at::Tensor>& factors,
                                                             bool ends_with_last_offset, std::int64_t padding_index) {
    constexpr std::int64_t mean = 1, largest = 2;
    const at::Tensor starts = ends_with_last_offset ? offsets.slice(0, 0, offsets.size(0) - 1) : offsets;
    const at::Tensor number = detail::count_up_to(indices, indices.size(0)).unsqueeze(1);
    const at::Tensor bag = number.ge(starts).sum(1) - 1;
    at::Tensor counts = indices.ne(padding_index);  // -1 is the index of none
    at::Tensor rows = weight.index_select(0, indices);
    if (factors && factors->defined()) rows = rows * factors->unsqueeze(1);
    const at::Tensor place = bag.unsqueeze(1).expand_as(rows);
    const at::Tensor empty = detail::filled(weight, {starts.size(0), weight.size(1)}, 0);
    const at::Tensor sizes = detail::filled(bag, {starts.size(0)}, 0).scatter_add(0, bag, counts.to(at::kLong));
    const at::Tensor is_counted = counts.unsqueeze(1);
    at::Tensor made;
    if (mode == largest) {
        const at::Tensor low = decomposed::number_like(weight, -std::numeric_limits<double>::infinity());
        made = scatter_reduce::decompose(empty, 0, place, at::where(is_counted, rows, low), "amax", false);
        made = at::where(sizes.eq(0).unsqueeze(1), decomposed::number_like(weight, 0), made);
    } else {
        made = empty.scatter_add(0, place, rows * is_counted.to(rows.scalar_type()));
        if (mode == mean) made = made / sizes.clamp_min(1).unsqueeze(1).to(made.scalar_type());
    }
    return {made, at::Tensor(), at::Tensor(), at::Tensor()};  // the others are for gradients
}

FERRY_INLINE at::Tensor col2im::decompose(const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef kernel,
                                          at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride) {
    if (self.dim() == 2) return decompose(self.unsqueeze(0), sizes, kernel, dilation, padding, stride).squeeze(0);
    std::array<at::Tensor, 2> at;
    std::array<std::int64_t, 2> size{};
    for (std::size_t dim = 0; dim < 2; ++dim) {
        size[dim] = sizes[dim] + 2 * padding[dim];
        const std::int64_t steps = (size[dim] - dilation[dim] * (kernel[dim] - 1) - 1) / stride[dim] + 1;
        const at::Tensor in_patch = detail::count_up_to(self, kernel[dim]) * dilation[dim];
        const at::Tensor patch = detail::count_up_to(self, steps) * stride[dim];
        const auto other = static_cast<std::int64_t>(1 - dim);
        at[dim] = (in_patch.unsqueeze(1) + patch).unsqueeze(other).unsqueeze(other + 2);
    }
    const at::Tensor place = (at[0] * size[1] + at[1]).reshape({1, 1, -1});
    const std::int64_t channels = self.size(1) / (kernel[0] * kernel[1]);
    const at::Tensor numbers = self.reshape({self.size(0), channels, -1});
    const at::Tensor empty = detail::filled(self, {self.size(0), channels, size[0] * size[1]}, 0);
    const at::Tensor made = empty.scatter_add(2, place.expand_as(numbers), numbers);
    return made.reshape({self.size(0), channels, size[0], size[1]})
        .slice(2, padding[0], padding[0] + sizes[0])
        .slice(3, padding[1], padding[1] + sizes[1]);
}

}  // namespace ferry::executorch::parts
