#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/pointwise.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

namespace ferry::onnx::translated {

/// One node of the same meaning, computed in the result's dtype.
FERRY_INLINE Ref unary(Translation& t, std::string_view op) { return t.add(op, {t.operand("self", t.result_dtype())}); }
/// Whole numbers stay what they are.
FERRY_INLINE Ref rounding(Translation& t, std::string_view op) {
    const Ref self = t.tensor("self");
    return is_floating_point(t.dtype(self)) ? t.add(op, {self}) : self;
}
FERRY_INLINE Ref rsqrt::translate(Translation& t) {
    return t.add("Reciprocal", {t.add("Sqrt", {t.wide_operand("self")})});
}
FERRY_INLINE Ref trunc::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (!is_floating_point(t.dtype(self))) return self;
    const Ref down = t.add("Floor", {t.add("Abs", {self})});
    return t.add("Mul", {t.add("Sign", {self}), down});
}
FERRY_INLINE Ref round_decimals::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    if (!is_floating_point(t.dtype(self))) return self;
    const std::int64_t digits = t.integer("decimals");
    const Ref scale = t.number_like(std::pow(10.0, std::abs(static_cast<double>(digits))), self);
    const auto [there, back] = digits >= 0 ? std::pair("Mul", "Div") : std::pair("Div", "Mul");
    return t.add(back, {t.add("Round", {t.add(there, {self, scale})}), scale});
}
FERRY_INLINE Ref exp2::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    return t.add("Pow", {t.number_like(2.0, self), self});
}
/// Exact for small numbers too: exp(x) - 1 loses what exp(x) rounds away, (u - 1) * x / log(u) puts it back.
FERRY_INLINE Ref expm1::translate(Translation& t) {
    const Ref x = t.wide_operand("self");
    const Ref one = t.number_like(1.0, x);
    const Ref u = t.add("Exp", {x});
    const Ref less = t.add("Sub", {u, one});
    const Ref corrected = t.add("Div", {t.add("Mul", {less, x}), t.add("Log", {u})});
    const Ref far = t.add("Greater", {t.add("Abs", {x}), t.number_like(0.5, x)});
    const Ref near = t.add("Where", {t.add("Equal", {u, one}), x, corrected});
    return t.add("Where", {far, less, near});
}
/// The same for log(1 + x): x * log(u) / (u - 1).
inline Ref log_of_one_more(Translation& t, Ref x) {
    const Ref one = t.number_like(1.0, x);
    const Ref u = t.add("Add", {x, one});
    const Ref logarithm = t.add("Log", {u});
    const Ref less = t.add("Sub", {u, one});
    const Ref corrected = t.add("Div", {t.add("Mul", {logarithm, x}), less});
    const Ref far = t.add("Greater", {t.add("Abs", {x}), t.number_like(0.5, x)});
    const Ref near = t.add("Where", {t.add("Equal", {u, one}), x, corrected});
    return t.add("Where", {far, logarithm, near});
}
FERRY_INLINE Ref log1p::translate(Translation& t) { return log_of_one_more(t, t.wide_operand("self")); }
inline Ref logarithm(Translation& t, double base) {
    const Ref log = t.add("Log", {t.wide_operand("self")});
    return t.add("Div", {log, t.number_like(std::log(base), log)});
}
FERRY_INLINE Ref log2::translate(Translation& t) { return logarithm(t, 2); }
FERRY_INLINE Ref log10::translate(Translation& t) { return logarithm(t, 10); }

}  // namespace ferry::onnx::translated
