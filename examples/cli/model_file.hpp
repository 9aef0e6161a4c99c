#pragma once

#include <filesystem>
#include <string>

namespace cli {

/// What the program can open.
enum class ModelKind { pt2, torchscript, onnx, executorch };

/// By the file's content. What is something else is an Error that says so.
[[nodiscard]] ModelKind model_kind(const std::filesystem::path& path);

/// For --help.
inline constexpr const char* model_files =
    "A .pt2 program, a TorchScript module, an ONNX model or an ExecuTorch program";

/// Long work must not end with a file that cannot be written.
void check_output(const std::filesystem::path& path);

}  // namespace cli
