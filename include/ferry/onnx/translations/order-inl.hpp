#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/order.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace ferry::onnx::translated {

/// A tensor without dimensions is its own extreme, at place 0. True: that was all.
inline bool is_single(Translation& t, Ref self) {
    if (t.rank(self) != 0) return false;
    t.result(self, 0);
    if (t.num_results() > 1) t.result(t.number(0, DType::int64), 1);
    return true;
}
/// The k largest or smallest; sorting takes them all.
inline void ranked(Translation& t, const SymExpr* count, bool largest) {
    const Ref self = t.tensor("self");
    if (is_single(t, self)) return;
    const std::int64_t dim = t.dim("dim", t.rank(self));
    const SymExpr wanted = count != nullptr ? *count : t.sizes(self)[static_cast<std::size_t>(dim)];
    const auto made = t.add_many("TopK", {self, t.size(wanted)},
                                 {{"axis", dim}, {"largest", std::int64_t{largest}}, {"sorted", 1}}, 2);
    t.result(made[0], 0);
    t.result(made[1], 1);
}
FERRY_INLINE void topk::translate(Translation& t) {
    const SymExpr count = t.symbolic("k");
    ranked(t, &count, t.flag("largest"));
}
/// ONNX Runtime takes equal numbers in the order of their places, so that the sort is stable.
FERRY_INLINE void sort::translate(Translation& t) { ranked(t, nullptr, t.flag("descending")); }

/// The numbers along one dimension, or all of them.
struct Row {
    Ref numbers;
    std::int64_t dim = 0;
    bool keep = false;

    [[nodiscard]] SymExpr length(Translation& t) const { return t.sizes(numbers)[static_cast<std::size_t>(dim)]; }
};
inline Row row_of(Translation& t, Ref self) {
    if (t.num_results() == 1) return {flattened(t, self)};
    return {self, t.dim("dim", t.rank(self)), t.flag("keepdim")};
}
inline void set_row_results(Translation& t, const Row& row, Ref value, Ref place) {
    const auto shaped = [&](Ref kept) { return row.keep ? kept : t.add("Squeeze", {kept, t.ints({row.dim})}); };
    t.result(shaped(value), 0);
    if (t.num_results() > 1) t.result(shaped(place), 1);
}
/// So many of the smallest, in ascending order.
inline std::vector<Ref> smallest(Translation& t, Ref numbers, std::int64_t dim, const SymExpr& count) {
    return t.add_many("TopK", {numbers, t.size(count)}, {{"axis", dim}, {"largest", 0}, {"sorted", 1}}, 2);
}
inline Ref last_of(Translation& t, const Row& row, Ref all) {
    return t.slice(all, row.dim, t.ints({-1}), t.ints({to_the_end}));
}
FERRY_INLINE void kthvalue::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (is_single(t, self)) return;
    const Row row = row_of(t, self);
    const auto found = smallest(t, self, row.dim, t.symbolic("k"));
    set_row_results(t, row, last_of(t, row, found[0]), last_of(t, row, found[1]));
}

/// The lower one of the two in the middle. A NaN among the numbers is the result.
FERRY_INLINE void median::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (is_single(t, self)) return;
    const Row row = row_of(t, self);
    const auto found = smallest(t, row.numbers, row.dim, floor_div(row.length(t) + SymExpr(1), 2));
    Ref value = last_of(t, row, found[0]), place = last_of(t, row, found[1]);
    if (is_floating_point(t.dtype(self))) {
        const Ref is_nan = t.cast(t.add("IsNaN", {t.cast(row.numbers, t.wide(t.dtype(self)))}), DType::int32);
        const Ref has_nan = t.cast(t.add("ReduceMax", {is_nan, t.ints({row.dim})}, {{"keepdims", 1}}), DType::boolean);
        const Ref nan = t.number_like(std::numeric_limits<double>::quiet_NaN(), value);
        value = t.add("Where", {has_nan, nan, value});
        place = t.add("Where", {has_nan, t.add("ArgMax", {is_nan}, {{"axis", row.dim}, {"keepdims", 1}}), place});
    }
    set_row_results(t, row, value, place);
}
/// NaNs stand behind all numbers and are not counted; of NaNs alone the result is one.
FERRY_INLINE void nanmedian::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (is_single(t, self)) return;
    const Row row = row_of(t, self);
    const DType dtype = t.dtype(self);
    if (!is_floating_point(dtype)) return median::translate(t);
    const Ref is_nan = t.add("IsNaN", {t.cast(row.numbers, t.wide(dtype))});
    const Ref behind = t.number(std::numeric_limits<double>::infinity(), dtype);
    const auto sorted = smallest(t, t.add("Where", {is_nan, behind, row.numbers}), row.dim, row.length(t));
    const Ref is_number = t.cast(t.add("Not", {is_nan}), DType::int64);
    const Ref count = t.add("ReduceSum", {is_number, t.ints({row.dim})}, {{"keepdims", 1}});
    const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64), two = t.number(2, DType::int64);
    const Ref middle = t.add("Div", {t.add("Max", {t.add("Sub", {count, one}), zero}), two});
    const auto taken = [&](Ref all) { return t.add("GatherElements", {all, middle}, {{"axis", row.dim}}); };
    const Ref nan = t.number(std::numeric_limits<double>::quiet_NaN(), dtype);
    set_row_results(t, row, t.add("Where", {t.add("Equal", {count, zero}), nan, taken(sorted[0])}), taken(sorted[1]));
}

/// Each number compared with all; of those that are there most often the smallest, where it stands last.
FERRY_INLINE void mode::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (is_single(t, self)) return;
    const Row row = row_of(t, self);
    const std::int64_t rank = t.rank(self);
    const Ref moved = t.transpose(self, row.dim, rank - 1);
    const Ref equal = t.add("Equal", {t.unsqueeze(moved, {rank}), t.unsqueeze(moved, {rank - 1})});
    const Ref counts = t.add("ReduceSum", {t.cast(equal, DType::int64), t.ints({-1})}, {{"keepdims", 0}});
    const auto over_row = [&](std::string_view op, Ref value) {
        return t.add(op, {value, t.ints({-1})}, {{"keepdims", 1}});
    };
    const Ref most = over_row("ReduceMax", counts);
    const Ref largest = over_row("ReduceMax", moved);
    const Ref candidates = t.add("Where", {t.add("Equal", {counts, most}), moved, largest});
    const Ref value = over_row("ReduceMin", candidates);
    const Ref hits = t.cast(t.add("Equal", {moved, value}), DType::int64);
    const Ref place = over_row("ReduceMax", t.add("Mul", {hits, counted(t, row.length(t))}));
    Sizes single = t.sizes(moved);
    single.back() = 1;
    const auto back = [&](Ref made) { return t.transpose(t.with_sizes(made, single), row.dim, rank - 1); };
    set_row_results(t, row, back(value), back(place));
}

}  // namespace ferry::onnx::translated
