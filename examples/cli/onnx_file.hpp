#pragma once

#include <ferry/onnx/config.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/summary.hpp>
#include <ferry/verify/artifact.hpp>

#include <filesystem>
#include <vector>

namespace cli {

// ONNX models. Only this header's sources include the exporter, onnx and ONNX Runtime.

void export_onnx(ferry::ExportedProgram program, const ferry::OnnxConfig& config);
/// In ONNX Runtime.
[[nodiscard]] std::vector<at::Tensor> run_onnx(const std::filesystem::path& path, const ferry::NamedTensors& inputs);
[[nodiscard]] ferry::verify::Artifact onnx_file_artifact(const std::filesystem::path& path);
[[nodiscard]] ferry::ProgramSummary summarize_onnx(const std::filesystem::path& path);

}  // namespace cli
