#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/node_fixes/precision.hpp>
#include <ferry/graph/graph.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ferry::executorch::fixed {
namespace detail {

/// Where there are values between bytes: to the nearest.
[[nodiscard]] inline Value rounded_before(Graph& graph, Node* place, Value value) {
    const auto add = [&](const char* op, std::vector<NamedArgument> arguments) {
        const Value made =
            graph.new_value(op, {.name = {}, .kind = ValueKind::tensor, .tensor = graph.info(value).tensor});
        graph.insert_before(place, op, std::move(arguments), {{.values = {made}}});
        return made;
    };
    const Value whole = add("aten::round", {{"self", value}});
    return add("aten::clamp", {{"self", whole}, {"min", 0}, {"max", 255}});
}

}  // namespace detail

FERRY_INLINE Value cast_before(Graph& graph, Node* place, Value value, DType dtype) {
    ValueInfo info{.name = {}, .kind = ValueKind::tensor, .tensor = graph.info(value).tensor};
    info.tensor.dtype = dtype;
    const Value made = graph.new_value("_to_copy", std::move(info));
    graph.insert_before(place, "aten::_to_copy", {{"self", value}, {"dtype", dtype, true}}, {{.values = {made}}});
    return made;
}

FERRY_INLINE bool compute_in_single_precision(Graph& graph, Node& node, bool (*is_cast)(DType)) {
    const auto is_to_cast = [is_cast](const ValueInfo& info) {
        return info.kind == ValueKind::tensor && is_cast(info.tensor.dtype);
    };
    bool is_any = false;
    for (const NamedArgument& argument : node.arguments())
        for_each_value(argument.value, [&](Value value) { is_any = is_any || is_to_cast(graph.info(value)); });
    if (!is_any) return false;
    std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
    for (NamedArgument& argument : arguments) {
        if (argument.value.is<DType>()) argument.value = DType::float32;
        for_each_value(argument.value, [&](Value& value) {
            if (is_to_cast(graph.info(value))) value = cast_before(graph, &node, value, DType::float32);
        });
    }
    std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
    std::vector<std::pair<Value, Value>> replaced;
    for (Output& output : outputs)
        for (Value& value : output.values) {
            ValueInfo info{.name = {}, .kind = graph.info(value).kind, .tensor = graph.info(value).tensor};
            if (is_to_cast(info)) info.tensor.dtype = DType::float32;
            const Value made = graph.new_value(graph.info(value).name, std::move(info));
            replaced.emplace_back(value, made);
            value = made;
        }
    const std::string op(node.op());
    graph.insert_before(&node, op, std::move(arguments), std::move(outputs)).set_module_path(node.module_path());
    for (const auto& [old, made] : replaced) {
        const DType dtype = graph.info(old).tensor.dtype;
        if (dtype == graph.info(made).tensor.dtype) {
            graph.replace_uses(old, made);
            continue;
        }
        const Value result = dtype == DType::uint8 ? detail::rounded_before(graph, &node, made) : made;
        graph.replace_uses(old, cast_before(graph, &node, result, dtype));
    }
    graph.erase(node);
    return true;
}

FERRY_INLINE bool in_single_precision::fix(Graph& graph, Node& node) {
    return compute_in_single_precision(graph, node);
}

}  // namespace ferry::executorch::fixed
