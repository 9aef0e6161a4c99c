#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

/// Functions of one tensor and arithmetic on two.
namespace ferry::onnx {
namespace translated {

/// One node of the same meaning, computed in the result's dtype.
inline Ref unary(Translation& t, std::string_view op) { return t.add(op, {t.operand("self", t.result_dtype())}); }
/// Whole numbers stay what they are.
inline Ref rounding(Translation& t, std::string_view op) {
    const Ref self = t.tensor("self");
    return is_floating_point(t.dtype(self)) ? t.add(op, {self}) : self;
}
inline Ref binary(Translation& t, std::string_view op) {
    return t.add(op, {t.operand("self", t.result_dtype()), t.operand("other", t.result_dtype())});
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
template <fixed_string Aten, fixed_string Onnx>
struct binary_op {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return binary(t, Onnx); }
};

// Functions of one tensor.

/// ONNX Runtime has no Relu on most whole numbers.
struct relu {
    static constexpr auto target = op("aten::relu");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        return is_floating_point(t.dtype(self)) ? t.add("Relu", {self}) : t.add("Max", {self, t.number_like(0, self)});
    }
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
struct silu {
    static constexpr auto target = op("aten::silu");
    static Ref translate(Translation& t) {
        const Ref self = t.wide_operand("self");
        if (t.dtype(self) != DType::float64) return t.add("Mul", {self, t.add("Sigmoid", {self})});
        // ONNX Runtime joins these two to one that it has no kernel for in float64.
        const Ref power = t.add("Exp", {t.add("Neg", {self})});
        return t.add("Div", {self, t.add("Add", {power, t.number_like(1, self)})});
    }
};
struct gelu {
    static constexpr auto target = op("aten::gelu");
    static Ref translate(Translation& t) {
        const std::string approximate = t.text("approximate");
        const Ref x = t.wide_operand("self");
        if (t.opset() >= 20) return t.add("Gelu", {x}, {{"approximate", approximate}});
        const auto number = [&](double value) { return t.number_like(value, x); };
        Ref inner;
        if (approximate == "tanh") {
            const Ref cube = t.add("Mul", {t.add("Mul", {x, x}), x});
            const Ref sum = t.add("Add", {x, t.add("Mul", {cube, number(0.044715)})});
            inner = t.add("Tanh", {t.add("Mul", {sum, number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi)})});
        } else {
            inner = t.add("Erf", {t.add("Div", {x, number(std::numbers::sqrt2)})});
        }
        return t.add("Mul", {t.add("Mul", {x, number(0.5)}), t.add("Add", {inner, number(1)})});
    }
};
struct leaky_relu {
    static constexpr auto target = op("aten::leaky_relu");
    static Ref translate(Translation& t) {
        return t.add("LeakyRelu", {t.tensor("self")}, {{"alpha", t.real("negative_slope")}});
    }
};
/// What is drawn by chance in training is the mean of its limits otherwise.
struct rrelu {
    static constexpr auto target = op("aten::rrelu_with_noise_functional");
    static void translate(Translation& t) {
        if (t.flag("training")) t.refuse("a slope that is drawn by chance", "call eval() on the model first");
        const double slope = (t.real("lower") + t.real("upper")) / 2;
        t.result(t.add("LeakyRelu", {t.tensor("self")}, {{"alpha", slope}}), 0);
        t.result(t.tensor("noise"), 1);
    }
};
struct elu {
    static constexpr auto target = op("aten::elu");
    static Ref translate(Translation& t) {
        const double alpha = t.real("alpha"), scale = t.real("scale"), input_scale = t.real("input_scale");
        const Ref x = t.wide_operand("self");
        if (scale == 1 && input_scale == 1) return t.add("Elu", {x}, {{"alpha", alpha}});
        const Ref scaled = t.add("Mul", {x, t.number_like(input_scale, x)});
        const Ref low = t.add("Elu", {scaled}, {{"alpha", alpha}});
        const Ref positive = t.add("Greater", {x, t.number_like(0, x)});
        return t.add("Mul", {t.add("Where", {positive, x, low}), t.number_like(scale, x)});
    }
};
struct softplus {
    static constexpr auto target = op("aten::softplus");
    static Ref translate(Translation& t) {
        const Ref x = t.wide_operand("self");
        const double beta = t.real("beta");
        const Ref scaled = beta == 1 ? x : t.add("Mul", {x, t.number_like(beta, x)});
        Ref soft = t.add("Softplus", {scaled});
        if (beta != 1) soft = t.add("Div", {soft, t.number_like(beta, x)});
        return t.add("Where", {t.add("Greater", {scaled, t.number_like(t.real("threshold"), x)}), x, soft});
    }
};
struct hardsigmoid {
    static constexpr auto target = op("aten::hardsigmoid");
    static Ref translate(Translation& t) {
        return t.add("HardSigmoid", {t.tensor("self")}, {{"alpha", 1.0 / 6}, {"beta", 0.5}});
    }
};
struct hardswish {
    static constexpr auto target = op("aten::hardswish");
    static Ref translate(Translation& t) {
        const Ref x = t.wide_operand("self");
        return t.add("Mul", {x, t.add("HardSigmoid", {x}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})});
    }
};

// Limits. Not by Clip, which lets a NaN become the limit.

inline Ref clamped(Translation& t, std::string_view low, std::string_view high) {
    const DType dtype = t.result_dtype();
    Ref value = t.operand("self", dtype);
    if (!low.empty() && t.has(low)) value = t.add("Max", {value, t.operand(low, dtype)});
    if (!high.empty() && t.has(high)) value = t.add("Min", {value, t.operand(high, dtype)});
    return value;
}
struct clamp {
    static constexpr auto target = op("aten::clamp", "aten::clamp.Tensor", "aten::clip", "aten::clip.Tensor");
    static Ref translate(Translation& t) { return clamped(t, "min", "max"); }
};
struct clamp_min {
    static constexpr auto target = op("aten::clamp_min", "aten::clamp_min.Tensor");
    static Ref translate(Translation& t) { return clamped(t, "min", ""); }
};
struct clamp_max {
    static constexpr auto target = op("aten::clamp_max", "aten::clamp_max.Tensor");
    static Ref translate(Translation& t) { return clamped(t, "", "max"); }
};
struct hardtanh {
    static constexpr auto target = op("aten::hardtanh");
    static Ref translate(Translation& t) { return clamped(t, "min_val", "max_val"); }
};
struct relu6 {
    static constexpr auto target = op("aten::relu6");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        return t.add("Min", {t.add("Max", {self, t.number_like(0, self)}), t.number_like(6, self)});
    }
};

// Arithmetic.

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
struct add {
    static constexpr auto target = op("aten::add.Tensor", "aten::add.Scalar");
    static Ref translate(Translation& t) { return add_scaled(t, "Add", "self", "other"); }
};
struct sub {
    static constexpr auto target = op("aten::sub.Tensor", "aten::sub.Scalar");
    static Ref translate(Translation& t) { return add_scaled(t, "Sub", "self", "other"); }
};
struct rsub {
    static constexpr auto target = op("aten::rsub.Tensor", "aten::rsub.Scalar");
    static Ref translate(Translation& t) { return add_scaled(t, "Sub", "other", "self"); }
};
struct mul {
    static constexpr auto target = op("aten::mul.Tensor", "aten::mul.Scalar", "aten::multiply.Tensor");
    static Ref translate(Translation& t) { return binary(t, "Mul"); }
};
struct div {
    static constexpr auto target = op("aten::div.Tensor", "aten::div.Scalar");
    static Ref translate(Translation& t) { return binary(t, "Div"); }
};

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
struct floor_divide {
    static constexpr auto target = op("aten::floor_divide", "aten::floor_divide.Scalar");
    static Ref translate(Translation& t) { return floor_divided(t); }
};
struct div_mode {
    static constexpr auto target = op("aten::div.Tensor_mode", "aten::div.Scalar_mode");
    static Ref translate(Translation& t) {
        if (!t.has("rounding_mode")) return binary(t, "Div");
        if (t.text("rounding_mode") == "floor") return floor_divided(t);
        const DType dtype = t.wide(t.result_dtype());
        const Ref quotient = t.add("Div", {t.operand("self", dtype), t.operand("other", dtype)});
        if (!is_floating_point(dtype)) return quotient;
        return t.add("Mul", {t.add("Sign", {quotient}), t.add("Floor", {t.add("Abs", {quotient})})});
    }
};
struct remainder {
    static constexpr auto target =
        op("aten::remainder.Tensor", "aten::remainder.Scalar", "aten::remainder.Scalar_Tensor");
    static Ref translate(Translation& t) {
        const DType dtype = t.wide(t.result_dtype());
        const Ref a = t.operand("self", dtype), b = t.operand("other", dtype);
        if (!is_floating_point(dtype)) return t.add("Mod", {a, b});
        const Ref rest = t.add("Mod", {a, b}, {{"fmod", 1}});
        return t.add("Where", {off_side(t, rest, b), t.add("Add", {rest, b}), rest});
    }
};
struct fmod {
    static constexpr auto target = op("aten::fmod.Tensor", "aten::fmod.Scalar");
    static Ref translate(Translation& t) {
        const DType dtype = t.result_dtype();
        return t.add("Mod", {t.operand("self", dtype), t.operand("other", dtype)}, {{"fmod", 1}});
    }
};
struct pow {
    static constexpr auto target = op("aten::pow.Tensor_Tensor", "aten::pow.Tensor_Scalar", "aten::pow.Scalar");
    static Ref translate(Translation& t) {
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
};
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
struct atan2 {
    static constexpr auto target = op("aten::atan2");
    static Ref translate(Translation& t) { return angle_of(t, t.wide_operand("self"), t.wide_operand("other")); }
};
/// value * tensor1 * tensor2 or tensor1 / tensor2, added.
inline Ref add_combined(Translation& t, std::string_view op) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref combined = t.add(op, {t.operand("tensor1", dtype), t.operand("tensor2", dtype)});
    return t.add("Add", {t.operand("self", dtype), scaled(t, combined, "value")});
}
struct addcmul {
    static constexpr auto target = op("aten::addcmul");
    static Ref translate(Translation& t) { return add_combined(t, "Mul"); }
};
struct addcdiv {
    static constexpr auto target = op("aten::addcdiv");
    static Ref translate(Translation& t) { return add_combined(t, "Div"); }
};

}  // namespace translated

using pointwise_translations =
    translations<translated::relu, translated::unary_op<"aten::exp", "Exp">, translated::unary_op<"aten::log", "Log">,
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
                 translated::log10, translated::silu, translated::gelu, translated::leaky_relu, translated::rrelu,
                 translated::elu, translated::softplus, translated::hardsigmoid, translated::hardswish,
                 translated::clamp, translated::clamp_min, translated::clamp_max, translated::hardtanh,
                 translated::relu6, translated::add, translated::sub, translated::rsub, translated::mul,
                 translated::div, translated::floor_divide, translated::div_mode, translated::remainder,
                 translated::fmod, translated::pow, translated::atan2, translated::binary_op<"aten::maximum", "Max">,
                 translated::binary_op<"aten::minimum", "Min">, translated::binary_op<"aten::max.other", "Max">,
                 translated::binary_op<"aten::min.other", "Min">, translated::addcmul, translated::addcdiv>;

}  // namespace ferry::onnx
