#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/running.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace ferry::onnx::translated {

FERRY_INLINE Ref cumsum::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    if (t.rank(self) == 0) return self;
    return t.add("CumSum", {self, t.number(t.dim("dim", t.rank(self)), DType::int64)});
}

/// By a Scan: `step` joins what is there so far with the next number.
template <class Step>
Ref accumulated(Translation& t, double start, Step&& step) {
    const Ref self = t.wide_operand("self");
    const std::int64_t dim = t.dim("dim", t.rank(self));
    if (t.rank(self) == 0 || t.sizes(self)[static_cast<std::size_t>(dim)].is_constant(0)) return self;
    Sizes row = t.sizes(self);
    row.erase(row.begin() + dim);
    const Ref first = t.filled(row, start, t.dtype(self));
    const BodyRef body = t.make_body("accumulated", [&] {
        const auto add_input = [&] { return t.add_body_input({.name = {}, .dtype = t.dtype(self), .sizes = row}); };
        const Ref so_far = add_input(), next = add_input();
        const Ref joined = t.like(step(so_far, next), next);
        t.add_body_output(joined);
        t.add_body_output(joined);
    });
    const std::vector<std::int64_t> along{dim};
    return t.add_typed(
        "Scan", {first, self},
        {{"body", body}, {"num_scan_inputs", 1}, {"scan_input_axes", along}, {"scan_output_axes", along}},
        {t.dtype(self), t.dtype(self)})[1];
}
FERRY_INLINE Ref cumprod::translate(Translation& t) {
    return accumulated(t, 1, [&](Ref so_far, Ref next) { return t.add("Mul", {so_far, next}); });
}
/// Infinite numbers are not subtracted from one another.
FERRY_INLINE Ref logcumsumexp::translate(Translation& t) {
    return accumulated(t, -std::numeric_limits<double>::infinity(), [&](Ref so_far, Ref next) {
        const Ref larger = t.add("Max", {so_far, next});
        const Ref offset = t.add("Where", {t.add("IsInf", {larger}), t.number_like(0, larger), larger});
        const auto power = [&](Ref value) { return t.add("Exp", {t.add("Sub", {value, offset})}); };
        return t.add("Add", {t.add("Log", {t.add("Add", {power(so_far), power(next)})}), offset});
    });
}

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
FERRY_INLINE void cummax::translate(Translation& t) {
    running(t, "ReduceMax", "ReduceMin", -std::numeric_limits<double>::infinity());
}
FERRY_INLINE void cummin::translate(Translation& t) {
    running(t, "ReduceMin", "ReduceMax", std::numeric_limits<double>::infinity());
}

}  // namespace ferry::onnx::translated
