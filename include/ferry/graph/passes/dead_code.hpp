#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/op_effects.hpp>
#include <ferry/graph/verify.hpp>

#include <cstddef>
#include <cstdint>

namespace ferry {
namespace detail {

inline std::size_t remove_dead_code(Graph& graph, OpEffects& effects) {
    std::size_t removed = 0;
    const auto is_dead = [&](const Node& node) {
        for (const Output& output : node.outputs())
            if (algo::any_of(output.values, [&](Value value) { return graph.is_used(value); })) return false;
        return effects.of(graph, node) == Effect::none;
    };
    // From the end: what only dead nodes use is dead by the time its turn comes.
    for (Node* node = graph.last(); node != nullptr;) {
        Node* const previous = node->previous();
        if (is_dead(*node)) {
            graph.erase(*node);
            ++removed;
        }
        node = previous;
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) removed += remove_dead_code(graph.subgraph({i}), effects);
    return removed;
}

}  // namespace detail

/// Erases nodes that nobody uses and that do nothing but compute; returns how many. Random ops stay, since those behind them
/// draw other numbers without them.
inline std::size_t remove_dead_code(Graph& graph) {
    OpEffects effects;
    const std::size_t removed = detail::remove_dead_code(graph, effects);
    debug_verify(graph);
    return removed;
}

}  // namespace ferry
