#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/executorch/xnnpack/ops/elementwise.hpp>
#include <ferry/executorch/xnnpack/ops/layers.hpp>
#include <ferry/executorch/xnnpack/ops/shape.hpp>

namespace ferry::executorch {

/// What XNNPACK computes.
struct default_delegations : concat_t<elementwise_delegations, shape_delegations, layer_delegations>, own_list {};

}  // namespace ferry::executorch
