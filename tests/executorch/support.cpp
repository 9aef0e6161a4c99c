#include "support.hpp"

#include "../python_peer.hpp"

#include <ferry/executorch/exporter.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/safetensors/write.hpp>
#include <ferry/verify/executorch_runtime.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ferry_test {

ferry::ExportedProgram capture_for_executorch(const TensorFunction& function, const std::vector<at::Tensor>& inputs,
                                              const ferry::DynamicShapes& shapes) {
    const auto model = [&](std::vector<at::Tensor> tensors) { return function(tensors); };
    return ferry::DynamoExporter{}.export_model(model, ferry::inputs("tensors", inputs), {.dynamic_shapes = shapes});
}

ferry::ExecutorchProgram to_executorch(const ferry::ExportedProgram& program, const ferry::ExecutorchConfig& config) {
    return ferry::ExecutorchExporter{}.export_program(program, config);
}

namespace {

void run_in_process(const std::vector<ferry::ExecutorchProgram>& programs, std::vector<RuntimeRun>& runs) {
    std::size_t program = programs.size();
    std::map<std::string, ferry::runtime::ExecutorchSession> sessions;  // by method, of one program
    for (RuntimeRun& run : runs) {
        if (std::exchange(program, run.program) != run.program) sessions.clear();
        try {
            auto found = sessions.find(run.method);
            if (found == sessions.end())
                found = sessions.try_emplace(run.method, programs[run.program].buffer(), run.method).first;
            run.outputs = found->second.run(run.inputs);
        } catch (const ferry::Error& error) {
            run.error = error.message();
        }
    }
}

/// Slower, but no libpython is needed.
void run_by_python(const std::vector<ferry::ExecutorchProgram>& programs, std::vector<RuntimeRun>& runs) {
    const Folder folder;
    for (std::size_t i = 0; i < programs.size(); ++i) programs[i].save(folder / (std::to_string(i) + ".pte"));
    std::map<std::size_t, std::size_t> count;
    std::vector<std::string> names;
    for (const RuntimeRun& run : runs) {
        names.push_back(std::to_string(run.program) + '.' + std::to_string(count[run.program]++) + '.' + run.method);
        std::vector<std::pair<std::string, at::Tensor>> given;
        for (std::size_t i = 0; i < run.inputs.size(); ++i)
            given.emplace_back(std::to_string(i), run.inputs[i].contiguous());
        ferry::safetensors::save(folder / (names.back() + ".in.safetensors"), given);
    }
    if (!run_python(FERRY_PYTHON, FERRY_RUN_PTE, {folder.path.string()}))
        throw std::runtime_error("the script that runs ExecuTorch failed");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::filesystem::path found = folder / (names[i] + ".out.safetensors");
        if (!std::filesystem::exists(found)) {
            std::ifstream file(folder / (names[i] + ".error"));
            runs[i].error = std::string(std::istreambuf_iterator<char>(file), {});
            if (runs[i].error.empty()) runs[i].error = "nothing came back";
            continue;
        }
        const auto contents = ferry::safetensors::load(found);
        for (std::size_t k = 0; const at::Tensor* tensor = contents.find(std::to_string(k)); ++k)
            runs[i].outputs.push_back(tensor->clone());
    }
}

}  // namespace

void run_in_executorch(const std::vector<ferry::ExecutorchProgram>& programs, std::vector<RuntimeRun>& runs) {
    std::getenv("FERRY_EXECUTORCH_RUNTIME") != nullptr ? run_in_process(programs, runs) : run_by_python(programs, runs);
}

}  // namespace ferry_test
