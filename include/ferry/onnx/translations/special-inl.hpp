#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/pointwise-inl.hpp>
#include <ferry/onnx/translations/special.hpp>

#include <initializer_list>
#include <limits>
#include <numbers>
#include <string_view>

namespace ferry::onnx::translated {

/// The first coefficient belongs to the highest power.
inline Ref polynomial(Translation& t, Ref x, std::initializer_list<double> coefficients) {
    Ref sum;
    for (const double coefficient : coefficients) {
        const Ref number = t.number_like(coefficient, x);
        sum = sum ? t.add("Add", {t.add("Mul", {sum, x}), number}) : number;
    }
    return sum;
}

/// A rational first guess, made better by two steps of Newton's method.
// NOLINTNEXTLINE(modernize-use-std-numbers): it only looks like a logarithm
FERRY_INLINE Ref erfinv::translate(Translation& t) {
    const Ref y = t.wide_operand("self");
    const auto number = [&](double value) { return t.number_like(value, y); };
    const Ref size = t.add("Abs", {y}), one = number(1);
    const Ref square = t.add("Mul", {y, y});
    const Ref above = polynomial(t, square, {-0.140543331, 0.914624893, -1.645349621, 0.886226899});
    const Ref below = polynomial(t, square, {0.012229801, -0.329097515, 1.442710462, -2.118377725, 1});
    const Ref near = t.add("Div", {t.add("Mul", {size, above}), below});
    const Ref left = t.add("Mul", {t.add("Sub", {one, size}), number(0.5)});
    const Ref z = t.add("Sqrt", {t.add("Neg", {t.add("Log", {left})})});
    const Ref far = t.add("Div", {polynomial(t, z, {1.641345311, 3.429567803, -1.624906493, -1.970840454}),
                                  polynomial(t, z, {1.637067800, 3.543889200, 1})});
    Ref x = t.add("Where", {t.add("LessOrEqual", {size, number(0.7)}), near, far});
    for (int step = 0; step < 2; ++step) {
        const Ref slope = t.add("Exp", {t.add("Neg", {t.add("Mul", {x, x})})});
        const Ref off = t.add("Sub", {t.add("Erf", {x}), size});
        x = t.add("Sub", {x, t.add("Div", {off, t.add("Mul", {slope, number(2 * std::numbers::inv_sqrtpi)})})});
    }
    const Ref beyond = t.add("Where", {t.add("Equal", {size, one}), number(std::numeric_limits<double>::infinity()),
                                       number(std::numeric_limits<double>::quiet_NaN())});
    const Ref found = t.add("Where", {t.add("Less", {size, one}), x, beyond});
    return t.add("Mul", {t.add("Sign", {y}), found});
}
/// A Chebyshev series in float32: 1 - erf(x) has no digits left where x is large.
FERRY_INLINE Ref erfc::translate(Translation& t) {
    const Ref x = t.wide_operand("self");
    const Ref one = t.number_like(1, x);
    if (t.dtype(x) == DType::float64) return t.add("Sub", {one, t.add("Erf", {x})});
    const Ref size = t.add("Abs", {x});
    const Ref inner = t.add("Reciprocal", {t.add("Add", {one, t.add("Mul", {size, t.number_like(0.5, x)})})});
    const Ref series = polynomial(t, inner,
                                  {0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806,
                                   0.09678418, 0.37409196, 1.00002368, -1.26551223});
    const Ref power = t.add("Exp", {t.add("Sub", {series, t.add("Mul", {size, size})})});
    const Ref tail = t.add("Mul", {inner, power});
    const Ref is_below = t.add("Less", {x, t.number_like(0, x)});
    return t.add("Where", {is_below, t.add("Sub", {t.number_like(2, x), tail}), tail});
}

/// sin(pi * x) by what is left of x behind the point.
inline Ref sine_of_turns(Translation& t, Ref fraction) {
    return t.add("Sin", {t.add("Mul", {fraction, t.number_like(std::numbers::pi, fraction)})});
}
/// Lanczos' series; below one half by reflection.
FERRY_INLINE Ref lgamma::translate(Translation& t) {
    static constexpr double terms[] = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
                                       -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
                                       9.9843695780195716e-6, 1.5056327351493116e-7};
    const Ref x = t.wide_operand("self");
    const auto number = [&](double value) { return t.number_like(value, x); };
    const Ref is_low = t.add("Less", {x, number(0.5)});
    const Ref z = t.add("Sub", {t.add("Where", {is_low, t.add("Sub", {number(1), x}), x}), number(1)});
    Ref series = number(0.99999999999980993);
    for (int i = 0; i < 8; ++i)
        series = t.add("Add", {series, t.add("Div", {number(terms[i]), t.add("Add", {z, number(i + 1)})})});
    const Ref base = t.add("Add", {z, number(7.5)});
    const Ref power = t.add("Mul", {t.add("Add", {z, number(0.5)}), t.add("Log", {base})});
    const Ref half_log_of_turn = number(0.91893853320467274);
    const Ref high =
        t.add("Add", {t.add("Sub", {t.add("Add", {power, half_log_of_turn}), base}), t.add("Log", {series})});
    const Ref fraction = t.add("Sub", {x, t.add("Floor", {x})});
    const Ref mirrored = t.add("Log", {t.add("Div", {number(std::numbers::pi), sine_of_turns(t, fraction)})});
    return t.add("Where", {is_low, t.add("Sub", {mirrored, high}), high});
}
/// Ten steps up, where the asymptotic series is exact; below zero by reflection.
FERRY_INLINE Ref digamma::translate(Translation& t) {
    const Ref x = t.wide_operand("self");
    const auto number = [&](double value) { return t.number_like(value, x); };
    const Ref is_negative = t.add("Less", {x, number(0)});
    const Ref start = t.add("Where", {is_negative, t.add("Sub", {number(1), x}), x});
    Ref steps = t.add("Reciprocal", {start});
    for (int i = 1; i < 10; ++i) steps = t.add("Add", {steps, t.add("Reciprocal", {t.add("Add", {start, number(i)})})});
    const Ref z = t.add("Add", {start, number(10)});
    const Ref inverse = t.add("Reciprocal", {z});
    const Ref square = t.add("Mul", {inverse, inverse});
    const Ref series = t.add(
        "Mul",
        {square,
         polynomial(t, square, {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12})});
    const Ref half = t.add("Mul", {inverse, number(0.5)});
    const Ref high = t.add("Sub", {t.add("Sub", {t.add("Sub", {t.add("Log", {z}), half}), series}), steps});
    const Ref fraction = t.add("Sub", {x, t.add("Floor", {x})});
    const Ref cosine = sine_of_turns(t, t.add("Sub", {number(0.5), fraction}));
    const Ref cotangent = t.add("Div", {cosine, sine_of_turns(t, fraction)});
    const Ref low = t.add("Sub", {high, t.add("Mul", {cotangent, number(std::numbers::pi)})});
    const Ref whole = t.add("And", {is_negative, t.add("Equal", {fraction, number(0)})});
    const Ref known = t.add("Where", {is_negative, low, high});
    return t.add("Where", {whole, number(std::numeric_limits<double>::quiet_NaN()), known});
}

/// self * log(other), and nothing where self is zero whatever the logarithm is.
inline Ref times_logarithm(Translation& t, Ref self, Ref logarithm) {
    const Ref product = t.add("Mul", {self, logarithm});
    const Ref is_zero = t.add("Equal", {self, t.number_like(0, self)});
    const Ref is_nothing = t.add("And", {is_zero, t.add("Not", {t.add("IsNaN", {logarithm})})});
    return t.add("Where", {is_nothing, t.number_like(0, self), product});
}
FERRY_INLINE Ref xlogy::translate(Translation& t) {
    return times_logarithm(t, t.wide_operand("self"), t.add("Log", {t.wide_operand("other")}));
}
FERRY_INLINE Ref xlog1py::translate(Translation& t) {
    return times_logarithm(t, t.wide_operand("self"), log_of_one_more(t, t.wide_operand("other")));
}

/// The larger one times what the smaller adds: squares of large numbers overflow.
FERRY_INLINE Ref hypot::translate(Translation& t) {
    const Ref a = t.add("Abs", {t.wide_operand("self")}), b = t.add("Abs", {t.wide_operand("other")});
    const Ref larger = t.add("Max", {a, b}), smaller = t.add("Min", {a, b});
    const Ref one = t.number_like(1, a), zero = t.number_like(0, a);
    const Ref ratio = t.add("Div", {smaller, larger});
    const Ref grown = t.add("Sqrt", {t.add("Add", {t.add("Mul", {ratio, ratio}), one})});
    const Ref is_length = t.add("Or", {t.add("Equal", {larger, zero}), t.add("IsInf", {larger})});
    return t.add("Where", {is_length, larger, t.add("Mul", {larger, grown})});
}
/// The reciprocal shows the sign of a zero.
inline Ref is_negative(Translation& t, Ref value) {
    const Ref zero = t.number_like(0, value);
    const Ref is_below = t.add("Less", {value, zero});
    if (!is_floating_point(t.dtype(value))) return is_below;
    return t.add("Or", {is_below, t.add("Less", {t.add("Reciprocal", {value}), zero})});
}
FERRY_INLINE Ref signbit::translate(Translation& t) { return is_negative(t, t.tensor("self")); }
FERRY_INLINE Ref copysign::translate(Translation& t) {
    const Ref size = t.add("Abs", {t.wide_operand("self")});
    return t.add("Where", {is_negative(t, t.wide_operand("other")), t.add("Neg", {size}), size});
}
FERRY_INLINE Ref ldexp::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    return t.add("Mul", {self, t.add("Pow", {t.number_like(2, self), t.wide_operand("other")})});
}
/// A NaN gives way to the other number.
FERRY_INLINE Ref extreme(Translation& t, std::string_view op) {
    const Ref a = t.wide_operand("self"), b = t.wide_operand("other");
    const Ref best = t.add(op, {a, b});
    if (!is_floating_point(t.dtype(a))) return best;
    return t.add("Where", {t.add("IsNaN", {a}), b, t.add("Where", {t.add("IsNaN", {b}), a, best})});
}

}  // namespace ferry::onnx::translated
