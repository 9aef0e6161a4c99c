#include "run.hpp"

#include "executorch_file.hpp"
#include "model_file.hpp"
#include "onnx_file.hpp"
#include "program_file.hpp"
#include "script_file.hpp"
#include "work.hpp"

#include <ferry/core/error.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

struct RunOptions {
    std::string file, inputs, outputs, model, device;
    bool timings = false;
};

void run(const RunOptions& options) {
    check_output(options.outputs);
    Work work(options.timings);
    std::vector<at::Tensor> results;
    const ModelKind kind = model_kind(options.file);
    if (kind != ModelKind::pt2 && kind != ModelKind::executorch && !options.model.empty())
        throw ferry::Error(ferry::ErrorKind::invalid_input,
                           "--model is for .pt2 and .pte files, which may hold several programs");
    if (kind != ModelKind::pt2 && !options.device.empty())
        throw ferry::Error(ferry::ErrorKind::invalid_input, "--device is for .pt2 files");
    if (kind == ModelKind::pt2) {
        work.begin("load");
        ferry::ExportedProgram program = load_program(options.file, options.model, options.device);
        const auto inputs = load_tensors(options.inputs);
        work.begin("run");
        results = run_program(std::move(program), inputs);
    } else if (kind == ModelKind::onnx) {
        work.begin("run");
        results = run_onnx(options.file, load_tensors(options.inputs));
    } else if (kind == ModelKind::executorch) {
        work.begin("run");
        results = run_executorch(options.file, options.model, load_tensors(options.inputs));
    } else {
        work.begin("load");
        ScriptFile script(options.file);
        const auto inputs = load_tensors(options.inputs);
        work.begin("run");
        results = script.run(inputs);
    }
    work.begin("save");
    save_tensors(results, options.outputs);
    work.finish();
}

}  // namespace

void add_run(CLI::App& app) {
    const auto options = std::make_shared<RunOptions>();
    auto* command = app.add_subcommand("run", "Run a model");
    command->add_option("FILE", options->file, model_files)->required();
    command
        ->add_option(
            "--inputs", options->inputs,
            "A .safetensors file; its keys are names of inputs (past_key_values.0.keys inside of nested ones), or "
            "positions among the tensors of the inputs: 0, 1, ... Inputs that are no tensors are as in the export")
        ->required();
    command
        ->add_option("--outputs", options->outputs,
                     "The .safetensors file to write; its keys are positions among the tensors that come out")
        ->required();
    command->add_option("--model", options->model, "Which program, where a .pt2 or .pte file has several");
    command->add_option("--device", options->device,
                        "Where to run a .pt2 program: cpu, cuda:0. Else where it was saved");
    command->add_flag("--timings", options->timings, "Print on standard error what each stage took");
    command->callback([options] { run(*options); });
}

}  // namespace cli
