#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/node_fixes/precision.hpp>
#include <ferry/graph/graph.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ferry::executorch::fixed {
namespace detail {

[[nodiscard]] inline bool is_half(const ValueInfo& info) {
    return info.kind == ValueKind::tensor &&
           (info.tensor.dtype == DType::float16 || info.tensor.dtype == DType::bfloat16);
}

/// The tensor with another dtype, by a node before `place`.
[[nodiscard]] inline Value cast_before(Graph& graph, Node* place, Value value, DType dtype) {
    ValueInfo info{.name = {}, .kind = ValueKind::tensor, .tensor = graph.info(value).tensor};
    info.tensor.dtype = dtype;
    const Value made = graph.new_value("_to_copy", std::move(info));
    graph.insert_before(place, "aten::_to_copy", {{"self", value}, {"dtype", dtype, true}}, {{.values = {made}}});
    return made;
}

}  // namespace detail

FERRY_INLINE bool compute_in_single_precision(Graph& graph, Node& node) {
    bool is_any = false;
    for (const NamedArgument& argument : node.arguments())
        for_each_value(argument.value, [&](Value value) { is_any = is_any || detail::is_half(graph.info(value)); });
    if (!is_any) return false;
    std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
    for (NamedArgument& argument : arguments) {
        if (argument.value.is<DType>()) argument.value = DType::float32;
        for_each_value(argument.value, [&](Value& value) {
            if (detail::is_half(graph.info(value))) value = detail::cast_before(graph, &node, value, DType::float32);
        });
    }
    std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
    std::vector<std::pair<Value, Value>> replaced;
    for (Output& output : outputs)
        for (Value& value : output.values) {
            ValueInfo info{.name = {}, .kind = graph.info(value).kind, .tensor = graph.info(value).tensor};
            if (detail::is_half(info)) info.tensor.dtype = DType::float32;
            const Value made = graph.new_value(graph.info(value).name, std::move(info));
            replaced.emplace_back(value, made);
            value = made;
        }
    const std::string op(node.op());
    graph.insert_before(&node, op, std::move(arguments), std::move(outputs)).set_module_path(node.module_path());
    for (const auto& [old, made] : replaced) {
        const bool is_cast = graph.info(old).tensor.dtype != graph.info(made).tensor.dtype;
        graph.replace_uses(old, is_cast ? detail::cast_before(graph, &node, made, graph.info(old).tensor.dtype) : made);
    }
    graph.erase(node);
    return true;
}

FERRY_INLINE bool in_single_precision::fix(Graph& graph, Node& node) {
    return compute_in_single_precision(graph, node);
}

}  // namespace ferry::executorch::fixed
