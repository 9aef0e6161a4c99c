#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

/// Functions of one tensor.
namespace ferry::onnx {
namespace translated {

/// One node of the same meaning, computed in the result's dtype.
inline Ref unary(Translation& t, std::string_view op) { return t.add(op, {t.operand("self", t.result_dtype())}); }
/// Whole numbers stay what they are.
inline Ref rounding(Translation& t, std::string_view op) {
    const Ref self = t.tensor("self");
    return is_floating_point(t.dtype(self)) ? t.add(op, {self}) : self;
}
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
    static Ref translate(Translation& t) { return t.add("Reciprocal", {t.add("Sqrt", {t.wide_operand("self")})}); }
};
struct trunc {
    static constexpr auto target = op("aten::trunc");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        if (!is_floating_point(t.dtype(self))) return self;
        const Ref down = t.add("Floor", {t.add("Abs", {self})});
        return t.add("Mul", {t.add("Sign", {self}), down});
    }
};
struct round_decimals {
    static constexpr auto target = op("aten::round.decimals");
    static Ref translate(Translation& t) {
        const Ref self = t.wide_operand("self");
        if (!is_floating_point(t.dtype(self))) return self;
        const std::int64_t digits = t.integer("decimals");
        const Ref scale = t.number_like(std::pow(10.0, std::abs(static_cast<double>(digits))), self);
        const auto [there, back] = digits >= 0 ? std::pair("Mul", "Div") : std::pair("Div", "Mul");
        return t.add(back, {t.add("Round", {t.add(there, {self, scale})}), scale});
    }
};
struct exp2 {
    static constexpr auto target = op("aten::exp2");
    static Ref translate(Translation& t) {
        const Ref self = t.wide_operand("self");
        return t.add("Pow", {t.number_like(2.0, self), self});
    }
};
/// Exact for small numbers too: exp(x) - 1 loses what exp(x) rounds away, (u - 1) * x / log(u) puts it back.
struct expm1 {
    static constexpr auto target = op("aten::expm1");
    static Ref translate(Translation& t) {
        const Ref x = t.wide_operand("self");
        const Ref one = t.number_like(1.0, x);
        const Ref u = t.add("Exp", {x});
        const Ref less = t.add("Sub", {u, one});
        const Ref corrected = t.add("Div", {t.add("Mul", {less, x}), t.add("Log", {u})});
        const Ref far = t.add("Greater", {t.add("Abs", {x}), t.number_like(0.5, x)});
        const Ref near = t.add("Where", {t.add("Equal", {u, one}), x, corrected});
        return t.add("Where", {far, less, near});
    }
};
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
struct log1p {
    static constexpr auto target = op("aten::log1p");
    static Ref translate(Translation& t) { return log_of_one_more(t, t.wide_operand("self")); }
};
inline Ref logarithm(Translation& t, double base) {
    const Ref log = t.add("Log", {t.wide_operand("self")});
    return t.add("Div", {log, t.number_like(std::log(base), log)});
}
struct log2 {
    static constexpr auto target = op("aten::log2");
    static Ref translate(Translation& t) { return logarithm(t, 2); }
};
struct log10 {
    static constexpr auto target = op("aten::log10");
    static Ref translate(Translation& t) { return logarithm(t, 10); }
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
