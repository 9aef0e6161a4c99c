#pragma once

#include <ferry/executorch/config.hpp>
#include <ferry/executorch/summary.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {
namespace executorch {

struct Method;
struct SharedData;
struct ExportedMethods;

/// What a method gives that computes nothing: one value, or several.
using ConstantValue = std::variant<std::int64_t, bool, double, std::string>;
using ConstantMethod = std::variant<std::int64_t, bool, double, std::string, std::vector<ConstantValue>>;

}  // namespace executorch

/// Methods that ExecuTorch's runtime executes, in memory; their weights are still those of the programs that they came from.
class ExecutorchProgram {
public:
    ExecutorchProgram(std::vector<executorch::Method> methods, executorch::SharedData shared);

    /// One file of several: each gives its one method under another name, and what they have in common stands there once. Constants are
    /// methods too, that take nothing and give numbers or texts: `{"get_max_seq_len", 128}`.
    [[nodiscard]] static ExecutorchProgram combine(
        const std::vector<std::pair<std::string, ExecutorchProgram>>& programs,
        const std::vector<std::pair<std::string, executorch::ConstantMethod>>& constants = {});

    [[nodiscard]] std::vector<std::string> methods() const;
    [[nodiscard]] std::vector<executorch::MethodSummary> inspect() const;
    /// The bytes of a .pte file.
    [[nodiscard]] std::string buffer() const;
    /// The bytes of the .ptd file that belongs to it; none without ExecutorchConfig::external_constants.
    [[nodiscard]] std::string tensor_data() const;
    /// Writes a .pte file, whole or not at all, and its .ptd file beside it, if it has one.
    void save(const std::filesystem::path& path) const;
    /// Runs the method "forward" in ExecuTorch's runtime, each time anew: <ferry/verify/executorch_runtime.hpp>.
    [[nodiscard]] std::vector<at::Tensor> operator()(const std::vector<at::Tensor>& inputs) const;

private:
    [[nodiscard]] ExecutorchProgram in_one_piece() const;

    std::shared_ptr<const executorch::ExportedMethods> exported_;  // shared by copies, which are the same program
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/program-inl.hpp>
#endif
