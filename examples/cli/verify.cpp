#include "verify.hpp"

#include "calls.hpp"
#include "executorch_file.hpp"
#include "model_file.hpp"
#include "onnx_file.hpp"
#include "program_file.hpp"
#include "work.hpp"

#include <ferry/core/error.hpp>
#include <ferry/verify/artifact.hpp>
#include <ferry/verify/discrepancies.hpp>
#include <ferry/verify/discrepancy_report.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace cli {
namespace {

struct VerifyOptions {
    std::string file, model;
    CallFiles calls;
    ferry::DiscrepancyOptions tolerance;
    bool json = false, timings = false;
};

ferry::artifacts::Artifact load_artifact(const VerifyOptions& options) {
    const ModelKind kind = model_kind(options.file);
    if (kind == ModelKind::onnx) return onnx_file_artifact(options.file);
    if (kind == ModelKind::executorch) return executorch_file_artifact(options.file, options.model);
    if (kind == ModelKind::pt2) return ferry::artifact_of(load_program(options.file, options.model));
    throw ferry::Error(ferry::ErrorKind::invalid_input, "what is verified is a .pt2, ONNX or ExecuTorch file",
                       {.where = {.path = options.file}});
}

void verify(VerifyOptions options) {
    Work work(options.timings);
    work.begin("load");
    const ferry::artifacts::Artifact artifact = load_artifact(options);
    work.begin("calls of the model");
    const ferry::InputObserver observer = observe_calls(options.calls);
    work.begin("calls of the file");
    options.tolerance.progress = work.progress();
    const ferry::Discrepancies rows = ferry::check_discrepancies(artifact, observer, options.tolerance);
    work.finish();
    std::fputs((options.json ? ferry::to_json(rows) + "\n" : ferry::to_table(rows)).c_str(), stdout);
    std::size_t failed = 0;
    for (const ferry::Discrepancy& row : rows) failed += row.success ? 0 : 1;
    if (failed > 0)
        throw ferry::Error(
            ferry::ErrorKind::invalid_input,
            std::to_string(failed) + " of " + std::to_string(rows.size()) + " calls differ from the model",
            {.hint = "--atol and --rtol say how much is allowed"});
}

}  // namespace

void add_verify(CLI::App& app) {
    const auto options = std::make_shared<VerifyOptions>();
    auto* command = app.add_subcommand("verify", "Check that an exported file gives what the model gives");
    command->add_option("FILE", options->file, "A .pt2, ONNX or ExecuTorch file")->required();
    command
        ->add_option("--against", options->calls.model,
                     "The model: a .pt2 program, a TorchScript module, or the folder of a checkpoint")
        ->required();
    command
        ->add_option("--calls", options->calls.calls,
                     "A .safetensors file for each call, with keys as for `ferry run`; an input may be absent in some")
        ->required()
        ->expected(-1);
    command->add_option("--value-if-missing", options->calls.missing,
                        "A .safetensors file with what stands for inputs that never meet in one call");
    command->add_option("--atol", options->tolerance.atol, "The largest difference that is allowed")
        ->capture_default_str();
    command->add_option("--rtol", options->tolerance.rtol, "The same, relative to the number")->capture_default_str();
    command->add_option("--model", options->model, "Which program, where a .pt2 or .pte file has several");
    command->add_flag("--json", options->json, "Print JSON");
    command->add_flag("--timings", options->timings, "Print on standard error what each stage took");
    command->callback([options] { verify(*options); });
}

}  // namespace cli
