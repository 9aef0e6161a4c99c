#pragma once

#include <ferry/onnx/size_builder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// The end of a slice that takes all there is.
inline constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

/// Builds a model: nodes, sizes, and what translations of all families do to tensors.
class Builder : public SizeBuilder {
public:
    using SizeBuilder::SizeBuilder;

    // Views.
    Ref reshape(Ref value, const Sizes& to);
    Ref expand(Ref value, const Sizes& to);
    Ref permute(Ref value, const std::vector<std::int64_t>& order);
    Ref transpose(Ref value, std::int64_t a, std::int64_t b);
    Ref unsqueeze(Ref value, std::vector<std::int64_t> dims);
    Ref squeeze(Ref value, std::vector<std::int64_t> dims);
    /// One dimension from `start` to `end`; the ends as tensors of one element.
    Ref slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step = 1);
    Ref scalar_of(Ref one_element) { return with_sizes(add("Squeeze", {one_element}), {}); }

    // Complex numbers, as pairs of real ones along a last dimension.
    Ref pair(Ref real, Ref imaginary) {
        return add("Concat", {add("Unsqueeze", {real, ints({-1})}), add("Unsqueeze", {imaginary, ints({-1})})},
                   {{"axis", -1}});
    }
    Ref real_part(Ref pairs) { return part(pairs, 0); }
    Ref imaginary_part(Ref pairs) { return part(pairs, 1); }

private:
    Ref part(Ref pairs, std::int64_t which) {
        const Ref made = add("Gather", {pairs, number(which, DType::int64)}, {{"axis", -1}});
        if (!model()[pairs].sizes) return made;
        return with_sizes(made, Sizes(sizes(pairs).begin(), sizes(pairs).end() - 1));
    }
};

/// In a constant shape, 0 stands for the input's size at that place and -1 for the one that is left. Both only hold for sizes that are not
/// zero, and so does Ferry's use of them.
inline Ref Builder::reshape(Ref value, const Sizes& to) {
    const auto& from = model()[value].sizes;
    if (from && *from == to) return value;
    const bool has_zero = std::ranges::any_of(to, [](const SymExpr& size) { return size.is_constant(0); });
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
    else if (std::ranges::all_of(to, [&](const SymExpr& size) { return is_positive(size); }))
        made = add("Reshape", {value, shape(to)});
    else
        made = add("Reshape", {value, shape(to)}, {{"allowzero", 1}});
    return with_sizes(made, to);
}

inline Ref Builder::expand(Ref value, const Sizes& to) {
    const auto& from = model()[value].sizes;
    if (from && *from == to) return value;
    // Where a size stays, 1 says so without a need to know it.
    Sizes wanted = to;
    if (from) {
        const std::size_t added = to.size() - from->size();
        for (std::size_t i = 0; i < from->size(); ++i)
            if ((*from)[i] == to[i + added]) wanted[i + added] = 1;
    }
    return with_sizes(add("Expand", {value, shape(wanted)}), to);
}

inline Ref Builder::permute(Ref value, const std::vector<std::int64_t>& order) {
    if (std::ranges::is_sorted(order)) return value;
    Sizes moved;
    for (const std::int64_t dim : order) moved.push_back(sizes(value)[static_cast<std::size_t>(dim)]);
    return with_sizes(add("Transpose", {value}, {{"perm", order}}), std::move(moved));
}

inline Ref Builder::transpose(Ref value, std::int64_t a, std::int64_t b) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank(value)));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
    return permute(value, order);
}

/// The dimensions as they are in the result.
inline Ref Builder::unsqueeze(Ref value, std::vector<std::int64_t> dims) {
    if (dims.empty()) return value;
    Sizes grown = sizes(value);
    std::ranges::sort(dims);
    for (const std::int64_t dim : dims) grown.insert(grown.begin() + dim, SymExpr(1));
    return with_sizes(add("Unsqueeze", {value, ints(dims)}), std::move(grown));
}

inline Ref Builder::squeeze(Ref value, std::vector<std::int64_t> dims) {
    if (dims.empty()) return value;
    Sizes left = sizes(value);
    std::ranges::sort(dims, std::greater<>());
    for (const std::int64_t dim : dims) left.erase(left.begin() + dim);
    std::ranges::reverse(dims);
    return with_sizes(add("Squeeze", {value, ints(dims)}), std::move(left));
}

inline Ref Builder::slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step) {
    std::vector<Ref> inputs{value, start, end, ints({dim})};
    if (step != 1) inputs.push_back(ints({step}));
    return add("Slice", std::move(inputs));
}

}  // namespace ferry::onnx
