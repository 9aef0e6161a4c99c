#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/activation.hpp>

#include <numbers>
#include <string>
#include <string_view>

namespace ferry::onnx::translated {

/// ONNX Runtime has no Relu on most whole numbers.
FERRY_INLINE Ref relu::translate(Translation& t) {
    const Ref self = t.tensor("self");
    return is_floating_point(t.dtype(self)) ? t.add("Relu", {self}) : t.add("Max", {self, t.number_like(0, self)});
}
// ONNX Runtime joins these two to one that it has no kernel for in float64.
FERRY_INLINE Ref silu::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    if (t.dtype(self) != DType::float64) return t.add("Mul", {self, t.add("Sigmoid", {self})});
    const Ref power = t.add("Exp", {t.add("Neg", {self})});
    return t.add("Div", {self, t.add("Add", {power, t.number_like(1, self)})});
}
FERRY_INLINE Ref gelu::translate(Translation& t) {
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
FERRY_INLINE Ref leaky_relu::translate(Translation& t) {
    return t.add("LeakyRelu", {t.tensor("self")}, {{"alpha", t.real("negative_slope")}});
}
FERRY_INLINE Ref elu::translate(Translation& t) {
    const double alpha = t.real("alpha"), scale = t.real("scale"), input_scale = t.real("input_scale");
    const Ref x = t.wide_operand("self");
    if (scale == 1 && input_scale == 1) return t.add("Elu", {x}, {{"alpha", alpha}});
    const Ref scaled = t.add("Mul", {x, t.number_like(input_scale, x)});
    const Ref low = t.add("Elu", {scaled}, {{"alpha", alpha}});
    const Ref positive = t.add("Greater", {x, t.number_like(0, x)});
    return t.add("Mul", {t.add("Where", {positive, x, low}), t.number_like(scale, x)});
}
FERRY_INLINE Ref softplus::translate(Translation& t) {
    const Ref x = t.wide_operand("self");
    const double beta = t.real("beta");
    const Ref scaled = beta == 1 ? x : t.add("Mul", {x, t.number_like(beta, x)});
    Ref soft = t.add("Softplus", {scaled});
    if (beta != 1) soft = t.add("Div", {soft, t.number_like(beta, x)});
    return t.add("Where", {t.add("Greater", {scaled, t.number_like(t.real("threshold"), x)}), x, soft});
}
FERRY_INLINE Ref hardsigmoid::translate(Translation& t) {
    return t.add("HardSigmoid", {t.tensor("self")}, {{"alpha", 1.0 / 6}, {"beta", 0.5}});
}
FERRY_INLINE Ref hardswish::translate(Translation& t) {
    const Ref x = t.wide_operand("self");
    return t.add("Mul", {x, t.add("HardSigmoid", {x}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})});
}

/// One half opens or closes for the other.
FERRY_INLINE Ref glu::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    const std::int64_t dim = t.dim("dim", t.rank(self));
    const SymExpr half = t.result_sizes()[static_cast<std::size_t>(dim)];
    const auto halves = t.add_many("Split", {self, t.shape({half, half})}, {{"axis", dim}}, 2);
    return t.add("Mul", {halves[0], t.add("Sigmoid", {halves[1]})});
}
/// By Clip only between two numbers: with one of them missing it has limits of its own, which infinite numbers are beyond.
inline Ref clamped(Translation& t, std::string_view low, std::string_view high) {
    const DType dtype = t.result_dtype();
    Ref value = t.operand("self", dtype);
    const auto is_number = [&](std::string_view name) {
        return !name.empty() && t.has(name) && !t.argument(name).is<Value>();
    };
    if (is_number(low) && is_number(high) && t.real(low) <= t.real(high))
        return t.add("Clip", {value, t.operand(low, dtype), t.operand(high, dtype)});
    if (!low.empty() && t.has(low)) value = t.add("Max", {value, t.operand(low, dtype)});
    if (!high.empty() && t.has(high)) value = t.add("Min", {value, t.operand(high, dtype)});
    return value;
}
FERRY_INLINE Ref clamp::translate(Translation& t) { return clamped(t, "min", "max"); }
FERRY_INLINE Ref clamp_min::translate(Translation& t) { return clamped(t, "min", ""); }
FERRY_INLINE Ref clamp_max::translate(Translation& t) { return clamped(t, "", "max"); }
FERRY_INLINE Ref hardtanh::translate(Translation& t) { return clamped(t, "min_val", "max_val"); }
FERRY_INLINE Ref relu6::translate(Translation& t) {
    const Ref self = t.tensor("self");
    return t.add("Clip", {self, t.number_like(0, self), t.number_like(6, self)});
}

}  // namespace ferry::onnx::translated
