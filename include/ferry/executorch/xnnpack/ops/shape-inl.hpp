#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/xnnpack/definition.hpp>
#include <ferry/executorch/xnnpack/ops/shape.hpp>

#include <ATen/ops/ones.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch::delegated {

FERRY_INLINE void reshapes::define(xnnpack::Definition& d) {
    const Value self = d.node().input(0);
    if (d.builder().is_channels_last(self) && d.sizes(self) == d.sizes(d.output()))
        return d.elementwise({.op = xnnpack::Op::XNNCopy}, {{.value = self}});
    d.give(d.reshape(d.plain(self), d.sizes(d.output())));
}

FERRY_INLINE void permutations::define(xnnpack::Definition& d) {
    const Value self = d.tensor("self");
    const std::size_t rank = d.rank(self);
    xnnpack::Sizes order(rank);
    std::iota(order.begin(), order.end(), 0U);
    if (d.node().find("dims") != nullptr) {
        const auto dims = d.integers("dims");
        d.require(dims.size() == rank);
        for (std::size_t i = 0; i < rank && i < dims.size(); ++i)
            order[i] = static_cast<std::uint32_t>(d.dim(dims[i], self));
    } else if (rank >= 2) {
        const bool is_matrix = d.node().find("dim0") == nullptr;
        std::swap(order[d.dim(is_matrix ? 0 : d.integer("dim0"), self)],
                  order[d.dim(is_matrix ? 1 : d.integer("dim1"), self)]);
    }
    d.require(rank >= 2);
    if (!d.is_declined()) d.give(d.builder().transpose(d.plain(self), std::move(order)));
}

/// A product with ones, where the new sizes are known.
FERRY_INLINE void expansion::define(xnnpack::Definition& d) {
    const Value self = d.tensor("self"), made = d.output();
    const std::size_t added = d.rank(made) - d.rank(self);
    std::vector<std::int64_t> ones(d.rank(made), 1);
    for (std::size_t i = 0; i < ones.size(); ++i)
        if (i < added || d.sizes(self)[i - added] != d.sizes(made)[i]) ones[i] = d.fixed_size(made, i);
    if (d.is_declined()) return;
    const auto all = d.builder().constant(at::ones(ones, at::TensorOptions().dtype(at::kFloat)));
    d.give(d.apply(xnnpack::Op::XNNMultiply, {d.plain(self), all}, d.builder().sizes(made)));
}

namespace detail {

/// Of one dimension a part that begins and ends at known places.
[[nodiscard]] inline xnnpack::Ref slice(xnnpack::Definition& d, Value self, std::size_t dim, std::int64_t first,
                                        std::int64_t size) {
    const std::size_t rank = d.rank(self);
    xnnpack::Sizes offsets(rank, 0), sizes, made = d.builder().sizes(self);
    for (const SymExpr& each : d.sizes(self))  // 0: all of them
        sizes.push_back(each.is_constant() ? static_cast<std::uint32_t>(each.value()) : 0);
    offsets[dim] = static_cast<std::uint32_t>(first);
    sizes[dim] = made[dim] = static_cast<std::uint32_t>(size);
    return d.apply({.op = xnnpack::Op::XNNStaticSlice,
                    .inputs = {d.plain(self)},
                    .list = std::move(offsets),
                    .second_list = std::move(sizes)},
                   std::move(made));
}

}  // namespace detail

FERRY_INLINE void slices::define(xnnpack::Definition& d) {
    const Value self = d.tensor("self"), made = d.output();
    const std::size_t dim = d.dim(d.integer("dim", 0), self);
    const bool is_one = d.node().find("index") != nullptr;
    std::int64_t first = d.integer(is_one ? "index" : "start", 0);
    d.require(dim < d.rank(self) && d.integer("step", 1) == 1);
    if (d.is_declined()) return;
    const bool is_fixed = d.sizes(self)[dim].is_constant();
    d.require(first >= 0 || is_fixed);
    const std::int64_t size = is_one ? 1 : d.fixed_size(made, dim);
    if (is_fixed) {
        const std::int64_t all = d.sizes(self)[dim].value();
        first = std::clamp<std::int64_t>(first < 0 ? first + all : first, 0, all);
    }
    if (d.is_declined()) return;
    const auto part = detail::slice(d, self, dim, first, size);
    d.give(is_one ? d.reshape(part, d.sizes(made)) : part);
}

FERRY_INLINE void splits::define(xnnpack::Definition& d) {
    const Value self = d.tensor("self");
    const std::size_t dim = d.dim(d.integer("dim", 0), self);
    d.require(dim < d.rank(self) && d.node().outputs().size() == 1);
    std::int64_t first = 0;
    for (const Value made : d.node().outputs()[0].values) {
        const std::int64_t size = d.fixed_size(made, dim);
        d.require(d.sizes(self)[dim].is_constant() && size > 0);
        if (d.is_declined()) return;
        if (d.builder().graph().is_used(made)) d.builder().bind(made, detail::slice(d, self, dim, first, size));
        first += size;
    }
}

FERRY_INLINE void concatenation::define(xnnpack::Definition& d) {
    using xnnpack::Op;
    static constexpr Op by_count[] = {Op::XNNConcatenate2, Op::XNNConcatenate3, Op::XNNConcatenate4,
                                      Op::XNNConcatenate5};
    constexpr std::size_t most = 5;
    const std::vector<Value> tensors = d.tensors("tensors");
    const Value made = d.output();
    std::size_t dim = d.dim(d.integer("dim", 0), made);
    const std::size_t rank = d.rank(made);
    d.require(tensors.size() >= 2 && dim < rank);
    for (const Value each : tensors) d.require(d.rank(each) == rank);
    if (d.is_declined()) return;
    const bool is_last =
        rank == 4 && algo::any_of(tensors, [&](Value each) { return d.builder().is_channels_last(each); });
    if (is_last) dim = dim == 0 ? 0 : dim == 1 ? 3 : dim - 1;
    std::vector<xnnpack::Ref> parts;
    parts.reserve(tensors.size());
    for (const Value each : tensors)
        parts.push_back(is_last ? d.builder().channels_last(each) : d.builder().plain(each));
    while (parts.size() > 1) {
        const std::size_t count = std::min(most, parts.size());
        std::vector<xnnpack::Ref> some(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count));
        xnnpack::Sizes sizes = d.builder().sizes_of(some[0]);
        for (std::size_t i = 1; i < count; ++i) sizes[dim] += d.builder().sizes_of(some[i])[dim];
        parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count));
        parts.insert(parts.begin(),
                     d.apply({.op = by_count[count - 2], .inputs = std::move(some), .number = static_cast<float>(dim)},
                             std::move(sizes)));
    }
    is_last ? d.builder().bind_channels_last(made, parts[0]) : d.builder().bind(made, parts[0]);
}

FERRY_INLINE void padding::define(xnnpack::Definition& d) {
    const Value self = d.tensor("self"), made = d.output();
    const std::vector<std::int64_t> pads = d.integers("pad");
    const std::size_t rank = d.rank(self);
    d.require(pads.size() <= 2 * rank && algo::all_of(pads, [](std::int64_t pad) { return pad >= 0; }));
    const auto value = static_cast<float>(d.real("value", 0));
    if (d.is_declined()) return;
    xnnpack::Sizes before(rank, 0), behind(rank, 0), sizes = d.builder().sizes(made);
    for (std::size_t i = 0; i < pads.size() / 2; ++i) {  // the last dimension comes first
        before[rank - 1 - i] = static_cast<std::uint32_t>(pads[2 * i]);
        behind[rank - 1 - i] = static_cast<std::uint32_t>(pads[2 * i + 1]);
    }
    const bool is_last = rank == 4 && d.builder().is_channels_last(self);
    if (is_last)
        for (xnnpack::Sizes* each : {&before, &behind, &sizes})
            std::rotate(each->begin() + 1, each->begin() + 2, each->end());
    const auto ref = d.apply({.op = xnnpack::Op::XNNStaticConstantPad,
                              .inputs = {is_last ? d.builder().channels_last(self) : d.plain(self)},
                              .list = std::move(before),
                              .second_list = std::move(behind),
                              .number = value},
                             std::move(sizes));
    is_last ? d.builder().bind_channels_last(made, ref) : d.builder().bind(made, ref);
}

}  // namespace ferry::executorch::delegated
