#pragma once

#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <cstdint>

namespace ferry::detail {

/// In all sizes of a graph and its bodies.
inline void replace_symbols(Graph& graph, const SymMap<SymExpr>& replacement) {
    for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
        ValueInfo& info = graph.info({i});
        info.symbol = ferry::substitute(info.symbol, replacement);
        for (auto* sizes : {&info.tensor.sizes, &info.tensor.strides})
            for (SymExpr& size : *sizes) size = ferry::substitute(size, replacement);
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) replace_symbols(graph.subgraph({i}), replacement);
}

}  // namespace ferry::detail
