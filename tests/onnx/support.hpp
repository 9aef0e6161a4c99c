// How exports are tested: the model in ONNX Runtime against eager libtorch.
#pragma once

#include <ferry/onnx/program.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace ferry_test {

using TensorFunction = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)>;

/// DynamoExporter{}.export_model and OnnxExporter{}.export_program, compiled once and not with each test. Inputs are called `tensors.0`, ...
[[nodiscard]] ferry::ExportedProgram capture(const TensorFunction& function, const std::vector<at::Tensor>& inputs,
                                             const ferry::DynamicShapes& shapes = {});
[[nodiscard]] ferry::OnnxProgram to_onnx(const ferry::ExportedProgram& program, const ferry::OnnxConfig& config = {});

}  // namespace ferry_test
