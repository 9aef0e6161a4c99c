#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/graph.hpp>

/// Ops that give parts of a tensor: the kernels of those with many results take no tensor whose sizes vary.
namespace ferry::executorch::fixed {

struct split {
    static constexpr auto target = op("aten::split.Tensor", "aten::split", "aten::chunk", "aten::unsafe_split.Tensor",
                                      "aten::unsafe_chunk", "aten::split_with_sizes", "aten::split.sizes",
                                      "aten::unsafe_split_with_sizes", "aten::tensor_split.sections");
    static bool fix(Graph& graph, Node& node);
};

/// Slices, of which each loses a dimension: XNNPACK takes those, and the rest is a view.
struct unbind {
    static constexpr auto target = op("aten::unbind.int");
    static bool fix(Graph& graph, Node& node);
};

/// From the end, as a slice may count and narrow's kernel does not.
struct narrow {
    static constexpr auto target = op("aten::narrow", "aten::narrow_copy");
    static bool fix(Graph& graph, Node& node);
};

}  // namespace ferry::executorch::fixed

namespace ferry {

using executorch_piece_fixes =
    node_fixes<executorch::fixed::split, executorch::fixed::unbind, executorch::fixed::narrow>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/node_fixes/pieces-inl.hpp>
#endif
