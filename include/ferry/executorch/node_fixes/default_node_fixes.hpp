#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/executorch/node_fixes/arithmetic.hpp>
#include <ferry/executorch/node_fixes/element_types.hpp>
#include <ferry/executorch/node_fixes/layers.hpp>
#include <ferry/executorch/node_fixes/pieces.hpp>
#include <ferry/executorch/node_fixes/precision.hpp>

namespace ferry::executorch {

/// Nodes that a kernel of the runtime computes in another form only.
struct default_node_fixes : concat_t<executorch_arithmetic_fixes, executorch_element_type_fixes, executorch_layer_fixes,
                                     executorch_piece_fixes, executorch_precision_fixes>,
                            own_list {};

}  // namespace ferry::executorch
