#pragma once

#include <ferry/core/extend.hpp>
#include <ferry/core/stage.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/onnx/ir_fixes/default_ir_fixes.hpp>
#include <ferry/onnx/translations/default_translations.hpp>
#include <ferry/program/decompositions/fused_layers.hpp>

namespace ferry {

struct onnx_stages : stages_after<dynamo_stages, "onnx",                   //
                                  stage<"torch patches", patches>,         // 1
                                  stage<"onnx patches", decompositions>,   // 2
                                  stage<"graph node fixes", node_fixes>,   // 3
                                  stage<"translations", translations>,     // 4
                                  stage<"ONNX IR fixes", ir_fixes>         // 5
                                  > {};

using onnx_pipeline = pipeline_after<onnx_stages, dynamo_pipeline, fused_layer_decompositions,
                                     onnx::default_translations, onnx::default_ir_fixes>;

}  // namespace ferry
