#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/graph.hpp>

/// Arithmetic that the kernels do for some dtypes and shapes only.
namespace ferry::executorch::fixed {

/// The kernel's result for integers of different sign is not that of the op.
struct remainder {
    static constexpr auto target = op("aten::remainder.Tensor", "aten::remainder.Scalar");
    static bool fix(Graph& graph, Node& node);
};

/// An integer tensor and a real number: the kernels with a number keep the tensor's dtype.
struct promoted {
    static constexpr auto target = op("aten::add.Scalar", "aten::sub.Scalar", "aten::mul.Scalar");
    static bool fix(Graph& graph, Node& node);
};

/// The kernel takes float32.
struct log_softmax {
    static constexpr auto target = op("aten::_log_softmax");
    static bool fix(Graph& graph, Node& node);
};

/// Along a dimension that a tensor without any does not have.
struct of_scalar {
    static constexpr auto target = op("aten::sum.dim_IntList", "aten::cumsum");
    static bool fix(Graph& graph, Node& node);
};

}  // namespace ferry::executorch::fixed

namespace ferry {

using executorch_arithmetic_fixes = node_fixes<executorch::fixed::remainder, executorch::fixed::promoted,
                                               executorch::fixed::log_softmax, executorch::fixed::of_scalar>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/node_fixes/arithmetic-inl.hpp>
#endif
