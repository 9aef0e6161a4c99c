#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/written_inputs.hpp>

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <unordered_set>

namespace ferry::detail {

using PlainViews = std::unordered_set<const Node*>;

[[nodiscard]] inline bool writes(const Graph& graph) {
    for (const Node& node : graph.nodes())
        if (const auto op = find_op(node.op()); op && op->schema().is_mutable()) return true;
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        if (writes(graph.subgraph({i}))) return true;
    return false;
}

inline void collect_plain_views(const Graph& graph, bool is_body, bool any_writes, PlainViews& found) {
    const WrittenInputs memory(graph);
    for (const Node& node : graph.nodes()) {
        if (node.op() != "aten::view") continue;
        const Value view = node.output();
        const bool is_outside =
            is_body && algo::any_of(graph.inputs(), [&](Value input) { return memory.share_memory(view, input); });
        if (!any_writes || (!memory.is_written(view) && !is_outside)) found.insert(&node);
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        collect_plain_views(graph.subgraph({i}), true, any_writes, found);
}

/// The calls of view() that may as well be copies: nothing is ever written to the memory that they show.
[[nodiscard]] inline PlainViews plain_views(const Graph& graph) {
    PlainViews found;
    collect_plain_views(graph, false, writes(graph), found);
    return found;
}

}  // namespace ferry::detail
