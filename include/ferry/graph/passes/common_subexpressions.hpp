#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/argument_hash.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/op_effects.hpp>
#include <ferry/graph/verify.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace ferry {
namespace detail {

[[nodiscard]] inline std::size_t hash_call(const Node& node) {
    std::size_t seed = std::hash<std::string_view>{}(node.op());
    for (const NamedArgument& argument : node.arguments()) {
        mix_hash(seed, std::hash<std::string_view>{}(argument.name));
        mix_hash(seed, hash_of(argument.value));
    }
    return seed;
}

[[nodiscard]] inline bool is_same_call(const Node& a, const Node& b) {
    const auto same_argument = [](const NamedArgument& x, const NamedArgument& y) {
        return x.name == y.name && is_identical(x.value, y.value);
    };
    const auto same_shape = [](const Output& x, const Output& y) {
        return x.is_list == y.is_list && x.values.size() == y.values.size();
    };
    return a.op() == b.op() && algo::equal(a.arguments(), b.arguments(), same_argument) &&
           algo::equal(a.outputs(), b.outputs(), same_shape);
}

inline std::size_t merge_common_subexpressions(Graph& graph, OpEffects& effects) {
    std::unordered_multimap<std::size_t, Node*> seen;
    std::size_t merged = 0;
    const auto is_output = [&](const Node& node) {
        return algo::any_of(node.outputs(), [&](const Output& output) {
            return algo::any_of(output.values, [&](Value value) { return graph.info(value).output_uses != 0; });
        });
    };
    for (Node& node : graph.nodes()) {
        if (effects.of(graph, node) != Effect::none) continue;
        const std::size_t hash = hash_call(node);
        const auto [first, last] = seen.equal_range(hash);
        const auto equal =
            std::find_if(first, last, [&](const auto& each) { return is_same_call(*each.second, node); });
        if (equal == last) {
            seen.emplace(hash, &node);
            continue;
        }
        if (is_output(node))
            continue;  // two outputs of a program are two tensors: writing to one must not change the other
        for (std::size_t i = 0; i < node.outputs().size(); ++i)
            for (std::size_t k = 0; k < node.outputs()[i].values.size(); ++k)
                graph.replace_uses(node.outputs()[i].values[k], equal->second->outputs()[i].values[k]);
        graph.erase(node);
        ++merged;
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        merged += merge_common_subexpressions(graph.subgraph({i}), effects);
    return merged;
}

}  // namespace detail

/// Calls of the same op with the same arguments become one, the first; returns how many went. Random ones are all kept.
inline std::size_t merge_common_subexpressions(Graph& graph) {
    OpEffects effects;
    const std::size_t merged = detail::merge_common_subexpressions(graph, effects);
    debug_verify(graph);
    return merged;
}

}  // namespace ferry
