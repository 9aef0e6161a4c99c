#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

/// Other ways to see a tensor: permute, view, expand, select, slice and squeeze.dims are core ATen.
namespace ferry {
namespace decomposed {

[[nodiscard]] inline std::int64_t from_front(std::int64_t dim, std::int64_t rank) { return dim < 0 ? dim + rank : dim; }

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
        for (std::int64_t at = 0; at < whole || sizes.empty(); at += size) {
            sizes.push_back(std::min(size, whole - at));
            if (size == 0) break;
        }
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
        for (const at::Tensor& part : parts) longer.push_back(part.unsqueeze(dim));
        return at::cat(longer, from_front(dim, longer.at(0).dim()));
    }
};
struct roll {
    static constexpr auto target = op("aten::roll");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shifts, at::IntArrayRef dims) {
        if (dims.empty()) return decompose(self.flatten(), shifts, {0}).view(self.sizes());
        at::Tensor rolled = self;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const std::int64_t size = rolled.size(dims[i]);
            const std::int64_t start = size == 0 ? 0 : ((-shifts[i] % size) + size) % size;
            rolled = at::cat({rolled.slice(dims[i], start, size), rolled.slice(dims[i], 0, start)}, dims[i]);
        }
        return rolled;
    }
};
struct pixel_shuffle {
    static constexpr auto target = op("aten::pixel_shuffle");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t factor) {
        std::vector<std::int64_t> split(self.sizes().begin(), self.sizes().end() - 3), order(split.size()),
            joined = split;
        std::iota(order.begin(), order.end(), 0);
        const std::int64_t channels = self.size(-3) / (factor * factor), height = self.size(-2), width = self.size(-1);
        const auto first = static_cast<std::int64_t>(split.size());
        for (const std::int64_t size : {channels, factor, factor, height, width}) split.push_back(size);
        for (const std::int64_t place : {0, 3, 1, 4, 2}) order.push_back(first + place);
        for (const std::int64_t size : {channels, height * factor, width * factor}) joined.push_back(size);
        return self.view(split).permute(order).reshape(joined);
    }
};

}  // namespace decomposed

using view_decompositions = decompositions<decomposed::transpose, decomposed::matrix_transpose, decomposed::squeeze_one,
                                           decomposed::squeeze_all, decomposed::unbind, decomposed::split,
                                           decomposed::detach, decomposed::lift_fresh_copy, decomposed::unsafe_view,
                                           decomposed::stack, decomposed::roll, decomposed::pixel_shuffle>;

}  // namespace ferry
