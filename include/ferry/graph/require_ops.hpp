#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/run_functionalized.hpp>
#include <ferry/graph/sym_call.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace ferry {
namespace detail {

/// By library, in the order of their names.
using MissingOps = std::map<std::string, std::set<std::string>, std::less<>>;

inline void collect_missing_ops(const Graph& graph, MissingOps& missing, std::set<std::string_view>& known) {
    const auto miss = [&](std::string_view op) { missing[std::string(op.substr(0, op.find("::")))].emplace(op); };
    for (const Node& node : graph.nodes()) {
        if (is_auto_functionalized(node.op()))
            if (const std::string op = mutable_op(node); !find_op(op)) miss(op);
        if (!known.insert(node.op()).second) continue;
        const bool is_there = find_higher_order(node.op()) != nullptr || find_sym_call(node.op()) != nullptr ||
                              find_op(node.op()).has_value();
        if (!is_there) miss(node.op());
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_missing_ops(graph.subgraph({i}), missing, known);
}

}  // namespace detail

/// Throws an Error that names all ops of the graph that this process does not have, by the library that they belong to.
inline void require_ops(const Graph& graph) {
    detail::MissingOps missing;
    std::set<std::string_view> known;
    detail::collect_missing_ops(graph, missing, known);
    if (missing.empty()) return;
    std::string list, first;
    for (const auto& [library, ops] : missing) {
        list.append(list.empty() ? "" : "; ").append("of the library '").append(library).append("': ");
        std::string names;
        for (const std::string& op : ops) names.append(names.empty() ? "" : ", ").append(op);
        list += names;
        if (first.empty()) first = *ops.begin();
    }
    throw Error(ErrorKind::unsupported, "this process has no such op: " + list,
                {.hint = "load the library that registers it, or give load() an implementation in C++: "
                         "ferry::load<ferry::library_ops<my_op>>(path)",
                 .where = {.op = first}});
}

}  // namespace ferry
