#include "executorch_file.hpp"

#include <ferry/executorch/constant_method.hpp>
#include <ferry/executorch/exporter.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cli {

void export_executorch_part(ferry::ExportedProgram program, const ferry::tree::Context& config,
                            const std::filesystem::path& output) {
    std::vector<ferry::tree::Context> names;
    for (const ferry::InputSpec& input : program.signature.inputs)
        if (input.kind == ferry::InputKind::user_input && input.argument.is<ferry::Value>())
            names.emplace_back(input.name);
    std::vector<std::pair<std::string, ferry::ExportedProgram>> methods;
    methods.emplace_back("forward", std::move(program));
    export_executorch_methods(std::move(methods),
                              {{std::string(input_names_method), ferry::tree::Context::list(std::move(names))}}, config,
                              output);
}

void export_executorch_methods(std::vector<std::pair<std::string, ferry::ExportedProgram>> programs,
                               const std::vector<std::pair<std::string, ferry::tree::Context>>& constants,
                               const ferry::tree::Context& config, const std::filesystem::path& output) {
    const ferry::ExecutorchExporter<> exporter;
    const auto settings = ferry::ExecutorchConfig::from_dict(config);
    std::vector<std::pair<std::string, ferry::ExecutorchProgram>> methods;
    for (auto& [name, program] : programs)
        methods.emplace_back(name, exporter.export_program(std::move(program), settings));
    std::vector<std::pair<std::string, ferry::executorch::ConstantMethod>> values;
    for (const auto& [name, value] : constants) values.emplace_back(name, ferry::executorch::constant_method(value));
    ferry::ExecutorchProgram::combine(methods, values).save(output);
}

}  // namespace cli
