#pragma once

#include "description.hpp"

#include <ferry/program/exported_program.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cli {

// ExecuTorch files. Only this header's sources include the schemas.

/// A method's inputs have no names: they go by their positions.
[[nodiscard]] inline std::string input_name(std::size_t position) { return "input_" + std::to_string(position); }

/// In ExecuTorch's runtime. Without a name the method "forward".
[[nodiscard]] std::vector<at::Tensor> run_executorch(const std::filesystem::path& path, const std::string& method,
                                                     const ferry::NamedTensors& inputs);
/// Of the method "forward", or of the first.
void describe_executorch(const std::filesystem::path& path, Description& description);

}  // namespace cli
