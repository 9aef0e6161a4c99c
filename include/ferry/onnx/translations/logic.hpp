#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// Comparisons, conditions, bits, and what chooses by them.
namespace ferry::onnx {
namespace translated {

Ref compared(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct comparison_op {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return compared(t, Onnx); }
};
struct not_equal {
    static constexpr auto target = op("aten::ne.Tensor", "aten::ne.Scalar");
    static Ref translate(Translation& t);
};
struct logical_and {
    static constexpr auto target = op("aten::logical_and");
    static Ref translate(Translation& t);
};
struct logical_or {
    static constexpr auto target = op("aten::logical_or");
    static Ref translate(Translation& t);
};
struct logical_xor {
    static constexpr auto target = op("aten::logical_xor");
    static Ref translate(Translation& t);
};
struct logical_not {
    static constexpr auto target = op("aten::logical_not");
    static Ref translate(Translation& t);
};
struct bitwise_and {
    static constexpr auto target =
        op("aten::bitwise_and.Tensor", "aten::bitwise_and.Scalar", "aten::__and__.Tensor", "aten::__and__.Scalar");
    static Ref translate(Translation& t);
};
struct bitwise_or {
    static constexpr auto target =
        op("aten::bitwise_or.Tensor", "aten::bitwise_or.Scalar", "aten::__or__.Tensor", "aten::__or__.Scalar");
    static Ref translate(Translation& t);
};
struct bitwise_xor {
    static constexpr auto target =
        op("aten::bitwise_xor.Tensor", "aten::bitwise_xor.Scalar", "aten::__xor__.Tensor", "aten::__xor__.Scalar");
    static Ref translate(Translation& t);
};
struct bitwise_not {
    static constexpr auto target = op("aten::bitwise_not");
    static Ref translate(Translation& t);
};
struct left_shift {
    static constexpr auto target =
        op("aten::bitwise_left_shift.Tensor", "aten::bitwise_left_shift.Tensor_Scalar",
           "aten::bitwise_left_shift.Scalar_Tensor", "aten::__lshift__.Tensor", "aten::__lshift__.Scalar");
    static Ref translate(Translation& t);
};
struct right_shift {
    static constexpr auto target =
        op("aten::bitwise_right_shift.Tensor", "aten::bitwise_right_shift.Tensor_Scalar",
           "aten::bitwise_right_shift.Scalar_Tensor", "aten::__rshift__.Tensor", "aten::__rshift__.Scalar");
    static Ref translate(Translation& t);
};
struct isnan {
    static constexpr auto target = op("aten::isnan");
    static Ref translate(Translation& t);
};
struct isinf {
    static constexpr auto target = op("aten::isinf");
    static Ref translate(Translation& t);
};
struct isfinite {
    static constexpr auto target = op("aten::isfinite");
    static Ref translate(Translation& t);
};

struct where {
    static constexpr auto target =
        op("aten::where.self", "aten::where.ScalarSelf", "aten::where.ScalarOther", "aten::where.Scalar");
    static Ref translate(Translation& t);
};
struct masked_fill {
    static constexpr auto target = op("aten::masked_fill.Scalar", "aten::masked_fill.Tensor");
    static Ref translate(Translation& t);
};

}  // namespace translated

using logic_translations = translations<
    translated::comparison_op<"aten::eq.Tensor", "Equal">, translated::comparison_op<"aten::eq.Scalar", "Equal">,
    translated::comparison_op<"aten::lt.Tensor", "Less">, translated::comparison_op<"aten::lt.Scalar", "Less">,
    translated::comparison_op<"aten::le.Tensor", "LessOrEqual">,
    translated::comparison_op<"aten::le.Scalar", "LessOrEqual">,
    translated::comparison_op<"aten::gt.Tensor", "Greater">, translated::comparison_op<"aten::gt.Scalar", "Greater">,
    translated::comparison_op<"aten::ge.Tensor", "GreaterOrEqual">,
    translated::comparison_op<"aten::ge.Scalar", "GreaterOrEqual">, translated::not_equal, translated::logical_and,
    translated::logical_or, translated::logical_xor, translated::logical_not, translated::bitwise_and,
    translated::bitwise_or, translated::bitwise_xor, translated::bitwise_not, translated::left_shift,
    translated::right_shift, translated::isnan, translated::isinf, translated::isfinite, translated::where,
    translated::masked_fill>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/logic-inl.hpp>
#endif
