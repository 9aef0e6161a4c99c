#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/type_list.hpp>

namespace ferry::onnx {

struct batch_norm_folding;
struct chains;
struct common_subexpressions;
struct constant_folding;
struct dead_code;
struct pad_folding;
struct same_initializers;

struct default_ir_fixes : ir_fixes<constant_folding, batch_norm_folding, pad_folding, same_initializers, chains,
                                   common_subexpressions, dead_code>,
                          own_list {};

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/ir_fixes/default_ir_fixes-inl.hpp>
#endif
