#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/graph.hpp>

/// Tensors of other types than the kernel reads, which libtorch takes.
namespace ferry::executorch::fixed {

/// The kernel copies bytes where types have as many.
struct cat {
    static constexpr auto target = op("aten::cat", "aten::stack");
    static bool fix(Graph& graph, Node& node);
};

/// The kernel takes no tensor of one element for a number.
struct where {
    static constexpr auto target = op("aten::where.self");
    static bool fix(Graph& graph, Node& node);
};

/// Positions are int64 for the kernels.
struct positions {
    static constexpr auto target = op("aten::gather", "aten::scatter.src", "aten::scatter.value", "aten::scatter_add");
    static bool fix(Graph& graph, Node& node);
};

/// Between bytes the kernels do not round.
struct images {
    static constexpr auto target = op("aten::upsample_bilinear2d.vec", "aten::_upsample_bilinear2d_aa");
    static bool fix(Graph& graph, Node& node);
};

}  // namespace ferry::executorch::fixed

namespace ferry {

using executorch_element_type_fixes = node_fixes<executorch::fixed::cat, executorch::fixed::where,
                                                 executorch::fixed::positions, executorch::fixed::images>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/node_fixes/element_types-inl.hpp>
#endif
