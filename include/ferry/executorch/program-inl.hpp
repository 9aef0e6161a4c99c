#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/serialize.hpp>
#include <ferry/files/output_file.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {
namespace executorch {

/// What an ExecutorchProgram holds.
struct ExportedMethods {
    std::vector<Method> methods;
    SharedData shared;
};

}  // namespace executorch

FERRY_INLINE ExecutorchProgram::ExecutorchProgram(std::vector<executorch::Method> methods,
                                                  executorch::SharedData shared)
    : exported_(std::make_shared<executorch::ExportedMethods>(std::move(methods), std::move(shared))) {}

FERRY_INLINE std::vector<std::string> ExecutorchProgram::methods() const {
    std::vector<std::string> names;
    for (const executorch::Method& method : exported_->methods) names.push_back(method.name);
    return names;
}

FERRY_INLINE std::vector<executorch::MethodSummary> ExecutorchProgram::inspect() const {
    std::vector<executorch::MethodSummary> summaries;
    for (const executorch::Method& method : exported_->methods) {
        executorch::MethodSummary summary{
            .name = method.name, .delegates = method.delegates.size(), .planned_bytes = method.planned_bytes};
        for (const executorch::Instruction& each : method.instructions)
            if (const auto* call = std::get_if<executorch::KernelCall>(&each)) {
                const executorch::Operator& op = method.operators[call->op];
                ++summary.kernels[op.overload.empty() ? op.name : op.name + '.' + op.overload];
                ++summary.kernel_calls;
            }
        for (const executorch::DelegateData& each : method.delegates) summary.delegated_nodes += each.nodes;
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

FERRY_INLINE std::string ExecutorchProgram::buffer() const {
    std::string bytes;
    executorch::serialize(exported_->methods, exported_->shared, [&](std::span<const std::byte> part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
    });
    return bytes;
}

FERRY_INLINE void ExecutorchProgram::save(const std::filesystem::path& path) const {
    files::OutputFile file(path);
    executorch::serialize(exported_->methods, exported_->shared,
                          [&](std::span<const std::byte> part) { file.write(part); });
    file.commit();
}

}  // namespace ferry
