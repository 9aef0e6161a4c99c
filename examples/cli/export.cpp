#include "export.hpp"

#include "checkpoint.hpp"
#include "config_file.hpp"
#include "decompose.hpp"
#include "dims.hpp"
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
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace cli {
namespace {

struct ExportOptions {
    std::string input, output, format, tensors, model, config;
    std::vector<std::string> dims;
    ferry::OnnxConfig onnx;
    ferry::ExecutorchConfig executorch;
    std::string backend;
    CheckpointOptions checkpoint;
    bool dynamic = false, strict = false, deferred = false, decompose = false, verbose = false, timings = false;
};

/// What the command line does not say, a file may.
void take_config(ExportOptions& options, ferry::DynamicShapes& shapes) {
    const FileConfig config = read_config(options.config, options.format);
    options.dynamic = options.dynamic || config.dynamo.dynamic;
    options.strict = options.strict || config.dynamo.strict;
    options.deferred = options.deferred || config.dynamo.prefer_deferred_runtime_asserts_over_guards;
    if (options.dims.empty()) shapes = config.dynamo.dynamic_shapes;
    if (options.output.empty() && config.onnx.output_path) options.output = config.onnx.output_path->string();
    ferry::OnnxConfig& onnx = options.onnx;
    if (!onnx.opset_version) onnx.opset_version = config.onnx.opset_version;
    onnx.external_data = onnx.external_data && config.onnx.external_data;
    onnx.optimize = onnx.optimize && config.onnx.optimize;
    onnx.export_params = onnx.export_params && config.onnx.export_params;
    onnx.keep_initializers_as_inputs = onnx.keep_initializers_as_inputs || config.onnx.keep_initializers_as_inputs;
    options.executorch = config.executorch;
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw ferry::Error(ferry::ErrorKind::invalid_input, what, {.hint = hint});
}

ferry::ExportedProgram open_program(const ExportOptions& options, const ferry::DynamicShapes& shapes, Work& work) {
    if (options.dynamic || !shapes.empty())
        refuse("the shapes of a .pt2 program are fixed by its export: --dynamic and --dim are for TorchScript",
               "export it with other dynamic shapes where it comes from; `ferry inspect` shows those that it has");
    if (options.strict || options.deferred)
        refuse(
            "a .pt2 program is not captured again: --strict and --prefer-deferred-runtime-asserts-over-guards are "
            "for TorchScript",
            "leave them out");
    if (!options.tensors.empty()) refuse("a .pt2 program needs no --inputs to be exported", "leave them out");
    work.begin("load");
    return load_program(options.input, options.model);
}

ferry::DynamoConfig capture_config(const ExportOptions& options, const ferry::DynamicShapes& shapes, Work& work) {
    return {.dynamic = options.dynamic,
            .dynamic_shapes = shapes,
            .strict = options.strict,
            .prefer_deferred_runtime_asserts_over_guards = options.deferred,
            .progress = work.progress()};
}

ferry::ExportedProgram capture(const ExportOptions& options, const ferry::DynamicShapes& shapes, Work& work) {
    if (!options.model.empty()) refuse("a TorchScript file has one module: --model is for .pt2", "leave it out");
    if (options.tensors.empty())
        refuse("a TorchScript module is exported by running it, on inputs that it needs",
               "give them with --inputs F.safetensors");
    work.begin("load");
    ScriptFile script(options.input);
    const auto inputs = load_tensors(options.tensors);
    work.begin("capture");
    return script.capture(inputs, capture_config(options, shapes, work));
}

void write(ferry::ExportedProgram program, const ExportOptions& options, const std::string& output, Work& work) {
    if (options.decompose) {
        work.begin("decompose");
        program = decompose(program);
    }
    if (options.format == "onnx") {
        work.begin("translate and save");
        ferry::OnnxConfig config = options.onnx;
        config.output_path = output;
        export_onnx(std::move(program), config);
    } else if (options.format == "executorch") {
        work.begin("lower and save");
        ferry::ExecutorchConfig config = options.executorch;
        if (!options.backend.empty()) config.backend = options.backend;
        export_executorch(std::move(program), config, output);
    } else {
        work.begin("save");
        save_program(program, output);
    }
}

/// Files stand in a folder of their own until all of them are whole.
class UnfinishedFolder {
public:
    explicit UnfinishedFolder(std::filesystem::path target)
        : target_(std::move(target)), is_new_(!std::filesystem::exists(target_)), path_(target_ / ".unfinished") {
        std::filesystem::create_directories(path_);
    }
    UnfinishedFolder(const UnfinishedFolder&) = delete;
    UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
    ~UnfinishedFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
        if (is_new_) std::filesystem::remove(target_, ignored);  // only if nothing is in it
    }

    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
    void finish() const {
        for (const auto& each : std::filesystem::directory_iterator(path_))
            std::filesystem::rename(each.path(), target_ / each.path().filename());
    }

private:
    std::filesystem::path target_;
    bool is_new_;
    std::filesystem::path path_;
};

/// A folder goes in, and one comes out, with a file for each part.
void run_checkpoint(const ExportOptions& options, const ferry::DynamicShapes& shapes) {
    if (!options.model.empty()) refuse("a checkpoint has one model: --model is for .pt2", "leave it out");
    Work work(options.timings);
    work.begin("load and capture");
    const auto inputs = options.tensors.empty() ? ferry::NamedTensors{} : load_tensors(options.tensors);
    auto parts = capture_checkpoint(options.input, inputs, capture_config(options, shapes, work), options.checkpoint);
    const UnfinishedFolder folder(options.output);
    const std::string suffix = options.format == "onnx" ? ".onnx" : options.format == "executorch" ? ".pte" : ".pt2";
    for (auto& [name, program] : parts) write(std::move(program), options, folder.file(name + suffix), work);
    folder.finish();
    work.finish();
}

void run(const ExportOptions& options, const ferry::DynamicShapes& shapes) {
    if (is_checkpoint(options.input)) return run_checkpoint(options, shapes);
    if (!options.checkpoint.dtype.empty() || options.checkpoint.static_cache_length != 0)
        refuse("--dtype and --static-cache are for checkpoints", "leave them out");
    check_output(options.output);
    Work work(options.timings);
    const ModelKind kind = model_kind(options.input);
    if (kind == ModelKind::onnx) refuse("an ONNX model is not exported again", "export what it was made from");
    if (kind == ModelKind::executorch)
        refuse("an ExecuTorch program is not exported again", "export what it was made from");
    ferry::ExportedProgram program =
        kind == ModelKind::pt2 ? open_program(options, shapes, work) : capture(options, shapes, work);
    const std::vector<std::string> notes = program.notes;
    write(std::move(program), options, options.output, work);
    work.finish();
    if (options.verbose)
        for (const std::string& note : notes) std::fprintf(stderr, "%s\n", note.c_str());
}

}  // namespace

void add_export(CLI::App& app) {
    const auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand("export", "Write a model in another format");
    command
        ->add_option(
            "IN", options->input,
            "A .pt2 program, a TorchScript module, or a checkpoint: the folder that save_pretrained has written")
        ->required();
    command->add_option("--to", options->format, "The format: pt2, onnx or executorch")
        ->required()
        ->check(CLI::IsMember({"pt2", "onnx", "executorch"}));
    command->add_option("-o,--output", options->output,
                        "The file to write, of a checkpoint the folder; needed, unless a --config has one");
    command->add_option(
        "--config", options->config,
        "A file with the settings, as JSON: {\"dynamic\": true, \"opset_version\": 21}; what the command line says goes "
        "before it");
    command->add_flag("--decompose", options->decompose, "Write the program in core ATen ops");
    command->add_option("--model", options->model, "Which program, where a .pt2 file has several");
    command->add_flag("--timings", options->timings, "Print on standard error what each stage took");
    command->add_flag("-v,--verbose", options->verbose, "Print on standard error what the capture found out");
    constexpr auto onnx = "For ONNX";
    command->add_option("--opset", options->onnx.opset_version, "The version of ONNX's operators")->group(onnx);
    command
        ->add_flag("!--no-external-data", options->onnx.external_data,
                   "Weights inside of the model's file, not beside it")
        ->group(onnx);
    command->add_flag("!--no-optimize", options->onnx.optimize, "Nodes just as they were translated")->group(onnx);
    command
        ->add_flag("!--no-export-params", options->onnx.export_params,
                   "Parameters and buffers are further inputs of the model")
        ->group(onnx);
    command
        ->add_flag("--keep-initializers-as-inputs", options->onnx.keep_initializers_as_inputs,
                   "Weights are inputs too, with themselves as defaults")
        ->group(onnx);
    command->add_option("--backend", options->backend, "Who computes: xnnpack what it can (default), or portable")
        ->group("For ExecuTorch");
    constexpr auto checkpoint = "For checkpoints";
    command->add_option("--dtype", options->checkpoint.dtype, "float32, float16 or bfloat16; else as the files have it")
        ->check(CLI::IsMember({"float32", "float16", "bfloat16"}))
        ->group(checkpoint);
    command
        ->add_option("--static-cache", options->checkpoint.static_cache_length,
                     "A cache with room for so many tokens, written in place; else it grows")
        ->check(CLI::PositiveNumber)
        ->group(checkpoint);
    constexpr auto script = "For TorchScript modules and checkpoints";
    command
        ->add_option(
            "--inputs", options->tensors,
            "Sample inputs, a .safetensors file; keys are names (also x.0 inside of lists) or positions; a checkpoint of "
            "a language model has a sample of its own")
        ->group(script);
    command
        ->add_flag("--dynamic", options->dynamic,
                   "Every dimension may vary, as far as the model allows; where a --dim is given, only those given")
        ->group(script);
    command
        ->add_option(
            "--dim", options->dims,
            "A dimension that may vary: INPUT.DIMENSION=NAME[:MIN[:MAX]], e.g. input_ids.1=seq:1:2048; a size in "
            "terms of others (2*seq+1), AUTO (if the model allows it), DYNAMIC (or fail; DYNAMIC:0 from none on) "
            "or STATIC instead of NAME; "
            "INPUT may be the start of several (past_key_values), with * for any one part (past_key_values.*.keys); "
            "all dimensions that are not given are static; may be given again")
        ->group(script)
        ->type_name("DIM")
        ->allow_extra_args(false);
    command->add_flag("--strict", options->strict, "Run the program against the model at sizes that no probe used")
        ->group(script);
    command
        ->add_flag("--prefer-deferred-runtime-asserts-over-guards", options->deferred,
                   "Where the model does not hold for all of a --dim, let the program check that when it runs")
        ->group(script);
    command->callback([options] {
        ferry::DynamicShapes shapes;
        try {
            shapes = parse_dims(options->dims);
        } catch (const std::invalid_argument& error) {
            throw CLI::ValidationError(error.what());
        }
        if (!options->config.empty()) take_config(*options, shapes);
        if (options->output.empty()) throw CLI::RequiredError("--output");
        run(*options, shapes);
    });
}

}  // namespace cli
