#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/executorch/decompositions/arithmetic.hpp>
#include <ferry/executorch/decompositions/complex.hpp>
#include <ferry/executorch/decompositions/layers.hpp>
#include <ferry/executorch/decompositions/ordering.hpp>
#include <ferry/executorch/decompositions/pooling.hpp>
#include <ferry/executorch/decompositions/random.hpp>
#include <ferry/executorch/decompositions/running.hpp>
#include <ferry/executorch/decompositions/scatter.hpp>

namespace ferry::executorch {

/// Ops that core ATen has and ExecuTorch's runtime has no kernel for.
struct default_decompositions
    : concat_t<executorch_arithmetic_decompositions, executorch_complex_decompositions, executorch_layer_decompositions,
               executorch_ordering_decompositions, executorch_pooling_decompositions, executorch_random_decompositions,
               executorch_running_decompositions, executorch_scatter_decompositions>,
      own_list {};

}  // namespace ferry::executorch
