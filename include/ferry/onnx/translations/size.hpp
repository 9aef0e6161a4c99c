#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string>
#include <string_view>

/// Numbers that a program computes with beside its tensors. Whole ones are expressions over sizes already, however the graph got them.
namespace ferry::onnx {
namespace translated {

/// Of a function over numbers, whose arguments have no names.
[[nodiscard]] inline DType number_dtype(Translation& t, const Argument& argument) {
    if (const auto* value = argument.get_if<Value>()) {
        const ValueKind kind = t.graph().info(*value).kind;
        return kind == ValueKind::sym_float  ? DType::float64
               : kind == ValueKind::sym_bool ? DType::boolean
                                             : DType::int64;
    }
    return argument.is<double>() ? DType::float64 : argument.is<bool>() ? DType::boolean : DType::int64;
}
inline Ref number_in(Translation& t, std::size_t position, DType dtype) {
    const Argument& argument = t.node().arguments()[position].value;
    if (const auto* value = argument.get_if<Value>()) return t.cast(t.ref(*value), dtype);
    if (const auto* number = argument.get_if<std::int64_t>()) return t.reshape(t.number(*number, dtype), {1});
    if (const auto* number = argument.get_if<double>()) return t.reshape(t.number(*number, dtype), {1});
    if (const auto* flag = argument.get_if<bool>()) return t.reshape(t.number(*flag, dtype), {1});
    t.refuse("an argument that is no number");
}
inline DType common_dtype(Translation& t) {
    DType common = DType::int64;
    for (const NamedArgument& each : t.node().arguments())
        if (number_dtype(t, each.value) == DType::float64) common = DType::float64;
    return common;
}
/// A whole number is what its expression says; others are computed.
inline Ref computed(Translation& t, std::string_view op) {
    if (t.result_info().kind == ValueKind::sym_int) return t.size(t.result_info().symbol);
    if (op.empty()) t.refuse("this function over numbers gives no whole number");
    const DType dtype = common_dtype(t);
    std::vector<Ref> inputs;
    for (std::size_t i = 0; i < t.node().arguments().size(); ++i) inputs.push_back(number_in(t, i, dtype));
    return t.with_sizes(t.add(op, std::move(inputs)), {1});
}
template <fixed_string Name, fixed_string Onnx>
struct number_op {
    static constexpr auto target = op(Name.text);
    static Ref translate(Translation& t) { return computed(t, Onnx); }
};
struct true_division {
    static constexpr auto target = op("_operator::truediv");
    static Ref translate(Translation& t) {
        return t.with_sizes(t.add("Div", {number_in(t, 0, DType::float64), number_in(t, 1, DType::float64)}), {1});
    }
};
struct to_float {
    static constexpr auto target = op("torch::sym_float");
    static Ref translate(Translation& t) { return number_in(t, 0, DType::float64); }
};
struct not_equal_numbers {
    static constexpr auto target = op("_operator::ne");
    static Ref translate(Translation& t) { return t.with_sizes(t.add("Not", {computed(t, "Equal")}), {1}); }
};
struct square_root {
    static constexpr auto target = op("torch::sym_sqrt", "torch::_sym_sqrt", "math::sqrt");
    static Ref translate(Translation& t) { return t.with_sizes(t.add("Sqrt", {number_in(t, 0, DType::float64)}), {1}); }
};
struct whole_number {
    static constexpr auto target =
        op("aten::sym_size.int", "aten::sym_numel", "aten::sym_stride.int", "_operator::floordiv", "_operator::mod",
           "_operator::pos", "torch::sym_int", "torch::sym_ite", "math::ceil", "math::floor", "math::trunc");
    static Ref translate(Translation& t) { return computed(t, ""); }
};
/// A tensor's only number, which from here on is a size.
struct item {
    static constexpr auto target = op("aten::item", "aten::_local_scalar_dense");
    static Ref translate(Translation& t) {
        const ValueInfo& info = t.result_info();
        const Ref number = t.with_sizes(t.add("Reshape", {t.tensor("self"), t.ints({1})}), {1});
        if (info.kind == ValueKind::sym_float) return t.cast(number, DType::float64);
        if (info.kind == ValueKind::sym_bool) return t.cast(number, DType::boolean);
        const Ref whole = t.cast(number, DType::int64);
        t.know_size(info.symbol, whole);
        return whole;
    }
};
/// What is said of ranges is known by now.
struct range_of_number {
    static constexpr auto target = op("aten::sym_constrain_range", "aten::sym_constrain_range_for_size");
    static void translate(Translation&) {}
};

}  // namespace translated

using size_translations =
    translations<translated::number_op<"_operator::add", "Add">, translated::number_op<"_operator::sub", "Sub">,
                 translated::number_op<"_operator::mul", "Mul">, translated::number_op<"_operator::neg", "Neg">,
                 translated::number_op<"_operator::pow", "Pow">, translated::number_op<"_operator::eq", "Equal">,
                 translated::number_op<"_operator::lt", "Less">, translated::number_op<"_operator::le", "LessOrEqual">,
                 translated::number_op<"_operator::gt", "Greater">,
                 translated::number_op<"_operator::ge", "GreaterOrEqual">,
                 translated::number_op<"torch::sym_max", "Max">, translated::number_op<"torch::sym_min", "Min">,
                 translated::true_division, translated::to_float, translated::not_equal_numbers,
                 translated::square_root, translated::whole_number, translated::item, translated::range_of_number>;

}  // namespace ferry::onnx
