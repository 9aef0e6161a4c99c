#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/executorch/xnnpack/fwd.hpp>

/// Element by element.
namespace ferry::executorch::delegated {

struct functions {
    static constexpr auto target =
        op("aten::abs", "aten::neg", "aten::ceil", "aten::floor", "aten::sqrt", "aten::rsqrt", "aten::exp", "aten::log",
           "aten::tanh", "aten::sigmoid", "aten::sin", "aten::cos", "aten::square", "aten::hardswish");
    static void define(xnnpack::Definition& d);
};

struct arithmetic {
    static constexpr auto target = op("aten::add.Tensor", "aten::add.Scalar", "aten::sub.Tensor", "aten::sub.Scalar",
                                      "aten::rsub.Scalar", "aten::mul.Tensor", "aten::mul.Scalar", "aten::div.Tensor",
                                      "aten::div.Scalar", "aten::maximum", "aten::minimum");
    static void define(xnnpack::Definition& d);
};

struct clamps {
    static constexpr auto target =
        op("aten::relu", "aten::relu6", "aten::hardtanh", "aten::clamp", "aten::clamp_min", "aten::clamp_max");
    static void define(xnnpack::Definition& d);
};

/// Those that are products or a root.
struct powers {
    static constexpr auto target = op("aten::pow.Tensor_Scalar", "aten::reciprocal");
    static void define(xnnpack::Definition& d);
};

struct activations {
    static constexpr auto target = op("aten::gelu", "aten::leaky_relu", "aten::elu");
    static void define(xnnpack::Definition& d);
};

}  // namespace ferry::executorch::delegated

namespace ferry {

using elementwise_delegations =
    delegations<executorch::delegated::functions, executorch::delegated::arithmetic, executorch::delegated::clamps,
                executorch::delegated::powers, executorch::delegated::activations>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/ops/elementwise-inl.hpp>
#endif
