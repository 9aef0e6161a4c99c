#include "program_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/program/devices.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/named_inputs.hpp>
#include <ferry/program/parameters.hpp>
#include <ferry/pt2/archive.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/safetensors/write.hpp>

#include <c10/core/GradMode.h>

#include <cstddef>
#include <utility>

namespace cli {
namespace {

/// What is wrong with a file says which file it is.
template <class Function>
auto naming(const std::filesystem::path& path, Function&& function) {
    try {
        return function();
    } catch (const ferry::Error& error) {
        if (error.kind() == ferry::ErrorKind::io || error.where().path == path.string()) throw;
        throw ferry::Error(error.kind(), path.string() + ": " + error.message(),
                           {.hint = error.hint(), .where = error.where()});
    }
}

c10::Device device_named(const std::string& name) {
    try {
        return c10::Device(name);
    } catch (const c10::Error&) {
        throw ferry::Error(ferry::ErrorKind::invalid_input, "'" + name + "' is no device",
                           {.hint = "--device cpu, or cuda:0"});
    }
}

/// Where the program expects each of its inputs.
void place_inputs(const ferry::ExportedProgram& program, std::vector<ferry::Leaf>& leaves) {
    std::size_t leaf = 0;
    for (const ferry::InputSpec& input : program.signature.inputs) {
        if (input.kind != ferry::InputKind::user_input) continue;
        ferry::Leaf& given = leaves.at(leaf++);
        const auto* value = input.argument.get_if<ferry::Value>();
        if (value == nullptr || !given.is_tensor() || !given.tensor().defined()) continue;
        const ferry::Device device = program.graph.info(*value).tensor.device;
        if (ferry::has_device(device)) given = given.tensor().to(ferry::to_c10(device));
    }
}

}  // namespace

ferry::ExportedProgram load_program(const std::filesystem::path& path, const std::string& model,
                                    const std::string& device) {
    return naming(path, [&] {
        if (model.empty()) {
            const auto names = programs_in(path);
            std::string text;
            for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
            if (names.size() > 1)
                throw ferry::Error(ferry::ErrorKind::invalid_input, "the file has several programs",
                                   {.hint = "choose one of them with --model: " + text});
        }
        ferry::LoadOptions options{.model = model};
        if (!device.empty()) options.device = device_named(device);
        return ferry::load(path, options);
    });
}

std::vector<std::string> programs_in(const std::filesystem::path& path) {
    return naming(path, [&] { return ferry::pt2::Archive(path).models(); });
}

void save_program(const ferry::ExportedProgram& program, const std::filesystem::path& path) {
    ferry::save(program, path);
}

std::vector<at::Tensor> run_program(ferry::ExportedProgram program, const ferry::NamedTensors& inputs) {
    const c10::NoGradGuard no_gradients;
    auto leaves = ferry::leaves_from(program, inputs);
    place_inputs(program, leaves);
    auto module = std::move(program).module();
    std::vector<at::Tensor> tensors;
    for (const ferry::Leaf& leaf : module.run(leaves))
        if (leaf.is_tensor() && leaf.tensor().defined()) tensors.push_back(leaf.tensor().cpu());
    return tensors;
}

void observe_program(ferry::ExportedProgram program, const std::vector<ferry::NamedTensors>& calls,
                     ferry::InputObserver& observer) {
    ferry::ProgramModule module = program.module();
    auto observed = observer(module, {.store_n_calls = calls.size()});
    for (const ferry::NamedTensors& call : calls) {
        auto leaves = ferry::leaves_from(program, call);
        place_inputs(program, leaves);
        ferry::Inputs inputs;
        auto next = leaves.begin();
        for (const ferry::Parameter& each : ferry::parameters_of(program)) {
            const auto end = next + static_cast<std::ptrdiff_t>(each.spec.num_leaves());
            inputs.set(each.name, ferry::Tree(each.spec, {next, end}));
            next = end;
        }
        static_cast<void>(observed(inputs));
    }
}

ferry::NamedTensors load_tensors(const std::filesystem::path& path) {
    return naming(path, [&] { return ferry::safetensors::load(path).tensors; });
}

void save_tensors(const std::vector<at::Tensor>& tensors, const std::filesystem::path& path) {
    ferry::NamedTensors named;
    named.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) named.emplace_back(std::to_string(named.size()), tensor);
    ferry::safetensors::save(path, named);
}

}  // namespace cli
