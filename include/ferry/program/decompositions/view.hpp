#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/arguments.hpp>
#include <ferry/program/decompositions/factory.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/InferSize.h>
#include <ATen/TensorOperators.h>
#include <ATen/TensorUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

/// Other ways to see a tensor: permute, view, expand, select, slice and squeeze.dims are core ATen.
namespace ferry {
namespace decomposed {

/// A program may rely on how an op's kernel lays its result out in memory; what the op consists of need not do so.
struct view_of_any_layout {
    static constexpr auto target = op("aten::view");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size) {
        const bool copies = must_copy(may_copy() && !fits(self, size));
        return (copies ? self.clone(at::MemoryFormat::Contiguous) : self).view(size);
    }

    [[nodiscard]] static bool fits(const at::Tensor& self, at::IntArrayRef size) {
        return at::detail::computeStride(self.sizes(), self.strides(), at::infer_size(size, self.numel())).has_value();
    }
};
/// libtorch's own parts of these are views where the memory allows it at the sizes at hand, and copies otherwise.
struct reshape {
    static constexpr auto target = op("aten::reshape");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shape) {
        const bool copies = must_copy(!view_of_any_layout::fits(self, shape));
        return (copies ? self.clone(at::MemoryFormat::Contiguous) : self).view(shape);
    }
};
struct flatten {
    static constexpr auto target = op("aten::flatten.using_ints");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t start, std::int64_t end) {
        if (self.dim() == 0) return self.reshape({1});
        const std::int64_t first = from_front(start, self.dim()), last = from_front(end, self.dim());
        if (first == last) return self;
        std::vector<std::int64_t> shape;
        std::int64_t joined = 1;
        for (std::int64_t dim = 0; dim < self.dim(); ++dim) {
            const bool is_inside = dim >= first && dim <= last;
            if (is_inside) joined = checked_mul(joined, self.size(dim));
            if (!is_inside || dim == last) shape.push_back(is_inside ? joined : self.size(dim));
        }
        return self.reshape(shape);
    }
};
struct contiguous {
    static constexpr auto target = op("aten::contiguous");
    static at::Tensor decompose(const at::Tensor& self, at::MemoryFormat format) {
        return must_copy(!self.is_contiguous(format)) ? self.clone(format) : self;
    }
};
/// Reads memory as it lies there: where an op's parts lay their result out in another way, this would read something else.
struct strided_as_before {
    static constexpr auto target = op("aten::as_strided");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, at::IntArrayRef stride,
                                std::optional<std::int64_t> offset) {
        const Node* node = detail::running.node();
        if (node != nullptr && node->op() == "aten::as_strided" && !is_laid_out_as_said(self, "self"))
            throw Error(ErrorKind::unsupported, "as_strided reads the result of an op that was taken apart",
                        {.hint = "call contiguous() on it first", .where = {.op = "aten::as_strided"}});
        return self.as_strided(size, stride, offset);
    }
};
struct transpose {
    static constexpr auto target = op("aten::transpose.int");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t first, std::int64_t second) {
        if (self.dim() == 0) return at::alias(self);
        std::vector<std::int64_t> order(static_cast<std::size_t>(self.dim()));
        std::iota(order.begin(), order.end(), 0);
        std::swap(order.at(static_cast<std::size_t>(from_front(first, self.dim()))),
                  order.at(static_cast<std::size_t>(from_front(second, self.dim()))));
        return self.permute(order);
    }
};
struct matrix_transpose {
    static constexpr auto target = op("aten::t");
    static at::Tensor decompose(const at::Tensor& self) {
        return self.dim() < 2 ? at::alias(self) : self.permute({1, 0});
    }
};
struct squeeze_one {
    static constexpr auto target = op("aten::squeeze.dim");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim) { return self.squeeze(at::IntArrayRef(dim)); }
};
struct squeeze_all {
    static constexpr auto target = op("aten::squeeze");
    static at::Tensor decompose(const at::Tensor& self) {
        std::vector<std::int64_t> dims;
        for (std::int64_t dim = 0; dim < self.dim(); ++dim)
            if (self.size(dim) == 1) dims.push_back(dim);
        return self.squeeze(at::IntArrayRef(dims));
    }
};
struct unbind {
    static constexpr auto target = op("aten::unbind.int");
    static std::vector<at::Tensor> decompose(const at::Tensor& self, std::int64_t dim) {
        require_few(self.size(dim));
        std::vector<at::Tensor> parts;
        parts.reserve(static_cast<std::size_t>(self.size(dim)));
        for (std::int64_t i = 0; i < self.size(dim); ++i) parts.push_back(self.select(dim, i));
        return parts;
    }
};
struct split {
    static constexpr auto target = op("aten::split.Tensor");
    static std::vector<at::Tensor> decompose(const at::Tensor& self, std::int64_t size, std::int64_t dim) {
        std::vector<std::int64_t> sizes;
        const std::int64_t whole = self.size(dim);
        if (size != 0 || whole != 0) require_positive(size, "split_size");
        require_few(size == 0 ? 1 : whole / size);
        for (std::int64_t at = 0; at < whole || sizes.empty(); at += size) {
            sizes.push_back(std::min(size, whole - at));
            if (size == 0) break;
        }
        return self.split_with_sizes(sizes, dim);
    }
};
struct unsafe_split {
    static constexpr auto target = op("aten::unsafe_split.Tensor");
    static std::vector<at::Tensor> decompose(const at::Tensor& self, std::int64_t size, std::int64_t dim) {
        return split::decompose(self, size, dim);
    }
};
struct unsafe_split_with_sizes {
    static constexpr auto target = op("aten::unsafe_split_with_sizes");
    static std::vector<at::Tensor> decompose(const at::Tensor& self, at::IntArrayRef sizes, std::int64_t dim) {
        return self.split_with_sizes(sizes, dim);
    }
};
struct detach {
    static constexpr auto target = op("aten::detach", "aten::lift_fresh");
    static at::Tensor decompose(const at::Tensor& self) { return at::alias(self); }
};
struct lift_fresh_copy {
    static constexpr auto target = op("aten::lift_fresh_copy");
    static at::Tensor decompose(const at::Tensor& self) { return self.clone(); }
};
struct unsafe_view {
    static constexpr auto target = op("aten::_unsafe_view");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size) { return self.view(size); }
};
struct stack {
    static constexpr auto target = op("aten::stack");
    static at::Tensor decompose(at::TensorList parts, std::int64_t dim) {
        std::vector<at::Tensor> longer;
        longer.reserve(parts.size());
        for (const at::Tensor& part : parts) longer.push_back(part.unsqueeze(dim));
        return at::cat(longer, from_front(dim, longer.at(0).dim()));
    }
};
struct roll {
    static constexpr auto target = op("aten::roll");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shifts, at::IntArrayRef dims) {
        if (dims.empty()) return decompose(self.flatten(), shifts, {0}).view(self.sizes());
        require_items(shifts, dims.size(), "shifts");
        at::Tensor rolled = self;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const std::int64_t size = rolled.size(dims[i]);
            const std::int64_t by = size == 0 ? 0 : checked_mod(shifts[i], size), start = by == 0 ? 0 : size - by;
            rolled = at::cat({rolled.slice(dims[i], start, size), rolled.slice(dims[i], 0, start)}, dims[i]);
        }
        return rolled;
    }
};
/// Takes the dimensions behind `kept` apart into `parts`, puts those in another order and makes `joined` of them.
[[nodiscard]] inline at::Tensor shuffled(const at::Tensor& self, std::size_t kept,
                                         std::initializer_list<std::int64_t> parts,
                                         std::initializer_list<std::int64_t> places,
                                         std::initializer_list<std::int64_t> joined) {
    const at::IntArrayRef front = self.sizes().slice(0, kept);
    std::vector<std::int64_t> split = front.vec(), order(kept), whole = front.vec();
    std::iota(order.begin(), order.end(), 0);
    split.insert(split.end(), parts);
    for (const std::int64_t place : places) order.push_back(static_cast<std::int64_t>(kept) + place);
    whole.insert(whole.end(), joined);
    return self.reshape(split).permute(order).reshape(whole);
}
struct pixel_shuffle {
    static constexpr auto target = op("aten::pixel_shuffle");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t factor) {
        require_positive(factor, "upscale_factor");
        const std::int64_t channels = self.size(-3) / checked_mul(factor, factor), height = self.size(-2),
                           width = self.size(-1);
        return shuffled(self, static_cast<std::size_t>(self.dim() - 3), {channels, factor, factor, height, width},
                        {0, 3, 1, 4, 2}, {channels, checked_mul(height, factor), checked_mul(width, factor)});
    }
};
struct pixel_unshuffle {
    static constexpr auto target = op("aten::pixel_unshuffle");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t factor) {
        require_positive(factor, "downscale_factor");
        const std::int64_t channels = self.size(-3), height = self.size(-2) / factor, width = self.size(-1) / factor;
        return shuffled(self, static_cast<std::size_t>(self.dim() - 3), {channels, height, factor, width, factor},
                        {0, 2, 4, 1, 3}, {checked_mul(checked_mul(channels, factor), factor), height, width});
    }
};
struct channel_shuffle {
    static constexpr auto target = op("aten::channel_shuffle", "aten::native_channel_shuffle");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t groups) {
        require_positive(groups, "groups");
        const std::int64_t channels = self.size(1);
        std::vector<std::int64_t> split = self.sizes().vec(), order(split.size() + 1);
        split[1] = channels / groups;
        split.insert(split.begin() + 1, groups);
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[1], order[2]);
        return self.reshape(split).permute(order).reshape(self.sizes());
    }
};
struct rotate_by_90 {
    static constexpr auto target = op("aten::rot90");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t times, at::IntArrayRef dims) {
        require_items(dims, 2, "dims");
        const std::int64_t turns = ((times % 4) + 4) % 4;
        if (turns == 0) return self.clone();
        if (turns == 2) return self.flip(dims);
        return turns == 1 ? self.flip(dims[1]).transpose(dims[0], dims[1])
                          : self.transpose(dims[0], dims[1]).flip(dims[1]);
    }
};
/// Windows back where they were cut out, those that overlap summed up.
struct fold_windows {
    static constexpr auto target = op("aten::unfold_backward");
    static at::Tensor decompose(const at::Tensor& windows, at::IntArrayRef sizes, std::int64_t which, std::int64_t size,
                                std::int64_t step) {
        if (sizes.empty()) return windows.squeeze(0);
        const std::int64_t dim = from_front(which, static_cast<std::int64_t>(sizes.size()));
        const auto indices = windows.options().dtype(at::kLong).device(real_device(windows));
        const at::Tensor starts = at::arange(windows.size(dim), indices) * step;
        const at::Tensor places = (starts.unsqueeze(1) + at::arange(size, indices)).flatten();
        return at::zeros(sizes, windows.options().device(real_device(windows)))
            .index_add(dim, places, windows.movedim(-1, dim + 1).flatten(dim, dim + 1));
    }
};
struct diagonal_matrix {
    static constexpr auto target = op("aten::diag_embed");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t offset, std::int64_t first, std::int64_t second) {
        const std::int64_t rank = self.dim() + 1;
        const std::int64_t row = from_front(first, rank), column = from_front(second, rank);
        const std::int64_t back = checked_neg(offset), size = checked_add(self.size(-1), std::max(offset, back));
        at::Tensor padded = offset < 0 ? self : at::constant_pad_nd(self, {offset, 0}, 0);
        if (offset < 0) padded = at::constant_pad_nd(padded, {0, back}, 0);
        // In (..., row, column): element c of the diagonal stands in column c, or for offsets below zero c of column c.
        std::vector<std::int64_t> order;
        order.reserve(static_cast<std::size_t>(rank));
        std::int64_t next = 0;
        for (std::int64_t dim = 0; dim < rank; ++dim)
            order.push_back(dim == row ? rank - 2 : dim == column ? rank - 1 : next++);
        const at::Tensor on = offsets_from_diagonal(size, size, real_device(self)).eq(offset);
        return at::where(on, padded.unsqueeze(-2), number_like(self, 0)).permute(order);
    }
};

}  // namespace decomposed

using view_decompositions =
    decompositions<decomposed::view_of_any_layout, decomposed::reshape, decomposed::flatten, decomposed::contiguous,
                   decomposed::strided_as_before, decomposed::transpose, decomposed::matrix_transpose,
                   decomposed::squeeze_one, decomposed::squeeze_all, decomposed::unbind, decomposed::split,
                   decomposed::unsafe_split, decomposed::unsafe_split_with_sizes, decomposed::detach,
                   decomposed::lift_fresh_copy, decomposed::unsafe_view, decomposed::stack, decomposed::roll,
                   decomposed::pixel_shuffle, decomposed::pixel_unshuffle, decomposed::channel_shuffle,
                   decomposed::rotate_by_90, decomposed::fold_windows, decomposed::diagonal_matrix>;

}  // namespace ferry
