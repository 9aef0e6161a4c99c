#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// Functions of one tensor.
namespace ferry::onnx {
namespace translated {

Ref unary(Translation& t, std::string_view op);
Ref rounding(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct unary_op {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return unary(t, Onnx); }
};
template <fixed_string Aten, fixed_string Onnx>
struct rounding_op {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return rounding(t, Onnx); }
};
struct rsqrt {
    static constexpr auto target = op("aten::rsqrt");
    static Ref translate(Translation& t);
};
struct trunc {
    static constexpr auto target = op("aten::trunc");
    static Ref translate(Translation& t);
};
struct round_decimals {
    static constexpr auto target = op("aten::round.decimals");
    static Ref translate(Translation& t);
};
struct exp2 {
    static constexpr auto target = op("aten::exp2");
    static Ref translate(Translation& t);
};
struct expm1 {
    static constexpr auto target = op("aten::expm1");
    static Ref translate(Translation& t);
};
struct log1p {
    static constexpr auto target = op("aten::log1p");
    static Ref translate(Translation& t);
};
struct log2 {
    static constexpr auto target = op("aten::log2");
    static Ref translate(Translation& t);
};
struct log10 {
    static constexpr auto target = op("aten::log10");
    static Ref translate(Translation& t);
};

}  // namespace translated

using pointwise_translations =
    translations<translated::unary_op<"aten::exp", "Exp">, translated::unary_op<"aten::log", "Log">,
                 translated::unary_op<"aten::sqrt", "Sqrt">, translated::unary_op<"aten::sin", "Sin">,
                 translated::unary_op<"aten::cos", "Cos">, translated::unary_op<"aten::tan", "Tan">,
                 translated::unary_op<"aten::sinh", "Sinh">, translated::unary_op<"aten::cosh", "Cosh">,
                 translated::unary_op<"aten::tanh", "Tanh">, translated::unary_op<"aten::asin", "Asin">,
                 translated::unary_op<"aten::acos", "Acos">, translated::unary_op<"aten::atan", "Atan">,
                 translated::unary_op<"aten::asinh", "Asinh">, translated::unary_op<"aten::acosh", "Acosh">,
                 translated::unary_op<"aten::atanh", "Atanh">, translated::unary_op<"aten::sigmoid", "Sigmoid">,
                 translated::unary_op<"aten::erf", "Erf">, translated::unary_op<"aten::neg", "Neg">,
                 translated::unary_op<"aten::abs", "Abs">, translated::unary_op<"aten::sign", "Sign">,
                 translated::unary_op<"aten::reciprocal", "Reciprocal">,
                 translated::rounding_op<"aten::floor", "Floor">, translated::rounding_op<"aten::ceil", "Ceil">,
                 translated::rounding_op<"aten::round", "Round">, translated::trunc, translated::round_decimals,
                 translated::rsqrt, translated::exp2, translated::expm1, translated::log1p, translated::log2,
                 translated::log10>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/pointwise-inl.hpp>
#endif
