#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/executorch/xnnpack/fwd.hpp>

/// Products of matrices, convolutions, and what goes over a dimension.
namespace ferry::executorch::delegated {

struct products {
    static constexpr auto target = op("aten::linear", "aten::addmm", "aten::mm", "aten::bmm", "aten::matmul");
    static void define(xnnpack::Definition& d);
};

struct convolutions {
    static constexpr auto target = op("aten::convolution", "aten::conv2d", "aten::conv_transpose2d.input");
    static void define(xnnpack::Definition& d);
};

struct pooling {
    static constexpr auto target = op("aten::max_pool2d_with_indices", "aten::max_pool2d", "aten::avg_pool2d");
    static void define(xnnpack::Definition& d);
};

struct means {
    static constexpr auto target =
        op("aten::mean.dim", "aten::sum.dim_IntList", "aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d");
    static void define(xnnpack::Definition& d);
};

struct softmax {
    static constexpr auto target = op("aten::_softmax", "aten::softmax.int");
    static void define(xnnpack::Definition& d);
};

struct layer_norm {
    static constexpr auto target = op("aten::native_layer_norm", "aten::layer_norm");
    static void define(xnnpack::Definition& d);
};

/// As it computes when a model is used, not trained.
struct batch_norm {
    static constexpr auto target = op("aten::_native_batch_norm_legit_no_training");
    static void define(xnnpack::Definition& d);
};

struct resizing {
    static constexpr auto target = op("aten::upsample_bilinear2d.vec", "aten::upsample_bilinear2d");
    static void define(xnnpack::Definition& d);
};

}  // namespace ferry::executorch::delegated

namespace ferry {

using layer_delegations =
    delegations<executorch::delegated::products, executorch::delegated::convolutions, executorch::delegated::pooling,
                executorch::delegated::means, executorch::delegated::softmax, executorch::delegated::layer_norm,
                executorch::delegated::batch_norm, executorch::delegated::resizing>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/ops/layers-inl.hpp>
#endif
