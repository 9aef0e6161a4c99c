#pragma once

#include <ferry/core/extend.hpp>
#include <ferry/core/stage.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/executorch/decompositions/default_decompositions.hpp>
#include <ferry/executorch/node_fixes/default_node_fixes.hpp>
#include <ferry/executorch/xnnpack/default_delegations.hpp>
#include <ferry/program/decompositions/fused_layers.hpp>

namespace ferry {

struct executorch_stages : stages_after<dynamo_stages, "executorch",                  //
                                        stage<"backend preparation">,                 // 1
                                        stage<"torch patches", patches>,              // 2
                                        stage<"executorch patches", decompositions>,  // 3
                                        stage<"program fixes", program_fixes>,        // 4
                                        stage<"node fixes", node_fixes>,              // 5
                                        stage<"delegation", delegations>              // 6
                                        > {};

using executorch_pipeline =
    pipeline_after<executorch_stages, dynamo_pipeline, fused_layer_decompositions, executorch::default_decompositions,
                   executorch::default_node_fixes, executorch::default_delegations>;

}  // namespace ferry
