#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// 0, 1, 2, ... up to a size.
inline Ref counted(Translation& t, const SymExpr& count) {
    const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64);
    return t.with_sizes(t.add("Range", {zero, t.scalar_of(t.size(count)), one}), {count});
}

/// All numbers along one dimension.
inline Ref flattened(Translation& t, Ref value) {
    SymExpr count = 1;
    for (const SymExpr& size : t.sizes(value)) count = count * size;
    return t.reshape(value, {count});
}

/// How many of the boundaries are below each number: its place among them.
inline Ref places_among(Translation& t, Ref boundaries, Ref numbers, bool right) {
    // ONNX Runtime's sum over nothing is no zero.
    if (t.sizes(boundaries).back().is_constant(0)) return t.filled(t.sizes(numbers), 0, DType::int64);
    const std::int64_t behind = t.rank(numbers);
    const Ref column = t.unsqueeze(numbers, {behind});
    const Ref rows = t.rank(boundaries) > 1 ? t.unsqueeze(boundaries, {t.rank(boundaries) - 1}) : boundaries;
    const Ref below = t.cast(t.add(right ? "LessOrEqual" : "Less", {rows, column}), DType::int64);
    return t.add("ReduceSum", {below, t.ints({-1})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref bucketize::translate(Translation& t) {
    const DType dtype = t.promoted({"self", "boundaries"});
    return places_among(t, t.operand("boundaries", dtype), t.operand("self", dtype), t.flag("right"));
}
FERRY_INLINE Ref searchsorted::translate(Translation& t) {
    const bool right = t.flag("right") || (t.has("side") && t.text("side") == "right");
    const DType dtype = t.promoted({"sorted_sequence", "self"});
    Ref sequence = t.operand("sorted_sequence", dtype);
    if (t.has("sorter"))
        sequence = t.like(t.add("GatherElements", {sequence, t.tensor("sorter")}, {{"axis", -1}}), sequence);
    return places_among(t, sequence, t.operand("self", dtype), right);
}
/// Each place as often as its count says: how many counts end at or before a position.
FERRY_INLINE Ref repeat_interleave_counts::translate(Translation& t) {
    const Ref counts = t.operand("repeats", DType::int64);
    const Ref zero = t.number(0, DType::int64), one = t.ints({1});
    const Ref ends = t.add("CumSum", {counts, zero});
    const Ref total = t.add("ReduceSum", {counts, t.ints({0})}, {{"keepdims", 1}});
    const Ref marks = t.add("Expand", {t.ints({0}), t.add("Add", {total, one})});
    const Ref ones = t.add("Expand", {one, t.add("Shape", {counts})});
    const Ref ended = t.add("ScatterElements", {marks, ends, ones}, {{"axis", 0}, {"reduction", "add"}});
    return t.add("CumSum", {t.slice(ended, 0, t.ints({0}), total), zero});
}

/// Between which numbers a histogram is: those that are given, or the smallest and the largest of all. Equal ones are moved apart.
inline std::pair<Ref, Ref> histogram_ends(Translation& t, Ref numbers) {
    const double low = t.real("min"), high = t.real("max");
    if (low != high) return {t.number_like(low, numbers), t.number_like(high, numbers)};
    const auto end = [&](std::string_view op) { return t.add(op, {numbers}, {{"keepdims", 0}}); };
    const Ref least = low != 0 ? t.number_like(low, numbers) : end("ReduceMin");
    const Ref most = low != 0 ? t.number_like(high, numbers) : end("ReduceMax");
    const Ref apart = t.cast(t.add("Equal", {least, most}), t.dtype(numbers));
    return {t.add("Sub", {least, apart}), t.add("Add", {most, apart})};
}
/// Each number's bin, compared with all bins. The upper end belongs to the last one.
FERRY_INLINE Ref histc::translate(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    const std::int64_t bins = t.integer("bins");
    const Ref flat = t.add("Reshape", {t.operand("self", dtype), t.ints({-1, 1})});
    const auto [low, high] = histogram_ends(t, flat);
    const Ref inside = t.add("And", {t.add("GreaterOrEqual", {flat, low}), t.add("LessOrEqual", {flat, high})});
    const Ref scaled = t.add("Mul", {t.add("Sub", {flat, low}), t.number(bins, dtype)});
    const Ref place = t.add("Floor", {t.add("Div", {scaled, t.add("Sub", {high, low})})});
    const Ref last = t.add("Min", {place, t.number(bins - 1, dtype)});
    const Ref hits = t.add("And", {t.add("Equal", {t.cast(last, DType::int64), counted(t, bins)}), inside});
    return t.add("ReduceSum", {t.cast(hits, dtype), t.ints({0})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref bincount::translate(Translation& t) {
    const Ref self = t.operand("self", DType::int64);
    const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64);
    const Ref padded = t.add("Concat", {self, t.ints({t.integer("minlength") - 1})}, {{"axis", 0}});
    const Ref most = t.add("ReduceMax", {padded}, {{"keepdims", 0}});
    const Ref all = t.add("Range", {zero, t.add("Add", {most, one}), one});
    const Ref hits = t.add("Equal", {t.unsqueeze(self, {1}), all});
    const DType dtype = t.result_dtype();
    Ref weights = t.cast(hits, dtype);
    if (t.has("weights")) weights = t.add("Mul", {weights, t.unsqueeze(t.operand("weights", dtype), {1})});
    return t.add("ReduceSum", {weights, t.ints({0})}, {{"keepdims", 0}});
}

/// Windows as a gather at start + offset; what is inside of a window goes to the end.
FERRY_INLINE Ref unfold::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::int64_t rank = t.rank(self);
    if (rank == 0) return t.unsqueeze(self, {0});
    const std::int64_t dim = t.dim("dimension", rank), size = t.integer("size"), step = t.integer("step");
    const SymExpr count = t.result_sizes()[static_cast<std::size_t>(dim)];
    const Ref starts = t.like(t.add("Mul", {counted(t, count), t.number(step, DType::int64)}), counted(t, count));
    const Ref index = t.add("Add", {t.unsqueeze(starts, {1}), counted(t, size)});
    Sizes sizes = t.result_sizes();
    sizes.pop_back();
    sizes.insert(sizes.begin() + dim + 1, SymExpr(size));
    const Ref windows = t.with_sizes(t.add("Gather", {self, index}, {{"axis", dim}}), sizes);
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i <= rank; ++i)
        if (i != dim + 1) order.push_back(i);
    order.push_back(dim + 1);
    return t.permute(windows, order);
}
/// Where the mask holds, the next number of the source: as many as the mask has counted.
// One number more, which nobody takes: the source may be empty.
FERRY_INLINE Ref masked_scatter::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const Ref mask = t.expand(t.operand("mask", DType::boolean), t.result_sizes());
    const Ref flat = t.add("Reshape", {t.cast(mask, DType::int64), t.ints({-1})});
    const Ref one = t.number(1, DType::int64);
    const Ref place = t.add("Sub", {t.add("CumSum", {flat, t.number(0, DType::int64)}), one});
    const Ref given = t.add("Reshape", {t.operand("source", t.result_dtype()), t.ints({-1})});
    const Ref source = t.add("Concat", {given, t.filled({1}, 0, t.result_dtype())}, {{"axis", 0}});
    const Ref taken = t.add("Gather", {source, t.add("Max", {place, t.number(0, DType::int64)})});
    const Ref shaped = t.add("Reshape", {taken, t.add("Shape", {mask})});
    return t.add("Where", {mask, shaped, t.expand(self, t.result_sizes())});
}

}  // namespace ferry::onnx::translated
