#pragma once

#include <ferry/capture/detail/fit_reals.hpp>
#include <ferry/capture/size_nodes.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

/// The part of a graph that computes numbers from sizes which are no integers: `sym_sqrt`, `truediv`, `mul` as torch.export writes
/// them; and logarithms, for which it has nothing, as tensors without dimensions.
class RealNodes {
public:
    RealNodes(Graph& graph, SizeNodes& sizes) : graph_(graph), sizes_(sizes) {}

    /// `operand` is the dtype of what the number is computed with.
    [[nodiscard]] Argument of(const RealFit& fit, DType operand) {
        if (fit.function == RealFunction::logarithm) return logarithm(fit, operand);
        const Argument size = sizes_.of(fit.of);
        const SymExpr x = real_call(SymOp::to_float, {fit.of});
        switch (fit.function) {
            case RealFunction::inverse:
                return call("_operator::truediv", "truediv", {fit.factor, size},
                            real_call(SymOp::float_true_div, {SymExpr::real(fit.factor), x}));
            case RealFunction::inverse_root:
                return call("_operator::truediv", "truediv", {fit.factor, root(size, x)},
                            real_call(SymOp::float_true_div, {SymExpr::real(fit.factor), unary_call("sqrt", x)}));
            case RealFunction::square_root: return scaled(root(size, x), fit.factor, unary_call("sqrt", x));
            default: return scaled(call("torch::sym_float", "sym_float", {size}, x), fit.factor, x);
        }
    }

private:
    [[nodiscard]] Value call(std::string_view op, std::string_view name, std::vector<Argument> operands,
                             const SymExpr& meaning) {
        return append_function(graph_, op, name, std::move(operands),
                               {.name = {}, .kind = ValueKind::sym_float, .symbol = meaning});
    }
    [[nodiscard]] Value root(const Argument& size, const SymExpr& x) {
        return call("torch::sym_sqrt", "sym_sqrt", {size}, unary_call("sqrt", x));
    }
    [[nodiscard]] Value scaled(Value value, double factor, const SymExpr& meaning) {
        if (factor == 1) return value;
        return call("_operator::mul", "mul", {value, factor}, meaning * SymExpr::real(factor));
    }
    /// Of a dtype with which the result has the dtype that it has with a number.
    [[nodiscard]] Value logarithm(const RealFit& fit, DType operand) {
        const bool is_wide = operand == DType::float64 || operand == DType::complex128;
        const TensorMeta meta{.dtype = is_wide ? DType::float64 : DType::float32};
        const auto tensor = [&](std::string_view op, std::string_view name, std::vector<NamedArgument> arguments) {
            const Value value = graph_.new_value(name, {.name = {}, .tensor = meta});
            graph_.append(op, std::move(arguments), {{.values = {value}}});
            return value;
        };
        const Value size = tensor(
            "aten::scalar_tensor", "scalar_tensor",
            {{.name = "s", .value = sizes_.of(fit.of)}, {.name = "dtype", .value = meta.dtype, .keyword = true}});
        const Value log = tensor("aten::log", "log", {{.name = "self", .value = size}});
        if (fit.factor == 1) return log;
        return tensor("aten::mul.Tensor", "mul",
                      {{.name = "self", .value = log}, {.name = "other", .value = fit.factor}});
    }

    Graph& graph_;
    SizeNodes& sizes_;
};

}  // namespace ferry::capture
