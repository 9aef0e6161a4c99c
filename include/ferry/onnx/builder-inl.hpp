#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/builder.hpp>
#include <ferry/onnx/size_builder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// In a constant shape, 0 stands for the input's size at that place and -1 for the one that is left. Both only hold for sizes that are not
/// zero, and so does Ferry's use of them.
FERRY_INLINE Ref Builder::reshape(Ref value, const Sizes& to) {
    const auto& from = model()[value].sizes;
    if (from && *from == to) return value;
    const bool has_zero = algo::any_of(to, [](const SymExpr& size) { return size.is_constant(0); });
    std::vector<std::int64_t> constant_shape;
    std::size_t open = 0;
    bool all_positive = true;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].is_constant()) {
            constant_shape.push_back(to[i].value());
        } else if (from && i < from->size() && (*from)[i] == to[i]) {
            constant_shape.push_back(0);
            all_positive = all_positive && is_positive(to[i]);
        } else {
            constant_shape.push_back(-1);
            ++open;
        }
    }
    Ref made;
    if (!has_zero && (open == 0 || (open == 1 && all_positive)))
        made = add("Reshape", {value, ints(constant_shape)});
    else if (has_zero)
        made = add("Reshape", {value, shape(to)}, {{"allowzero", 1}});
    else if (algo::all_of(to, [&](const SymExpr& size) { return is_positive(size); }))
        made = add("Reshape", {value, shape(to)});
    else
        made = add("Reshape", {value, shape(to)}, {{"allowzero", 1}});
    return with_sizes(made, to);
}

// Where a size stays, 1 says so without a need to know it.
FERRY_INLINE Ref Builder::expand(Ref value, const Sizes& to) {
    const auto& from = model()[value].sizes;
    if (from && *from == to) return value;
    Sizes wanted = to;
    if (from) {
        const std::size_t added = to.size() - from->size();
        for (std::size_t i = 0; i < from->size(); ++i)
            if ((*from)[i] == to[i + added]) wanted[i + added] = 1;
    }
    return with_sizes(add("Expand", {value, shape(wanted)}), to);
}

FERRY_INLINE Ref Builder::permute(Ref value, const std::vector<std::int64_t>& order) {
    if (algo::is_sorted(order)) return value;
    Sizes moved;
    for (const std::int64_t dim : order) moved.push_back(sizes(value)[static_cast<std::size_t>(dim)]);
    return with_sizes(add("Transpose", {value}, {{"perm", order}}), std::move(moved));
}

FERRY_INLINE Ref Builder::transpose(Ref value, std::int64_t a, std::int64_t b) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank(value)));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
    return permute(value, order);
}

/// The dimensions as they are in the result.
FERRY_INLINE Ref Builder::unsqueeze(Ref value, std::vector<std::int64_t> dims) {
    if (dims.empty()) return value;
    Sizes grown = sizes(value);
    algo::sort(dims);
    for (const std::int64_t dim : dims) grown.insert(grown.begin() + dim, SymExpr(1));
    return with_sizes(add("Unsqueeze", {value, ints(dims)}), std::move(grown));
}

FERRY_INLINE Ref Builder::squeeze(Ref value, std::vector<std::int64_t> dims) {
    if (dims.empty()) return value;
    Sizes left = sizes(value);
    algo::sort(dims, std::greater<>());
    for (const std::int64_t dim : dims) left.erase(left.begin() + dim);
    std::reverse(dims.begin(), dims.end());
    return with_sizes(add("Squeeze", {value, ints(dims)}), std::move(left));
}

FERRY_INLINE Ref Builder::slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step) {
    std::vector<Ref> inputs{value, start, end, ints({dim})};
    if (step != 1) inputs.push_back(ints({step}));
    return add("Slice", std::move(inputs));
}

}  // namespace ferry::onnx
