#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/program/summary.hpp>
#include <ferry/verify/artifact.hpp>

#include <filesystem>
#include <vector>

namespace cli {

// ONNX models. Only this header's sources include onnx and ONNX Runtime.

/// In ONNX Runtime.
[[nodiscard]] std::vector<at::Tensor> run_onnx(const std::filesystem::path& path, const ferry::NamedTensors& inputs);
[[nodiscard]] ferry::artifacts::Artifact onnx_file_artifact(const std::filesystem::path& path);
[[nodiscard]] ferry::ProgramSummary summarize_onnx(const std::filesystem::path& path);

}  // namespace cli
