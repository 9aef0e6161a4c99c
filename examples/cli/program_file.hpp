#pragma once

#include <ferry/fwd.hpp>
#include <ferry/program/exported_program.hpp>

#include <filesystem>
#include <string>
#include <vector>

/// .pt2 programs and .safetensors files. Only this file's source includes what reads and writes them.
namespace cli {

/// `model`: which of several programs in the file; may be empty where there is one.
[[nodiscard]] ferry::ExportedProgram load_program(const std::filesystem::path& path, const std::string& model,
                                                  const std::string& device = {});
[[nodiscard]] std::vector<std::string> programs_in(const std::filesystem::path& path);
void save_program(const ferry::ExportedProgram& program, const std::filesystem::path& path);
/// The tensors among the outputs.
[[nodiscard]] std::vector<at::Tensor> run_program(ferry::ExportedProgram program, const ferry::NamedTensors& inputs);

/// Makes these calls.
void observe_program(ferry::ExportedProgram program, const std::vector<ferry::NamedTensors>& calls,
                     ferry::InputObserver& observer);

[[nodiscard]] ferry::NamedTensors load_tensors(const std::filesystem::path& path);
/// With their positions as names.
void save_tensors(const std::vector<at::Tensor>& tensors, const std::filesystem::path& path);

}  // namespace cli
