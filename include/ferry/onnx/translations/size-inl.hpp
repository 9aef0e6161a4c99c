#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/size.hpp>

#include <string>
#include <string_view>

namespace ferry::onnx::translated {

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
FERRY_INLINE Ref computed(Translation& t, std::string_view op) {
    if (t.result_info().kind == ValueKind::sym_int) return t.size(t.result_info().symbol);
    if (op.empty()) t.refuse("this function over numbers gives no whole number");
    const DType dtype = common_dtype(t);
    std::vector<Ref> inputs;
    for (std::size_t i = 0; i < t.node().arguments().size(); ++i) inputs.push_back(number_in(t, i, dtype));
    return t.with_sizes(t.add(op, std::move(inputs)), {1});
}
FERRY_INLINE Ref true_division::translate(Translation& t) {
    return t.with_sizes(t.add("Div", {number_in(t, 0, DType::float64), number_in(t, 1, DType::float64)}), {1});
}
FERRY_INLINE Ref to_float::translate(Translation& t) { return number_in(t, 0, DType::float64); }
FERRY_INLINE Ref not_equal_numbers::translate(Translation& t) {
    return t.with_sizes(t.add("Not", {computed(t, "Equal")}), {1});
}
FERRY_INLINE Ref square_root::translate(Translation& t) {
    return t.with_sizes(t.add("Sqrt", {number_in(t, 0, DType::float64)}), {1});
}
FERRY_INLINE Ref whole_number::translate(Translation& t) { return computed(t, ""); }
/// A tensor's only number, which from here on is a size.
FERRY_INLINE Ref item::translate(Translation& t) {
    const ValueInfo& info = t.result_info();
    const Ref number = t.with_sizes(t.add("Reshape", {t.tensor("self"), t.ints({1})}), {1});
    if (info.kind == ValueKind::sym_float) return t.cast(number, DType::float64);
    if (info.kind == ValueKind::sym_bool) return t.cast(number, DType::boolean);
    const Ref whole = t.cast(number, DType::int64);
    t.know_size(info.symbol, whole);
    return whole;
}
/// What is said of ranges is known by now.
FERRY_INLINE void range_of_number::translate(Translation&) {}

}  // namespace ferry::onnx::translated
