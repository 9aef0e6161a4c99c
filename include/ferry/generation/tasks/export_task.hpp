#pragma once

#include <ferry/core/error.hpp>
#include <ferry/generation/tasks/task.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {

/// Each method of a runner's file through an exporter, by name: `config` is for all of them, but for what may vary.
template <class Exporter, class Config>
[[nodiscard]] auto export_task(const Exporter& exporter, TaskProgram program, Config config) {
    using Exported = decltype(exporter.export_model(program.methods[0].model, program.methods[0].inputs, config));
    std::vector<std::pair<std::string, Exported>> made;
    for (TaskMethod& method : program.methods) try {
            config.dynamic = false;
            config.dynamic_shapes = std::move(method.dynamic_shapes);
            made.emplace_back(method.name, exporter.export_model(method.model, std::move(method.inputs), config));
        } catch (const Error& error) {
            throw Error(error.kind(), "the export failed on the method '" + method.name + "': " + error.message(),
                        {.hint = error.hint(), .where = error.where()});
        }
    return made;
}

}  // namespace ferry::generation
