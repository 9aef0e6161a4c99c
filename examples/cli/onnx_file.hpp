#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/program/summary.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace cli {

struct OnnxOptions {
    std::optional<std::int64_t> opset{};
    bool external_data = true, optimize = true, export_params = true, keep_initializers_as_inputs = false;
};

// ONNX models. Only this header's sources include the exporter, onnx and ONNX Runtime.

void export_onnx(ferry::ExportedProgram program, const std::filesystem::path& path, const OnnxOptions& options);
/// In ONNX Runtime.
[[nodiscard]] std::vector<at::Tensor> run_onnx(const std::filesystem::path& path, const ferry::NamedTensors& inputs);
[[nodiscard]] ferry::ProgramSummary summarize_onnx(const std::filesystem::path& path);

}  // namespace cli
