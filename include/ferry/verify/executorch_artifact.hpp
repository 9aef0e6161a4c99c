#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/summary.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/verify/artifact.hpp>
#include <ferry/verify/executorch_runtime.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Methods of ExecuTorch's files to be checked, in its runtime.
namespace ferry {

/// Inputs have no names there: they go in order, and numbers are inputs too.
[[nodiscard]] inline artifacts::Artifact executorch_artifact(std::shared_ptr<runtime::ExecutorchSession> session,
                                                             const executorch::MethodSummary& method) {
    const auto feed = [count = method.inputs.size()](const Inputs& inputs) {
        std::vector<at::Tensor> given;
        for (const Leaf& leaf : inputs.tree().leaves)
            if (!leaf.is_absent() && leaf.get_if<std::string>() == nullptr) given.push_back(artifacts::as_tensor(leaf));
        if (given.size() != count)
            throw Error(ErrorKind::invalid_input, "there are " + std::to_string(given.size()) +
                                                      " tensors but the model expects " + std::to_string(count));
        return given;
    };
    return {.run =
                [session = std::move(session), feed](const Inputs& inputs) {
                    const std::vector<at::Tensor> outputs = session->run(feed(inputs));
                    return std::vector<Leaf>(outputs.begin(), outputs.end());
                },
            .check = [feed](const Inputs& inputs) { static_cast<void>(feed(inputs)); }};
}

[[nodiscard]] inline artifacts::Artifact artifact_of(const ExecutorchProgram& program) {
    for (const executorch::MethodSummary& method : program.inspect())
        if (method.name == "forward")
            return executorch_artifact(std::make_shared<runtime::ExecutorchSession>(program.buffer()), method);
    throw Error(ErrorKind::invalid_input, "the program has no method forward");
}

[[nodiscard]] inline artifacts::Artifact executorch_artifact(const std::filesystem::path& path,
                                                             const std::string& method = "forward") {
    const executorch::FileSummary file = executorch::summarize(path);
    const auto found = algo::find(file.methods, method, &executorch::MethodSummary::name);
    if (found == file.methods.end())
        throw Error(ErrorKind::invalid_input, "the file has no method '" + method + "'",
                    {.where = {.path = path.string()}});
    return executorch_artifact(std::make_shared<runtime::ExecutorchSession>(path, method), *found);
}

}  // namespace ferry
