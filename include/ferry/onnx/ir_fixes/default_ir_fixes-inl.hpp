#pragma once

#include <ferry/onnx/ir_fixes/batch_norm_folding.hpp>
#include <ferry/onnx/ir_fixes/chains.hpp>
#include <ferry/onnx/ir_fixes/common_subexpressions.hpp>
#include <ferry/onnx/ir_fixes/constant_folding.hpp>
#include <ferry/onnx/ir_fixes/dead_code.hpp>
#include <ferry/onnx/ir_fixes/pad_folding.hpp>
#include <ferry/onnx/ir_fixes/same_initializers.hpp>
