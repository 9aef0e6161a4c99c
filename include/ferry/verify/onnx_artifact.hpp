#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/generation/part.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/verify/artifact.hpp>
#include <ferry/verify/onnx_runtime.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

/// ONNX models to be checked, in ONNX Runtime.
namespace ferry {

[[nodiscard]] inline verify::Artifact artifact_of(const OnnxProgram& program) {
    return {.run = [program](const Inputs& inputs) { return program(inputs).leaves; }};
}

/// What a model writes to comes out behind what it gives, and is left away.
[[nodiscard]] inline verify::Artifact onnx_artifact(const std::filesystem::path& path) {
    const auto session = std::make_shared<runtime::OnnxSession>(path);
    return artifact_of(generation::Part{session->input_names(), [session](const std::vector<at::Tensor>& given) {
                                            std::vector<at::Tensor> outputs = session->run(given);
                                            const auto& names = session->output_names();
                                            outputs.resize(static_cast<std::size_t>(algo::count_if(
                                                names, [](const auto& name) { return !name.ends_with(".mutated"); })));
                                            return outputs;
                                        }});
}

}  // namespace ferry
