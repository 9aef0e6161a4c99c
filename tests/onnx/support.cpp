#include "support.hpp"

#include <ferry/onnx/exporter.hpp>

#include <utility>

namespace ferry_test {

ferry::ExportedProgram capture(const TensorFunction& function, const std::vector<at::Tensor>& inputs,
                               const ferry::DynamicShapes& shapes) {
    const auto model = [&](std::vector<at::Tensor> tensors) { return function(tensors); };
    return ferry::DynamoExporter{}.export_model(model, ferry::inputs("tensors", inputs), {.dynamic_shapes = shapes});
}

ferry::OnnxProgram to_onnx(const ferry::ExportedProgram& program, const ferry::OnnxConfig& config) {
    return ferry::OnnxExporter{}.export_program(program, config);
}

}  // namespace ferry_test
