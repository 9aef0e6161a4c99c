#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/indexing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// `self[a, :, b]` in ONNX's words: the indexed dimensions moved to the front, and one tensor whose last dimension is a position in them.
struct Indexing {
    Ref self;                           ///< indexed dimensions first
    Ref positions;                      ///< int64; null where one index does without
    Ref only;                           ///< the one index
    std::size_t count = 0;              ///< of the indexed dimensions
    Sizes index_sizes{};                ///< of all indices together
    Sizes rest{};                       ///< of the dimensions that are not indexed
    std::vector<std::int64_t> order{};  ///< of the dimensions of self
    std::size_t place = 0;              ///< of the index's dimensions among those of the result
};

[[nodiscard]] inline Sizes broadcast(const Sizes& a, const Sizes& b) {
    Sizes joined(std::max(a.size(), b.size()), SymExpr(1));
    for (std::size_t i = 0; i < joined.size(); ++i) {
        const SymExpr left = i < a.size() ? a[a.size() - 1 - i] : SymExpr(1);
        const SymExpr right = i < b.size() ? b[b.size() - 1 - i] : SymExpr(1);
        joined[joined.size() - 1 - i] = left.is_constant(1) ? right : left;
    }
    return joined;
}

/// A condition stands for the positions where it holds, one index for each of its dimensions. How many these are only shows at run time.
inline void add_indices(Translation& t, Ref index, const SymExpr& found, std::vector<Ref>& indices) {
    if (!index || (t.dtype(index) != DType::boolean && t.dtype(index) != DType::uint8)) {
        indices.push_back(index ? t.cast(index, DType::int64) : index);
        return;
    }
    const std::int64_t rank = t.rank(index);
    const Ref places = t.add("NonZero", {t.cast(index, DType::boolean)});
    if (rank == 1) {
        indices.push_back(t.with_sizes(t.add("Squeeze", {places, t.ints({0})}), {found}));
        return t.know_symbols(indices.back());
    }
    const Sizes ones(static_cast<std::size_t>(rank), SymExpr(1));
    for (const Ref row : t.add_many("Split", {places, t.shape(ones)}, {{"axis", 0}}, static_cast<std::size_t>(rank)))
        indices.push_back(t.with_sizes(t.add("Squeeze", {row, t.ints({0})}), {found}));
    t.know_symbols(indices.back());
}

[[nodiscard]] inline Indexing indexing(Translation& t, const SymExpr& found) {
    Indexing made;
    const Ref self = t.tensor("self");
    const auto rank = static_cast<std::size_t>(t.rank(self));
    std::vector<Ref> indices;
    for (const Ref index : t.tensors("indices")) {
        if (index && t.rank(index) == 0 && t.dtype(index) == DType::boolean) t.refuse("an index that is one condition");
        add_indices(t, index, found, indices);
    }
    indices.resize(rank);
    std::vector<std::int64_t> indexed, others;
    for (std::size_t dim = 0; dim < rank; ++dim)
        (indices[dim] ? indexed : others).push_back(static_cast<std::int64_t>(dim));
    made.count = indexed.size();
    const bool together =
        indexed.empty() || indexed.back() - indexed.front() + 1 == static_cast<std::int64_t>(made.count);
    made.place = together && !indexed.empty() ? static_cast<std::size_t>(indexed.front()) : 0;
    made.order = indexed;
    made.order.insert(made.order.end(), others.begin(), others.end());
    for (const std::int64_t dim : others) made.rest.push_back(t.sizes(self)[static_cast<std::size_t>(dim)]);
    for (const std::int64_t dim : indexed)
        made.index_sizes = broadcast(made.index_sizes, t.sizes(indices[static_cast<std::size_t>(dim)]));
    if (indexed.size() == 1) made.only = indices[static_cast<std::size_t>(indexed[0])];
    made.self = self;
    if (made.count == 0) return made;
    std::vector<Ref> columns;
    for (const std::int64_t dim : indexed) {
        const Ref all = t.expand(indices[static_cast<std::size_t>(dim)], made.index_sizes);
        columns.push_back(t.unsqueeze(all, {static_cast<std::int64_t>(made.index_sizes.size())}));
    }
    if (columns.size() == 1)
        made.positions = columns[0];
    else
        made.positions = t.add("Concat", std::move(columns), {{"axis", -1}});
    return made;
}

/// The index's dimensions come first out of GatherND; where indices stand side by side they belong in their place.
[[nodiscard]] inline std::vector<std::int64_t> order_of_result(const Indexing& how) {
    const std::size_t width = how.index_sizes.size();
    std::vector<std::int64_t> order;
    order.reserve(how.place + width);
    for (std::size_t i = 0; i < how.place; ++i) order.push_back(static_cast<std::int64_t>(width + i));
    for (std::size_t i = 0; i < width; ++i) order.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = how.place; i < how.rest.size(); ++i) order.push_back(static_cast<std::int64_t>(width + i));
    return order;
}

/// The size that a condition's count has in the result.
[[nodiscard]] inline SymExpr count_in(Translation& t, const Sizes& result) {
    std::int64_t at = 0;
    for (const Ref index : t.tensors("indices")) {
        if (index && t.dtype(index) == DType::boolean) break;
        ++at;
    }
    // Other dimensions in front of it keep their places, or the indices are apart and come first.
    return std::cmp_less(at, result.size()) ? result[static_cast<std::size_t>(at)]
           : result.empty()                 ? SymExpr(1)
                                            : result[0];
}

FERRY_INLINE Ref index::translate(Translation& t) {
    const Indexing how = indexing(t, count_in(t, t.result_sizes()));
    if (how.count == 0) return how.self;
    if (how.only) return t.add("Gather", {how.self, how.only}, {{"axis", how.order[0]}});
    const Ref moved = t.permute(how.self, how.order);
    Ref taken = t.add("GatherND", {moved, how.positions});
    Sizes sizes = how.index_sizes;
    sizes.insert(sizes.end(), how.rest.begin(), how.rest.end());
    return t.permute(t.with_sizes(taken, std::move(sizes)), order_of_result(how));
}

// ONNX Runtime adds no half precision.
// self[mask] = number needs no positions.
// How often a condition holds is no size of the program's.
// As the result of the same indexing would be, then with the index's dimensions first.
FERRY_INLINE Ref index_put::translate(Translation& t) {
    const auto indices = t.tensors("indices");
    const DType dtype = t.flag("accumulate") ? t.wide(t.result_dtype()) : t.result_dtype();
    if (indices.size() == 1 && indices[0] && t.dtype(indices[0]) == DType::boolean && !t.flag("accumulate")) {
        const Ref values = t.tensor("values");
        if (t.rank(values) == 0) {
            std::vector<std::int64_t> behind;
            for (std::int64_t dim = t.rank(indices[0]); dim < t.result_rank(); ++dim) behind.push_back(dim);
            const Ref mask = t.unsqueeze(indices[0], std::move(behind));
            return t.add("Where", {mask, t.cast(values, dtype), t.operand("self", dtype)});
        }
    }
    const Ref values = t.operand("values", dtype);
    const Indexing how = indexing(t, SymExpr::symbol("count_" + std::to_string(values.index)));
    if (how.count == 0) t.refuse("a value is put in at no index");
    Sizes wanted;
    wanted.insert(wanted.end(), how.rest.begin(), how.rest.begin() + static_cast<std::ptrdiff_t>(how.place));
    wanted.insert(wanted.end(), how.index_sizes.begin(), how.index_sizes.end());
    wanted.insert(wanted.end(), how.rest.begin() + static_cast<std::ptrdiff_t>(how.place), how.rest.end());
    Ref placed = t.expand(values, wanted);
    std::vector<std::int64_t> first;
    first.reserve(wanted.size());
    for (std::size_t i = 0; i < how.index_sizes.size(); ++i) first.push_back(static_cast<std::int64_t>(how.place + i));
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (i < how.place || i >= how.place + how.index_sizes.size()) first.push_back(static_cast<std::int64_t>(i));
    placed = t.permute(placed, first);
    std::vector<Attribute> attributes;
    if (t.flag("accumulate")) attributes.emplace_back("reduction", "add");
    const Ref moved = t.permute(t.operand("self", dtype), how.order);
    Ref put = t.add("ScatterND", {moved, how.positions, placed}, std::move(attributes));
    std::vector<std::int64_t> back(how.order.size());
    for (std::size_t i = 0; i < back.size(); ++i)
        back[static_cast<std::size_t>(how.order[i])] = static_cast<std::int64_t>(i);
    return t.permute(t.like(put, moved), back);
}

FERRY_INLINE Ref index_select::translate(Translation& t) {
    const Ref self = t.tensor("self");
    Ref index = t.tensor("index");
    if (t.rank(self) == 0) return self;
    if (t.rank(index) == 0) index = t.unsqueeze(index, {0});
    return t.add("Gather", {self, index}, {{"axis", t.dim("dim", t.rank(self))}});
}
/// Both without dimensions, or both with one.
inline Ref at_least_1d(Translation& t, Ref value) { return t.rank(value) == 0 ? t.unsqueeze(value, {0}) : value; }
inline Ref back_to_rank(Translation& t, Ref value) { return t.result_rank() == 0 ? t.add("Squeeze", {value}) : value; }
FERRY_INLINE Ref gather::translate(Translation& t) {
    const Ref self = at_least_1d(t, t.tensor("self"));
    const Ref index = at_least_1d(t, t.tensor("index"));
    const Ref taken = t.add("GatherElements", {self, index}, {{"axis", t.dim("dim", t.rank(self))}});
    return back_to_rank(t, taken);
}

FERRY_INLINE Ref nonzero::translate(Translation& t) {
    const Ref places = t.add("NonZero", {t.operand("self", DType::boolean)});
    return t.add("Transpose", {places}, {{"perm", std::vector<std::int64_t>{1, 0}}});
}
FERRY_INLINE Ref masked_select::translate(Translation& t) {
    const Ref self = t.tensor("self"), mask = t.tensor("mask");
    const Sizes all = broadcast(t.sizes(self), t.sizes(mask));
    if (all.empty()) t.refuse("a tensor without dimensions is selected from");
    const Ref places = t.add("NonZero", {t.expand(mask, all)});
    const Ref rows = t.add("Transpose", {places}, {{"perm", std::vector<std::int64_t>{1, 0}}});
    return t.add("GatherND", {t.expand(self, all), rows});
}

}  // namespace ferry::onnx::translated
