#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/verify/artifact.hpp>
#include <ferry/verify/onnx_runtime.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// ONNX models to be checked, in ONNX Runtime.
namespace ferry {

[[nodiscard]] inline artifacts::Artifact artifact_of(const OnnxProgram& program) {
    return {.run = [program](const Inputs& inputs) { return program(inputs).leaves; }};
}

namespace artifacts {

/// A file's model. What it writes to comes out behind what it gives, and is left away.
struct OnnxFile {
    std::shared_ptr<runtime::OnnxSession> session;
    std::vector<std::string> inputs;

    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& given) const {
        std::vector<at::Tensor> outputs = session->run(given);
        const auto is_given = [](const std::string& name) { return !name.ends_with(".mutated"); };
        outputs.resize(static_cast<std::size_t>(algo::count_if(session->output_names(), is_given)));
        return outputs;
    }
};

}  // namespace artifacts

[[nodiscard]] inline artifacts::Artifact onnx_artifact(const std::filesystem::path& path) {
    auto session = std::make_shared<runtime::OnnxSession>(path);
    std::vector<std::string> inputs = session->input_names();
    return artifact_of(artifacts::OnnxFile{std::move(session), std::move(inputs)});
}

}  // namespace ferry
