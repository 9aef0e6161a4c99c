#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/graph/library_ops.hpp>
#include <ferry/program/devices.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/libraries/default_libraries.hpp>
#include <ferry/pt2/archive.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/read_payloads.hpp>
#include <ferry/pt2/read_program.hpp>

#include <c10/core/Device.h>

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>

namespace ferry::pt2 {

FERRY_INLINE void provide_known_op(std::string_view op) { provide_op<default_library_ops>(op); }

FERRY_INLINE ExportedProgram load_program(const std::filesystem::path& path, const LoadOptions& options,
                                          ProvideOp provide) {
    const Archive archive(path);
    std::string model = options.model;
    if (model.empty()) {
        const auto models = archive.models();
        if (models.size() != 1) {
            std::string names;
            for (const std::string& each : models) names += (names.empty() ? "" : ", ") + each;
            throw Error(ErrorKind::bad_file, "the file has " + std::to_string(models.size()) + " programs",
                        {.hint = models.empty() ? "" : "name one of them in LoadOptions: " + names,
                         .where = {.path = path.string()}});
        }
        model = models[0];
    }
    const files::JsonDocument json = archive.json("models/" + model + ".json");
    ExportedProgram program = ProgramReader(json.root(), provide).read();
    const files::JsonDocument weights_config = archive.json("data/weights/" + model + "_weights_config.json");
    const files::JsonDocument constants_config = archive.json("data/constants/" + model + "_constants_config.json");
    PayloadReader weights = archive.payloads("data/weights/", weights_config.root());
    PayloadReader constants = archive.payloads("data/constants/", constants_config.root());
    std::unordered_set<std::string> seen;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind == InputKind::user_input || !seen.insert(input.target).second) continue;
        if (input.kind == InputKind::parameter || (input.kind == InputKind::buffer && input.persistent))
            program.state.emplace_back(input.target, weights.read(input.target));
        else
            program.constants.emplace_back(input.target, constants.read(input.target));
    }
    program.example_inputs = archive.example(model, program.in_spec);
    if (options.device)
        move_to_device(program, *options.device);
    else
        place_tensors(program);
    return program;
}

}  // namespace ferry::pt2
