#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/graph.hpp>

/// Kernels that add up float16 and bfloat16 in that type itself, where libtorch has float32: over a thousand elements nothing is left of
/// a layer norm. They are given float32.
namespace ferry::executorch::fixed {

[[nodiscard]] constexpr bool is_half(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }

/// The tensor with another dtype, by a node before `place`.
[[nodiscard]] Value cast_before(Graph& graph, Node* place, Value value, DType dtype);

/// Casts what the node takes and gives, unless none of it is of these types. Bytes are rounded in the end.
bool compute_in_single_precision(Graph& graph, Node& node, bool (*is_cast)(DType) = is_half);

struct in_single_precision {
    static constexpr auto target =
        op("aten::native_layer_norm", "aten::native_group_norm", "aten::_native_batch_norm_legit_no_training",
           "aten::_softmax", "aten::mean", "aten::mean.dim", "aten::var.correction", "aten::var.dim",
           "aten::var_mean.correction", "aten::prod", "aten::prod.dim_int", "aten::avg_pool2d",
           "aten::_adaptive_avg_pool2d", "aten::grid_sampler_2d", "aten::_cdist_forward", "aten::_pdist_forward",
           "aten::logit");
    static bool fix(Graph& graph, Node& node);
};

}  // namespace ferry::executorch::fixed

namespace ferry {

using executorch_precision_fixes = node_fixes<executorch::fixed::in_single_precision>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/node_fixes/precision-inl.hpp>
#endif
