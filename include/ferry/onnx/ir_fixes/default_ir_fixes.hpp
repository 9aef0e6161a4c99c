#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/onnx/ir_fixes/batch_norm_folding.hpp>
#include <ferry/onnx/ir_fixes/chains.hpp>
#include <ferry/onnx/ir_fixes/common_subexpressions.hpp>
#include <ferry/onnx/ir_fixes/constant_folding.hpp>
#include <ferry/onnx/ir_fixes/dead_code.hpp>
#include <ferry/onnx/ir_fixes/pad_folding.hpp>
#include <ferry/onnx/ir_fixes/same_initializers.hpp>

namespace ferry::onnx {

struct default_ir_fixes : ir_fixes<constant_folding, batch_norm_folding, pad_folding, same_initializers, chains,
                                   common_subexpressions, dead_code>,
                          own_list {};

}  // namespace ferry::onnx
