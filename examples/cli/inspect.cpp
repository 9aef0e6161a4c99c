#include "inspect.hpp"

#include "description.hpp"
#include "executorch_file.hpp"
#include "model_file.hpp"
#include "onnx_file.hpp"
#include "program_file.hpp"
#include "script_file.hpp"
#include "work.hpp"

#include <ferry/core/error.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace cli {
namespace {

struct InspectOptions {
    std::string file, model;
    bool json = false, timings = false;
};

Description describe(const InspectOptions& options, Work& work) {
    Description made{.file = options.file};
    const ModelKind kind = model_kind(options.file);
    made.bytes = std::filesystem::file_size(options.file);
    if (kind != ModelKind::pt2 && !options.model.empty())
        throw ferry::Error(ferry::ErrorKind::invalid_input,
                           "--model is for .pt2 files, which may hold several programs");
    work.begin("load");
    if (kind == ModelKind::pt2) {
        made.format = "pt2";
        made.methods = programs_in(options.file);
        const auto program = load_program(options.file, options.model);
        work.begin("describe");
        made.program = ferry::summarize(program);
    } else if (kind == ModelKind::onnx) {
        made.format = "onnx";
        made.methods = {"main"};
        made.program = summarize_onnx(options.file);
    } else if (kind == ModelKind::executorch) {
        made.format = "executorch";
        describe_executorch(options.file, made);
    } else {
        made.format = "torchscript";
        const ScriptFile script(options.file);
        work.begin("describe");
        made.methods = script.methods();
        made.program = script.summary();
    }
    return made;
}

void run(const InspectOptions& options) {
    Work work(options.timings);
    const Description description = describe(options, work);
    const std::string text = options.json ? to_json(description) : to_text(description);
    work.finish();
    std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_inspect(CLI::App& app) {
    const auto options = std::make_shared<InspectOptions>();
    auto* command = app.add_subcommand("inspect", "Print what a model takes and gives, its weights and its ops");
    command->add_option("FILE", options->file, model_files)->required();
    command->add_flag("--json", options->json, "Print JSON, for tools");
    command->add_option("--model", options->model, "Which program, where a .pt2 file has several");
    command->add_flag("--timings", options->timings, "Print on standard error what each stage took");
    command->callback([options] { run(*options); });
}

}  // namespace cli
