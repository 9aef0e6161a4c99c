#pragma once

#include <ferry/core/error.hpp>
#include <ferry/onnx/ir/emit.hpp>

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <exception>
#include <string>

namespace ferry::onnx {

/// onnx's own checker, with strict inference of types and shapes. A model that fails is a defect of Ferry or of a translation.
inline void check(const Model& model) {
    const Emitted emitted = emit(model, Weights::inputs);
    try {
        ::ONNX_NAMESPACE::checker::check_model(emitted.proto, /*full_check=*/true);
    } catch (const std::exception& error) {
        throw Error(
            ErrorKind::internal, "onnx's checker refuses the exported model: " + std::string(error.what()),
            {.hint = "a translation writes something that ONNX does not allow", .where = {.stage = "ONNX IR fixes"}});
    }
}

}  // namespace ferry::onnx
