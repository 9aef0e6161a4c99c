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
