#pragma once

#include "description.hpp"

#include <ferry/program/exported_program.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/verify/artifact.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

// ExecuTorch files. Only this header's sources include the exporter and the schemas.

/// A file with a method that gives the names of its inputs, which those of ExecuTorch do not have: `ferry generate` goes by them.
void export_executorch_part(ferry::ExportedProgram program, const ferry::tree::Context& config,
                            const std::filesystem::path& output);
inline constexpr std::string_view input_names_method = "get_input_names";
/// Several programs as the methods of one file, and constants as further methods.
void export_executorch_methods(std::vector<std::pair<std::string, ferry::ExportedProgram>> programs,
                               const std::vector<std::pair<std::string, ferry::tree::Context>>& constants,
                               const ferry::tree::Context& config, const std::filesystem::path& output);
/// A method's inputs have no names: they go by their positions.
[[nodiscard]] inline std::string input_name(std::size_t position) { return "input_" + std::to_string(position); }

/// In ExecuTorch's runtime. Without a name the method "forward".
[[nodiscard]] std::vector<at::Tensor> run_executorch(const std::filesystem::path& path, const std::string& method,
                                                     const ferry::NamedTensors& inputs);
[[nodiscard]] ferry::artifacts::Artifact executorch_file_artifact(const std::filesystem::path& path,
                                                                  const std::string& method);
/// Of the method "forward", or of the first.
void describe_executorch(const std::filesystem::path& path, Description& description);

}  // namespace cli
