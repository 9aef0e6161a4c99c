// How exports are tested: the methods in ExecuTorch's runtime against eager libtorch.
#pragma once

#include <ferry/executorch/program.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

namespace ferry_test {

using TensorFunction = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)>;

/// DynamoExporter{}.export_model and ExecutorchExporter{}.export_program, compiled once and not with each test.
[[nodiscard]] ferry::ExportedProgram capture_for_executorch(const TensorFunction& function,
                                                            const std::vector<at::Tensor>& inputs,
                                                            const ferry::DynamicShapes& shapes = {});
[[nodiscard]] ferry::ExecutorchProgram to_executorch(const ferry::ExportedProgram& program,
                                                     const ferry::ExecutorchConfig& config = {});

/// Programs that are run together, by one process.
struct RuntimeRun {
    std::size_t program = 0;
    std::vector<at::Tensor> inputs{};
    std::string method = "forward";
    std::vector<at::Tensor> outputs{};  ///< filled in by run_in_executorch
    std::string error{};                ///< likewise
};
void run_in_executorch(const std::vector<ferry::ExecutorchProgram>& programs, std::vector<RuntimeRun>& runs);

}  // namespace ferry_test
