#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/node_fixes/element_types.hpp>
#include <ferry/executorch/node_fixes/precision.hpp>
#include <ferry/graph/graph.hpp>

#include <string_view>
#include <utility>

namespace ferry::executorch::fixed {
namespace detail {

/// What the node is given under this name, in that type.
inline bool give_as(Graph& graph, Node& node, std::string_view name, DType dtype) {
    Argument given = *node.find(name);
    bool is_changed = false;
    for_each_value(given, [&](Value& value) {
        if (graph.info(value).tensor.dtype == dtype) return;
        value = cast_before(graph, &node, value, dtype);
        is_changed = true;
    });
    if (is_changed) graph.set_argument(node, name, std::move(given));
    return is_changed;
}

}  // namespace detail

FERRY_INLINE bool cat::fix(Graph& graph, Node& node) {
    return detail::give_as(graph, node, "tensors", graph.info(node.output()).tensor.dtype);
}

FERRY_INLINE bool where::fix(Graph& graph, Node& node) {
    const DType dtype = graph.info(node.output()).tensor.dtype;
    const bool is_changed = detail::give_as(graph, node, "self", dtype);
    return detail::give_as(graph, node, "other", dtype) || is_changed;
}

FERRY_INLINE bool positions::fix(Graph& graph, Node& node) {
    return detail::give_as(graph, node, "index", DType::int64);
}

FERRY_INLINE bool images::fix(Graph& graph, Node& node) {
    return compute_in_single_precision(graph, node,
                                       [](DType dtype) { return is_half(dtype) || dtype == DType::uint8; });
}

}  // namespace ferry::executorch::fixed
