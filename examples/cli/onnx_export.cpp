#include "onnx_file.hpp"

#include <ferry/onnx/exporter.hpp>

#include <utility>

namespace cli {

void export_onnx(ferry::ExportedProgram program, const ferry::OnnxConfig& config) {
    static_cast<void>(ferry::OnnxExporter{}.export_program(std::move(program), config));
}

}  // namespace cli
