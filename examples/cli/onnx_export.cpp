#include "onnx_file.hpp"

#include <ferry/onnx/exporter.hpp>

#include <utility>

namespace cli {

void export_onnx(ferry::ExportedProgram program, const std::filesystem::path& path, const OnnxOptions& options) {
    static_cast<void>(ferry::OnnxExporter{}.export_program(
        std::move(program), {.output_path = path,
                             .opset_version = options.opset,
                             .external_data = options.external_data,
                             .optimize = options.optimize,
                             .export_params = options.export_params,
                             .keep_initializers_as_inputs = options.keep_initializers_as_inputs}));
}

}  // namespace cli
