#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <numbers>
#include <string>
#include <string_view>

/// What stands between the layers of networks, and limits.
namespace ferry::onnx {
namespace translated {

/// ONNX Runtime has no Relu on most whole numbers.
struct relu {
    static constexpr auto target = op("aten::relu");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        return is_floating_point(t.dtype(self)) ? t.add("Relu", {self}) : t.add("Max", {self, t.number_like(0, self)});
    }
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

/// One half opens or closes for the other.
struct glu {
    static constexpr auto target = op("aten::glu");
    static Ref translate(Translation& t) {
        const Ref self = t.wide_operand("self");
        const std::int64_t dim = t.dim("dim", t.rank(self));
        const SymExpr half = t.result_sizes()[static_cast<std::size_t>(dim)];
        const auto halves = t.add_many("Split", {self, t.shape({half, half})}, {{"axis", dim}}, 2);
        return t.add("Mul", {halves[0], t.add("Sigmoid", {halves[1]})});
    }
};

// Limits.

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
        return t.add("Clip", {self, t.number_like(0, self), t.number_like(6, self)});
    }
};

}  // namespace translated

using activation_translations =
    translations<translated::relu, translated::silu, translated::gelu, translated::leaky_relu, translated::elu,
                 translated::softplus, translated::hardsigmoid, translated::hardswish, translated::glu,
                 translated::clamp, translated::clamp_min, translated::clamp_max, translated::hardtanh,
                 translated::relu6>;

}  // namespace ferry::onnx
