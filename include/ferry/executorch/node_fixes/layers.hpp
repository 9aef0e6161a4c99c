#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/graph.hpp>

/// Layers whose kernels take fewer forms than the ops.
namespace ferry::executorch::fixed {

/// The kernel wants rows.
struct linear {
    static constexpr auto target = op("aten::linear");
    static bool fix(Graph& graph, Node& node);
};

/// Kernels multiply matrices, or as many on one side as on the other.
struct matrix_product {
    static constexpr auto target = op("aten::matmul");
    static bool fix(Graph& graph, Node& node);
};

/// The kernel pads, and does not cut.
struct pad {
    static constexpr auto target = op("aten::constant_pad_nd");
    static bool fix(Graph& graph, Node& node);
};

/// The kernel convolves along one or two dimensions. Along three it is a sum of those along two, one for each step into the depth.
struct convolution {
    static constexpr auto target = op("aten::convolution");
    static bool fix(Graph& graph, Node& node);
};

/// The kernels count dimensions from the front.
struct fourier {
    static constexpr auto target = op("aten::_fft_r2c", "aten::_fft_c2r");
    static bool fix(Graph& graph, Node& node);
};

}  // namespace ferry::executorch::fixed

namespace ferry {

using executorch_layer_fixes =
    node_fixes<executorch::fixed::linear, executorch::fixed::matrix_product, executorch::fixed::pad,
               executorch::fixed::convolution, executorch::fixed::fourier>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/node_fixes/layers-inl.hpp>
#endif
