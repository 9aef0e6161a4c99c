#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/passes/dead_code.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace ferry {
namespace detail {

inline void erase_checks(Graph& graph) {
    static constexpr auto checks =
        std::to_array<std::string_view>({"aten::_assert_tensor_metadata", "aten::_assert_scalar", "aten::_assert_async",
                                         "aten::_assert_async.msg", "aten::_linalg_check_errors"});
    for (Node& node : graph.nodes())
        if (algo::contains(checks, node.op())) graph.erase(node);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) erase_checks(graph.subgraph({i}));
}

}  // namespace detail

/// For formats that cannot check anything when they run: what a program would refuse is computed, and what was computed for the checks
/// alone is gone. What is known of ranges stays.
inline void remove_checks(Graph& graph) {
    detail::erase_checks(graph);
    remove_dead_code(graph);
}

}  // namespace ferry
