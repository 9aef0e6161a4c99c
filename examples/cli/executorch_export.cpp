#include "executorch_file.hpp"

#include <ferry/executorch/exporter.hpp>

#include <utility>

namespace cli {

void export_executorch(ferry::ExportedProgram program, const ferry::ExecutorchConfig& config,
                       const std::filesystem::path& output) {
    ferry::ExecutorchExporter{}.export_program(std::move(program), config).save(output);
}

}  // namespace cli
