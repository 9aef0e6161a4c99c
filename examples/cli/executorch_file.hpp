#pragma once

#include <ferry/executorch/config.hpp>
#include <ferry/program/exported_program.hpp>

#include <filesystem>

namespace cli {

/// Only this header's source includes the exporter.
void export_executorch(ferry::ExportedProgram program, const ferry::ExecutorchConfig& config,
                       const std::filesystem::path& output);

}  // namespace cli
