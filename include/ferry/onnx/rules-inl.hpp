#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/onnx/ir_fixes/default_ir_fixes-inl.hpp>
#include <ferry/onnx/rules.hpp>

namespace ferry::onnx::detail {

FERRY_INLINE void list_fixes<default_ir_fixes>::run(Model& model, bool optimize) {
    list_fixes<plain_t<default_ir_fixes>>::run(model, optimize);
}

}  // namespace ferry::onnx::detail
