#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/arithmetic.hpp>

#include <numbers>
#include <string_view>

namespace ferry::onnx::translated {

/// Computed in the result's dtype.
FERRY_INLINE Ref binary(Translation& t, std::string_view op) {
    return t.add(op, {t.operand("self", t.result_dtype()), t.operand("other", t.result_dtype())});
}

/// Ferry's own reading of `alpha`: numbers of any type, which multiply one side.
inline Ref scaled(Translation& t, Ref value, std::string_view alpha) {
    if (t.argument(alpha) == Argument(1) || t.argument(alpha) == Argument(1.0)) return value;
    return t.add("Mul", {value, t.factor(alpha, t.dtype(value))});
}
inline Ref add_scaled(Translation& t, std::string_view op, std::string_view first, std::string_view second) {
    const DType dtype = t.result_dtype();
    const Ref left = t.operand(first, dtype);
    return t.add(op, {left, scaled(t, t.operand(second, dtype), "alpha")});
}
FERRY_INLINE Ref add::translate(Translation& t) { return add_scaled(t, "Add", "self", "other"); }
FERRY_INLINE Ref sub::translate(Translation& t) { return add_scaled(t, "Sub", "self", "other"); }
FERRY_INLINE Ref rsub::translate(Translation& t) { return add_scaled(t, "Sub", "other", "self"); }
FERRY_INLINE Ref mul::translate(Translation& t) { return binary(t, "Mul"); }
FERRY_INLINE Ref div::translate(Translation& t) { return binary(t, "Div"); }

/// Where the remainder of a division is on the other side of zero than the divisor.
inline Ref off_side(Translation& t, Ref remainder, Ref divisor) {
    const Ref zero = t.number_like(0, divisor);
    const Ref inexact = t.add("Not", {t.add("Equal", {remainder, zero})});
    const Ref differs = t.add("Xor", {t.add("Less", {remainder, zero}), t.add("Less", {divisor, zero})});
    return t.add("And", {inexact, differs});
}
/// As torch's kernels divide, so that a quotient that is rounded up to a whole number is none too large.
inline Ref floor_divided(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref a = t.operand("self", dtype), b = t.operand("other", dtype);
    if (!is_floating_point(dtype)) return t.floor_div(a, b);
    const Ref rest = t.add("Mod", {a, b}, {{"fmod", 1}});
    const Ref quotient = t.add("Div", {t.add("Sub", {a, rest}), b});
    const Ref lower = t.add("Sub", {quotient, t.cast(off_side(t, rest, b), dtype)});
    const Ref whole = t.add("Round", {lower});
    return t.add("Where", {t.add("Equal", {b, t.number_like(0, b)}), t.add("Div", {a, b}), whole});
}
FERRY_INLINE Ref floor_divide::translate(Translation& t) { return floor_divided(t); }
FERRY_INLINE Ref div_mode::translate(Translation& t) {
    if (!t.has("rounding_mode")) return binary(t, "Div");
    if (t.text("rounding_mode") == "floor") return floor_divided(t);
    const DType dtype = t.wide(t.result_dtype());
    const Ref quotient = t.add("Div", {t.operand("self", dtype), t.operand("other", dtype)});
    if (!is_floating_point(dtype)) return quotient;
    return t.add("Mul", {t.add("Sign", {quotient}), t.add("Floor", {t.add("Abs", {quotient})})});
}
FERRY_INLINE Ref remainder::translate(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref a = t.operand("self", dtype), b = t.operand("other", dtype);
    if (!is_floating_point(dtype)) return t.add("Mod", {a, b});
    const Ref rest = t.add("Mod", {a, b}, {{"fmod", 1}});
    return t.add("Where", {off_side(t, rest, b), t.add("Add", {rest, b}), rest});
}
FERRY_INLINE Ref fmod::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    return t.add("Mod", {t.operand("self", dtype), t.operand("other", dtype)}, {{"fmod", 1}});
}
FERRY_INLINE Ref pow::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    const Argument exponent = t.argument("exponent");
    const Ref base = t.operand("self", dtype);
    const auto is = [&](int whole) {
        return exponent == Argument(whole) || exponent == Argument(static_cast<double>(whole));
    };
    if (is(1)) return base;
    if (is(2)) return t.add("Mul", {base, base});
    if (exponent == Argument(0.5)) return t.add("Sqrt", {base});
    return t.add("Pow", {base, t.operand("exponent", dtype)});
}
inline Ref angle_of(Translation& t, Ref y, Ref x) {
    const Ref zero = t.number_like(0, y), pi = t.number_like(std::numbers::pi, y);
    const Ref half = t.number_like(std::numbers::pi / 2, y);
    const Ref is_below = t.add("Less", {y, zero});
    const Ref turned = t.add("Where", {is_below, t.add("Neg", {pi}), pi});
    const Ref angle = t.add("Atan", {t.add("Div", {y, x})});
    const Ref left = t.add("Where", {t.add("Less", {x, zero}), t.add("Add", {angle, turned}), angle});
    const Ref upright = t.add("Where", {is_below, t.add("Neg", {half}), half});
    const Ref on_axis = t.add("Where", {t.add("Equal", {y, zero}), t.add("Mul", {y, zero}), upright});
    return t.add("Where", {t.add("Equal", {x, zero}), on_axis, left});
}
FERRY_INLINE Ref atan2::translate(Translation& t) {
    return angle_of(t, t.wide_operand("self"), t.wide_operand("other"));
}
/// value * tensor1 * tensor2 or tensor1 / tensor2, added.
inline Ref add_combined(Translation& t, std::string_view op) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref combined = t.add(op, {t.operand("tensor1", dtype), t.operand("tensor2", dtype)});
    return t.add("Add", {t.operand("self", dtype), scaled(t, combined, "value")});
}
FERRY_INLINE Ref addcmul::translate(Translation& t) { return add_combined(t, "Mul"); }
FERRY_INLINE Ref addcdiv::translate(Translation& t) { return add_combined(t, "Div"); }

}  // namespace ferry::onnx::translated
