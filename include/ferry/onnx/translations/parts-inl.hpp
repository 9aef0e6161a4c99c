#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/parts.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// One end of a slice, or what stands for it where it is left out.
inline Ref slice_end(Translation& t, std::string_view name, std::int64_t otherwise) {
    return t.has(name) ? t.size(t.symbolic(name)) : t.ints({otherwise});
}
FERRY_INLINE Ref slice::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (t.sizes(self) == t.result_sizes() && t.integer("step") == 1) return self;
    const std::int64_t dim = t.dim("dim", t.rank(self));
    return t.slice(self, dim, slice_end(t, "start", 0), slice_end(t, "end", to_the_end), t.integer("step"));
}
/// A position that may count from the end.
inline Ref from_front(Translation& t, const SymExpr& position, const SymExpr& size) {
    if (t.is_size(position)) return t.size(position);
    if (position.is_constant()) return t.size(size + position);
    const Ref given = t.size(position);
    return t.add("Where", {t.add("Less", {given, t.ints({0})}), t.add("Add", {given, t.size(size)}), given});
}
FERRY_INLINE Ref narrow::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::int64_t dim = t.dim("dim", t.rank(self));
    const Ref start = from_front(t, t.symbolic("start"), t.sizes(self)[static_cast<std::size_t>(dim)]);
    return t.slice(self, dim, start, t.add("Add", {start, t.size(t.symbolic("length"))}));
}
FERRY_INLINE Ref select::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const SymExpr index = t.symbolic("index");
    const Ref position = index.is_constant() ? t.number(index.value(), DType::int64) : t.scalar_of(t.size(index));
    return t.add("Gather", {self, position}, {{"axis", t.dim("dim", t.rank(self))}});
}
/// Everything before, the new part, everything behind.
inline Ref spliced(Translation& t, Ref self, Ref source, std::int64_t dim, Ref start, Ref end) {
    const Ref before = t.slice(self, dim, t.ints({0}), start);
    const Ref after = t.slice(self, dim, end, t.ints({to_the_end}));
    return t.add("Concat", {before, source, after}, {{"axis", dim}});
}
FERRY_INLINE Ref select_scatter::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::int64_t dim = t.dim("dim", t.rank(self));
    const Ref source = t.unsqueeze(t.cast(t.tensor("src"), t.result_dtype()), {dim});
    const Ref place = from_front(t, t.symbolic("index"), t.sizes(self)[static_cast<std::size_t>(dim)]);
    return spliced(t, self, source, dim, place, t.add("Add", {place, t.ints({1})}));
}
// By index: the positions are those that the same slice takes out of 0, 1, 2, ...
FERRY_INLINE Ref slice_scatter::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::int64_t dim = t.dim("dim", t.rank(self));
    const std::int64_t step = t.integer("step");
    const Ref start = slice_end(t, "start", 0), end = slice_end(t, "end", to_the_end);
    const Ref given = t.cast(t.tensor("src"), t.result_dtype());
    if (step == 1) return spliced(t, self, given, dim, start, end);
    const SymExpr length = t.sizes(self)[static_cast<std::size_t>(dim)];
    Ref positions = t.slice(counted(t, length), 0, start, end, step);
    Sizes column(static_cast<std::size_t>(t.rank(self)), SymExpr(1));
    const SymExpr count = t.sizes(given)[static_cast<std::size_t>(dim)];
    column[static_cast<std::size_t>(dim)] = count;
    positions = t.expand(t.reshape(t.with_sizes(positions, {count}), column), t.sizes(given));
    return t.add("ScatterElements", {self, positions, given}, {{"axis", dim}});
}

FERRY_INLINE Ref cat::translate(Translation& t) {
    std::vector<Ref> parts;
    for (const Ref part : t.tensors("tensors")) {
        const bool is_legacy_empty = t.rank(part) == 1 && t.sizes(part)[0].is_constant(0) && t.result_rank() != 1;
        if (!is_legacy_empty) parts.push_back(t.cast(part, t.result_dtype()));
    }
    if (parts.size() == 1) return parts[0];
    return t.add("Concat", std::move(parts), {{"axis", t.dim("dim", t.result_rank())}});
}
FERRY_INLINE Ref stack::translate(Translation& t) {
    const std::int64_t dim = t.dim("dim", t.result_rank());
    std::vector<Ref> parts;
    for (const Ref part : t.tensors("tensors")) parts.push_back(t.unsqueeze(t.cast(part, t.result_dtype()), {dim}));
    return t.add("Concat", std::move(parts), {{"axis", dim}});
}
/// As long as the results are.
FERRY_INLINE void split::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::size_t count = t.num_results();
    if (count == 1) return t.result(self);
    const std::int64_t dim = t.dim("dim", t.rank(self));
    Sizes lengths;
    for (std::size_t i = 0; i < count; ++i) lengths.push_back(t.result_sizes(i)[static_cast<std::size_t>(dim)]);
    const auto parts = t.add_many("Split", {self, t.shape(lengths)}, {{"axis", dim}}, count);
    for (std::size_t i = 0; i < count; ++i) t.result(parts[i], i);
}
FERRY_INLINE void unbind::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::size_t count = t.num_results();
    const std::int64_t dim = t.dim("dim", t.rank(self));
    if (count == 0) return;
    if (count == 1) return t.result(t.squeeze(self, {dim}));
    const Sizes ones(count, SymExpr(1));
    const auto parts = t.add_many("Split", {self, t.shape(ones)}, {{"axis", dim}}, count);
    for (std::size_t i = 0; i < count; ++i) t.result(t.add("Squeeze", {parts[i], t.ints({dim})}), i);
}

}  // namespace ferry::onnx::translated
