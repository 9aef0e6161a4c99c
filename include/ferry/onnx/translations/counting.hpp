#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

/// Places and counts of numbers, running extremes, windows: what ONNX has no ops for, by comparing all with all.
namespace ferry::onnx {
namespace translated {

/// 0, 1, 2, ... up to a size.
inline Ref counted(Translation& t, const SymExpr& count) {
    const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64);
    return t.with_sizes(t.add("Range", {zero, t.scalar_of(t.size(count)), one}), {count});
}

/// How many of the boundaries are below each number: its place among them.
inline Ref places_among(Translation& t, Ref boundaries, Ref numbers, bool right) {
    const std::int64_t behind = t.rank(numbers);
    const Ref column = t.unsqueeze(numbers, {behind});
    const Ref rows = t.rank(boundaries) > 1 ? t.unsqueeze(boundaries, {t.rank(boundaries) - 1}) : boundaries;
    const Ref below = t.cast(t.add(right ? "LessOrEqual" : "Less", {rows, column}), DType::int64);
    return t.add("ReduceSum", {below, t.ints({-1})}, {{"keepdims", 0}});
}
struct bucketize {
    static constexpr auto target = op("aten::bucketize.Tensor");
    static Ref translate(Translation& t) {
        const DType dtype = t.promoted({"self", "boundaries"});
        return places_among(t, t.operand("boundaries", dtype), t.operand("self", dtype), t.flag("right"));
    }
};
struct searchsorted {
    static constexpr auto target = op("aten::searchsorted.Tensor");
    static Ref translate(Translation& t) {
        if (t.has("sorter")) t.refuse("a sequence that is sorted by an index");
        const bool right = t.flag("right") || (t.has("side") && t.text("side") == "right");
        const DType dtype = t.promoted({"sorted_sequence", "self"});
        return places_among(t, t.operand("sorted_sequence", dtype), t.operand("self", dtype), right);
    }
};

/// Each number's bin, compared with all bins.
struct histc {
    static constexpr auto target = op("aten::histc");
    static Ref translate(Translation& t) {
        const DType dtype = t.wide(t.result_dtype());
        const Ref self = t.operand("self", dtype);
        const std::int64_t bins = t.integer("bins");
        const double low = t.real("min"), high = t.real("max");
        if (low == high) t.refuse("a histogram between the smallest and the largest number", "give min and max");
        const Ref flat = t.add("Reshape", {self, t.ints({-1, 1})});
        const Ref inside = t.add("And", {t.add("GreaterOrEqual", {flat, t.number(low, dtype)}),
                                         t.add("LessOrEqual", {flat, t.number(high, dtype)})});
        const Ref above = t.add("Sub", {flat, t.number(low, dtype)});
        const Ref place =
            t.add("Floor", {t.add("Div", {t.add("Mul", {above, t.number(bins, dtype)}), t.number(high - low, dtype)})});
        const Ref last = t.add("Min", {place, t.number(bins - 1, dtype)});  // the upper end belongs to the last bin
        const Ref hits = t.add("And", {t.add("Equal", {t.cast(last, DType::int64), counted(t, bins)}), inside});
        return t.add("ReduceSum", {t.cast(hits, dtype), t.ints({0})}, {{"keepdims", 0}});
    }
};
struct bincount {
    static constexpr auto target = op("aten::bincount");
    static Ref translate(Translation& t) {
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
};

/// Row i has the numbers up to i; for whole numbers the opposite extreme of all stands behind the end.
inline void running(Translation& t, std::string_view extreme, std::string_view opposite, double beyond) {
    const Ref self = t.tensor("self");
    if (t.rank(self) == 0) {
        t.result(self, 0);
        return t.result(t.number(0, DType::int64), 1);
    }
    const std::int64_t rank = t.rank(self), dim = t.dim("dim", rank);
    const DType dtype = t.wide(t.dtype(self) == DType::boolean ? DType::int32 : t.dtype(self));
    const SymExpr count = t.sizes(self)[static_cast<std::size_t>(dim)];
    const Ref moved = t.transpose(t.cast(self, dtype), dim, rank - 1);
    const Ref positions = counted(t, count);
    const Ref seen = t.add("GreaterOrEqual", {t.unsqueeze(positions, {1}), positions});
    const Ref outside =
        is_floating_point(dtype) ? t.number(beyond, dtype) : t.add(opposite, {moved}, {{"keepdims", 0}});
    const Ref rows = t.add("Where", {seen, t.unsqueeze(moved, {rank - 1}), outside});
    const Ref best = t.add(extreme, {rows, t.ints({-1})}, {{"keepdims", 1}});
    const auto back = [&](Ref value) { return t.transpose(t.like(value, moved), dim, rank - 1); };
    t.result(back(t.add("Squeeze", {best, t.ints({-1})})), 0);
    if (!t.is_wanted(1)) return;
    // Of equal numbers the last, but none behind the end.
    const Ref hits = t.add("And", {t.add("Equal", {rows, best}), seen});
    const Ref numbered = t.add("Mul", {t.cast(hits, DType::int64), positions});
    t.result(back(t.add("ReduceMax", {numbered, t.ints({-1})}, {{"keepdims", 0}})), 1);
}
struct cummax {
    static constexpr auto target = op("aten::cummax");
    static void translate(Translation& t) {
        running(t, "ReduceMax", "ReduceMin", -std::numeric_limits<double>::infinity());
    }
};
struct cummin {
    static constexpr auto target = op("aten::cummin");
    static void translate(Translation& t) {
        running(t, "ReduceMin", "ReduceMax", std::numeric_limits<double>::infinity());
    }
};

/// Windows as a gather at start + offset; what is inside of a window goes to the end.
struct unfold {
    static constexpr auto target = op("aten::unfold");
    static Ref translate(Translation& t) {
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
};
/// Where the mask holds, the next number of the source: as many as the mask has counted.
struct masked_scatter {
    static constexpr auto target = op("aten::masked_scatter");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const Ref mask = t.expand(t.operand("mask", DType::boolean), t.result_sizes());
        const Ref flat = t.add("Reshape", {t.cast(mask, DType::int64), t.ints({-1})});
        const Ref one = t.number(1, DType::int64);
        const Ref place = t.add("Sub", {t.add("CumSum", {flat, t.number(0, DType::int64)}), one});
        // One number more, which nobody takes: the source may be empty.
        const Ref given = t.add("Reshape", {t.operand("source", t.result_dtype()), t.ints({-1})});
        const Ref source = t.add("Concat", {given, t.filled({1}, 0, t.result_dtype())}, {{"axis", 0}});
        const Ref taken = t.add("Gather", {source, t.add("Max", {place, t.number(0, DType::int64)})});
        const Ref shaped = t.add("Reshape", {taken, t.add("Shape", {mask})});
        return t.add("Where", {mask, shaped, t.expand(self, t.result_sizes())});
    }
};
/// Which number each of the results comes from: so many counts end at its place or before.
struct repeat_interleave_counts {
    static constexpr auto target = op("aten::repeat_interleave.Tensor");
    static Ref translate(Translation& t) {
        const Ref repeats = t.operand("repeats", DType::int64);
        const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64);
        const Ref ends = t.like(t.add("CumSum", {repeats, zero}), repeats);
        const Ref total = t.add("ReduceSum", {repeats}, {{"keepdims", 0}});
        const Ref places = t.add("Range", {zero, total, one});
        const Ref ended = t.add("LessOrEqual", {t.unsqueeze(ends, {1}), places});
        return t.add("ReduceSum", {t.cast(ended, DType::int64), t.ints({0})}, {{"keepdims", 0}});
    }
};

}  // namespace translated

using counting_translations =
    translations<translated::bucketize, translated::searchsorted, translated::histc, translated::bincount,
                 translated::cummax, translated::cummin, translated::unfold, translated::masked_scatter,
                 translated::repeat_interleave_counts>;

}  // namespace ferry::onnx
