#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/xnnpack/definition.hpp>
#include <ferry/executorch/xnnpack/ops/elementwise.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::executorch::delegated {
namespace detail {

using xnnpack::Op;

/// The operation of that name, in a table of names without "aten::" and overload.
template <std::size_t Count>
[[nodiscard]] Op find_operation(std::string_view op, const std::pair<std::string_view, Op> (&table)[Count]) {
    const std::string_view name = op.substr(6, op.find('.') - 6);
    for (const auto& [each, operation] : table)
        if (each == name) return operation;
    return Op::NONE;
}

}  // namespace detail

FERRY_INLINE void functions::define(xnnpack::Definition& d) {
    using xnnpack::Op;
    static constexpr std::pair<std::string_view, Op> table[] = {
        {"abs", Op::XNNAbs},         {"neg", Op::XNNNegate},
        {"ceil", Op::XNNCeiling},    {"floor", Op::XNNFloor},
        {"sqrt", Op::XNNSquareRoot}, {"rsqrt", Op::XNNReciprocalSquareRoot},
        {"exp", Op::XNNExp},         {"log", Op::XNNLog},
        {"tanh", Op::XNNTanh},       {"sigmoid", Op::XNNSigmoid},
        {"sin", Op::XNNSin},         {"cos", Op::XNNCos},
        {"square", Op::XNNSquare},   {"hardswish", Op::XNNHardswish}};
    d.elementwise({.op = detail::find_operation(d.node().op(), table)}, {d.item("self")});
}

FERRY_INLINE void arithmetic::define(xnnpack::Definition& d) {
    using xnnpack::Op;
    static constexpr std::pair<std::string_view, Op> table[] = {
        {"add", Op::XNNAdd}, {"sub", Op::XNNSubtract},    {"rsub", Op::XNNSubtract},  {"mul", Op::XNNMultiply},
        {"div", Op::XNNDiv}, {"maximum", Op::XNNMaximum}, {"minimum", Op::XNNMinimum}};
    d.require(d.real("alpha", 1) == 1);
    auto first = d.item("self"), second = d.item("other");
    if (d.node().op() == "aten::rsub.Scalar") std::swap(first, second);
    d.elementwise({.op = detail::find_operation(d.node().op(), table)}, {first, second});
}

FERRY_INLINE void clamps::define(xnnpack::Definition& d) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::string_view op = d.node().op();
    double low = d.real("min", -infinity), high = d.real("max", infinity);
    if (op == "aten::relu" || op == "aten::relu6") low = 0;
    if (op == "aten::relu6") high = 6;
    if (op == "aten::hardtanh") {
        low = d.real("min_val", -1);
        high = d.real("max_val", 1);
    }
    d.require(low < high);
    d.elementwise({.op = xnnpack::Op::XNNClamp, .low = static_cast<float>(low), .high = static_cast<float>(high)},
                  {d.item("self")});
}

FERRY_INLINE void powers::define(xnnpack::Definition& d) {
    using xnnpack::Op;
    const double exponent = d.node().op() == "aten::reciprocal" ? -1 : d.real("exponent");
    const auto self = d.item("self");
    if (exponent == 2) return d.elementwise({.op = Op::XNNSquare}, {self});
    if (exponent == 0.5) return d.elementwise({.op = Op::XNNSquareRoot}, {self});
    if (exponent == -0.5) return d.elementwise({.op = Op::XNNReciprocalSquareRoot}, {self});
    if (exponent == -1) return d.elementwise({.op = Op::XNNDiv}, {{.number = 1}, self});
    d.require(exponent == 3 || exponent == 4);
    if (d.is_declined()) return;
    const auto x = d.operands({self});
    const auto square = d.apply(Op::XNNSquare, x.refs, x.sizes);
    d.give(x, exponent == 4 ? d.apply(Op::XNNSquare, {square}, x.sizes)
                            : d.apply(Op::XNNMultiply, {square, x.refs[0]}, x.sizes));
}

FERRY_INLINE void activations::define(xnnpack::Definition& d) {
    using xnnpack::Op, xnnpack::Ref;
    const auto self = d.item("self");
    if (d.node().op() == "aten::leaky_relu")
        return d.elementwise({.op = Op::XNNLeakyReLU, .number = static_cast<float>(d.real("negative_slope", 0.01))},
                             {self});
    if (d.node().op() == "aten::elu") {
        d.require(d.real("scale", 1) == 1 && d.real("input_scale", 1) == 1 && d.real("alpha", 1) > 0);
        return d.elementwise({.op = Op::XNNELU, .number = static_cast<float>(d.real("alpha", 1))}, {self});
    }
    const Argument* way = d.node().find("approximate");
    if (way == nullptr || *way == Argument("none")) return d.elementwise({.op = Op::XNNGelu}, {self});
    d.require(*way == Argument("tanh"));
    // By tanh, which is x sigmoid(a x + b x³) with less to compute.
    constexpr double a = 2 * 0.79788456080286536, b = 0.044715 * a;  // twice the root of 2 / pi
    const auto x = d.operands({self});
    const auto step = [&](Op op, Ref first, Ref second) { return d.apply(op, {first, second}, x.sizes); };
    const Ref square = d.apply(Op::XNNSquare, x.refs, x.sizes);
    const Ref slope = step(Op::XNNAdd, step(Op::XNNMultiply, square, d.number(b)), d.number(a));
    const Ref share = d.apply(Op::XNNSigmoid, {step(Op::XNNMultiply, x.refs[0], slope)}, x.sizes);
    d.give(x, step(Op::XNNMultiply, x.refs[0], share));
}

}  // namespace ferry::executorch::delegated
