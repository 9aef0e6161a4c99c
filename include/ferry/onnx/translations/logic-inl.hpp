#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/logic.hpp>

#include <string_view>

namespace ferry::onnx::translated {

/// Numbers are compared in the type that both promote to.
FERRY_INLINE Ref compared(Translation& t, std::string_view op) {
    const DType dtype = t.promoted({"self", "other"});
    return t.add(op, {t.operand("self", dtype), t.operand("other", dtype)});
}
FERRY_INLINE Ref not_equal::translate(Translation& t) { return t.add("Not", {compared(t, "Equal")}); }

inline Ref logical(Translation& t, std::string_view op) {
    return t.add(op, {t.operand("self", DType::boolean), t.operand("other", DType::boolean)});
}
FERRY_INLINE Ref logical_and::translate(Translation& t) { return logical(t, "And"); }
FERRY_INLINE Ref logical_or::translate(Translation& t) { return logical(t, "Or"); }
FERRY_INLINE Ref logical_xor::translate(Translation& t) { return logical(t, "Xor"); }
FERRY_INLINE Ref logical_not::translate(Translation& t) { return t.add("Not", {t.operand("self", DType::boolean)}); }

/// Bits of a bool are conditions.
inline Ref bitwise(Translation& t, std::string_view on_bools, std::string_view on_ints) {
    const DType dtype = t.result_dtype();
    return t.add(dtype == DType::boolean ? on_bools : on_ints, {t.operand("self", dtype), t.operand("other", dtype)});
}
FERRY_INLINE Ref bitwise_and::translate(Translation& t) { return bitwise(t, "And", "BitwiseAnd"); }
FERRY_INLINE Ref bitwise_or::translate(Translation& t) { return bitwise(t, "Or", "BitwiseOr"); }
FERRY_INLINE Ref bitwise_xor::translate(Translation& t) { return bitwise(t, "Xor", "BitwiseXor"); }
FERRY_INLINE Ref bitwise_not::translate(Translation& t) {
    return t.add(t.result_dtype() == DType::boolean ? "Not" : "BitwiseNot", {t.tensor("self")});
}

/// BitShift is for unsigned numbers: multiplied by a power of two, or divided and rounded down.
inline Ref power_of_two(Translation& t) {
    return t.cast(t.add("Pow", {t.number(2, DType::int64), t.operand("other", DType::int64)}), t.result_dtype());
}
FERRY_INLINE Ref left_shift::translate(Translation& t) {
    return t.add("Mul", {t.operand("self", t.result_dtype()), power_of_two(t)});
}
FERRY_INLINE Ref right_shift::translate(Translation& t) {
    return t.floor_div(t.operand("self", t.result_dtype()), power_of_two(t));
}

/// Before opset 20 these take float32 and float64 only; whole numbers are never either.
inline Ref classified(Translation& t, std::string_view op) {
    const Ref self = t.tensor("self");
    const bool fits = t.dtype(self) == DType::float32 || t.dtype(self) == DType::float64;
    return t.add(op, {fits ? self : t.cast(self, DType::float32)});
}
FERRY_INLINE Ref isnan::translate(Translation& t) { return classified(t, "IsNaN"); }
FERRY_INLINE Ref isinf::translate(Translation& t) { return classified(t, "IsInf"); }
FERRY_INLINE Ref isfinite::translate(Translation& t) {
    return t.add("Not", {t.add("Or", {classified(t, "IsNaN"), classified(t, "IsInf")})});
}

FERRY_INLINE Ref where::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    return t.add("Where",
                 {t.operand("condition", DType::boolean), t.operand("self", dtype), t.operand("other", dtype)});
}
FERRY_INLINE Ref masked_fill::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    return t.add("Where", {t.operand("mask", DType::boolean), t.operand("value", dtype), t.operand("self", dtype)});
}

}  // namespace ferry::onnx::translated
