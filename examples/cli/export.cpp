#include "export.hpp"

#include "checkpoint.hpp"
#include "decompose.hpp"
#include "dims.hpp"
#include "executorch_file.hpp"
#include "export_recipe.hpp"
#include "model_file.hpp"
#include "program_file.hpp"
#include "refuse.hpp"
#include "script_file.hpp"
#include "work.hpp"

#include <ferry/tree/dict_builder.hpp>

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
    std::string input, output, model, save_recipe;
    std::vector<std::string> dims;
    RecipeOptions recipe;
    TaskOptions task;
    bool decompose = false, verbose = false, timings = false;
};

/// An export with all that was said of it.
struct Export {
    const ExportOptions& options;
    ferry::ExportRecipe recipe;
    const ExportBackend& backend;
    Work& work;

    [[nodiscard]] ferry::DynamoConfig capture_config(const std::string& part = "model") const {
        ferry::DynamoConfig config = backend.capture(recipe.config_of(part));
        config.progress = work.progress();
        return config;
    }
};

ferry::ExportedProgram open_program(const Export& given) {
    const ferry::DynamoConfig config = given.capture_config();
    if (config.dynamic || !config.dynamic_shapes.empty())
        refuse("the shapes of a .pt2 program are fixed by its export: --dynamic and --dim are for TorchScript",
               "export it with other dynamic shapes where it comes from; `ferry inspect` shows those that it has");
    if (config.strict || config.prefer_deferred_runtime_asserts_over_guards)
        refuse(
            "a .pt2 program is not captured again: --strict and --prefer-deferred-runtime-asserts-over-guards are "
            "for TorchScript",
            "leave them out");
    if (!given.recipe.inputs.empty()) refuse("a .pt2 program needs no --inputs to be exported", "leave them out");
    given.work.begin("load");
    return load_program(given.options.input, given.options.model);
}

ferry::ExportedProgram capture(const Export& given) {
    if (!given.options.model.empty()) refuse("a TorchScript file has one module: --model is for .pt2", "leave it out");
    if (given.recipe.inputs.empty())
        refuse("a TorchScript module is exported by running it, on inputs that it needs",
               "give them with --inputs F.safetensors");
    given.work.begin("load");
    ScriptFile script(given.options.input);
    given.work.begin("capture");
    return script.capture(given.recipe.inputs, given.capture_config());
}

/// In core ATen ops, if that was asked for.
ferry::ExportedProgram prepared(ferry::ExportedProgram program, const Export& given) {
    if (!given.options.decompose) return program;
    given.work.begin("decompose");
    return decompose(program);
}

bool is_for_executorch(const Export& given) { return given.backend.name == "executorch"; }

/// With all settings, so that it means the same to a Ferry with other defaults.
void save_recipe(const Export& given) {
    if (given.options.save_recipe.empty()) return;
    ferry::ExportRecipe whole = given.recipe;
    whole.config = given.backend.complete(whole.config);
    ferry::tree::DictBuilder settings(whole.config);
    settings.erase("output_path");
    whole.config = settings.take();
    whole.save(given.options.save_recipe);
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

/// With these a folder says by itself how to run what is in it.
void copy_configs(const std::filesystem::path& from, const UnfinishedFolder& to) {
    for (const char* name : {"config.json", "generation_config.json", "preprocessor_config.json"})
        if (std::filesystem::exists(from / name)) std::filesystem::copy_file(from / name, to.file(name));
}

/// A folder goes in, and one comes out, with the one file that a runner takes.
void run_task(const Export& given) {
    const ferry::DynamoConfig config = given.capture_config();
    if (!given.recipe.inputs.empty() || config.dynamic || !config.dynamic_shapes.empty() ||
        given.recipe.static_cache_length != 0)
        refuse(
            "a task of ExecuTorch has inputs, shapes and a cache of its own: --inputs, --dynamic, --dim and "
            "--static-cache are for exports without one",
            "leave them out; --max-seq-len says how many tokens there may be");
    if (!given.options.save_recipe.empty())
        refuse("a recipe does not speak of tasks of ExecuTorch", "leave --save-recipe out");
    given.work.begin("load and capture");
    TaskMethods task = capture_task(given.options.input, given.recipe, given.options.task, config);
    for (auto& [name, program] : task.programs) program = prepared(std::move(program), given);
    given.work.begin("save");
    const UnfinishedFolder folder(given.options.output);
    export_executorch_methods(std::move(task.programs), task.constants, given.recipe.config, folder.file("model.pte"));
    copy_configs(given.options.input, folder);
    folder.finish();
}

void check_task(const Export& given) {
    const TaskOptions& task = given.options.task;
    const bool is_for_runners = !task.name.empty() && is_for_executorch(given);
    if (!is_for_runners && (task.max_seq_len != 0 || task.max_hidden_seq_len != 0))
        refuse("--max-seq-len and --max-hidden-seq-len are for a --task of ExecuTorch", "leave them out");
}

/// A folder goes in, and one comes out, with a file for each part.
void run_checkpoint(Export& given) {
    if (!given.options.model.empty()) refuse("a checkpoint has one model: --model is for .pt2", "leave it out");
    check_task(given);
    if (!given.options.task.name.empty() && is_for_executorch(given)) return run_task(given);
    given.work.begin("load");
    auto parts =
        capture_checkpoint(given.options.input, given.recipe, given.options.task, [&](const std::string& part) {
            given.work.begin("capture " + part);
            return given.capture_config(part);
        });
    const UnfinishedFolder folder(given.options.output);
    const auto save = is_for_executorch(given) ? &export_executorch_part : given.backend.write;
    for (auto& [name, program] : parts) {
        ferry::ExportedProgram whole = prepared(std::move(program), given);
        given.work.begin("save " + name);
        save(std::move(whole), given.recipe.config_of(name), folder.file(name + std::string(given.backend.suffix)));
    }
    copy_configs(given.options.input, folder);
    folder.finish();
}

void run_file(const Export& given) {
    const TaskOptions& task = given.options.task;
    if (given.recipe.dtype || given.recipe.static_cache_length != 0 || !task.name.empty() || task.has_static_shapes ||
        task.max_seq_len != 0 || task.max_hidden_seq_len != 0)
        refuse("--dtype, --static-cache, --task and what goes with it are for checkpoints", "leave them out");
    check_output(given.options.output);
    const ModelKind kind = model_kind(given.options.input);
    if (kind == ModelKind::onnx) refuse("an ONNX model is not exported again", "export what it was made from");
    if (kind == ModelKind::executorch)
        refuse("an ExecuTorch program is not exported again", "export what it was made from");
    ferry::ExportedProgram program = kind == ModelKind::pt2 ? open_program(given) : capture(given);
    const std::vector<std::string> notes = program.notes;
    program = prepared(std::move(program), given);
    given.work.begin("save");
    given.backend.write(std::move(program), given.recipe.config_of("model"), given.options.output);
    if (given.options.verbose)
        for (const std::string& note : notes) std::fprintf(stderr, "%s\n", note.c_str());
}

const ExportBackend& backend_named(std::string_view name, const ExportBackends& backends) {
    std::string known;
    for (const ExportBackend& each : backends) {
        if (each.name == name) return each;
        known.append(known.empty() ? "" : ", ").append(each.name);
    }
    refuse("there is no export format '" + std::string(name) + "'", "there are: " + known);
}

void run(ExportOptions& options, const ferry::DynamicShapes& shapes, const ExportBackends& backends) {
    if (options.recipe.format == "pt2") options.recipe.format = "dynamo";  // as recipes call it
    ferry::ExportRecipe recipe = recipe_of(options.recipe, shapes, options.input, options.output);
    if (recipe.format().empty()) throw CLI::RequiredError("--to");
    if (options.output.empty()) throw CLI::RequiredError("--output");
    if (!options.save_recipe.empty()) check_output(options.save_recipe);
    Work work(options.timings);
    const ExportBackend& backend = backend_named(recipe.format(), backends);
    Export given{options, std::move(recipe), backend, work};
    static_cast<void>(backend.complete(given.recipe.config));  // what is wrong with it is told first
    is_checkpoint(options.input) ? run_checkpoint(given) : run_file(given);
    save_recipe(given);
    work.finish();
}

}  // namespace

void add_export(CLI::App& app, const ExportBackends& backends) {
    const auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand("export", "Write a model in another format");
    command
        ->add_option(
            "IN", options->input,
            "A .pt2 program, a TorchScript module, or a checkpoint: the folder that save_pretrained has written")
        ->required();
    std::vector<std::string> formats;
    for (const ExportBackend& each : backends) formats.emplace_back(each.name == "dynamo" ? "pt2" : each.name);
    command
        ->add_option("--to", options->recipe.format,
                     "The format; needed, unless a --config or the checkpoint's export_config.json says it")
        ->check(CLI::IsMember(formats));
    command->add_option("-o,--output", options->output,
                        "The file to write, of a checkpoint the folder; needed, unless a --config has one");
    command->add_option(
        "--config", options->recipe.config,
        "A file with the settings, as JSON: {\"dynamic\": true, \"opset_version\": 21}, or a recipe; what the command line "
        "says goes before it");
    command->add_option(
        "--save-recipe", options->save_recipe,
        "Write the recipe of this export, for --config or, as export_config.json, for a checkpoint's folder");
    command->add_flag("--decompose", options->decompose, "Write the program in core ATen ops");
    command->add_option("--model", options->model, "Which program, where a .pt2 file has several");
    command->add_flag("--timings", options->timings, "Print on standard error what each stage took");
    command->add_flag("-v,--verbose", options->verbose, "Print on standard error what the capture found out");
    constexpr auto onnx = "For ONNX";
    command->add_option("--opset", options->recipe.opset, "The version of ONNX's operators")->group(onnx);
    command
        ->add_flag("!--no-external-data", options->recipe.external_data,
                   "Weights inside of the model's file, not beside it")
        ->group(onnx);
    command->add_flag("!--no-optimize", options->recipe.optimize, "Nodes just as they were translated")->group(onnx);
    command
        ->add_flag("!--no-export-params", options->recipe.export_params,
                   "Parameters and buffers are further inputs of the model")
        ->group(onnx);
    command
        ->add_flag("--keep-initializers-as-inputs", options->recipe.keeps_initializers_as_inputs,
                   "Weights are inputs too, with themselves as defaults")
        ->group(onnx);
    command
        ->add_option("--backend", options->recipe.backend, "Who computes: xnnpack what it can (default), or portable")
        ->group("For ExecuTorch");
    constexpr auto checkpoint = "For checkpoints";
    command->add_option("--dtype", options->recipe.dtype, "float32, float16 or bfloat16; else as the files have it")
        ->check(CLI::IsMember({"float32", "float16", "bfloat16"}))
        ->group(checkpoint);
    command
        ->add_option("--static-cache", options->recipe.static_cache_length,
                     "A cache with room for so many tokens, written in place; else it grows")
        ->check(CLI::PositiveNumber)
        ->group(checkpoint);
    command
        ->add_option("--task", options->task.name,
                     "What the model is for: text-generation, multimodal-text-to-text (image-text-to-text), "
                     "text2text-generation, automatic-speech-recognition, image-classification or fill-mask. For "
                     "ExecuTorch it makes one model.pte with the methods that runners of the task ask for")
        ->group(checkpoint);
    command
        ->add_option(
            "--max-seq-len", options->task.max_seq_len,
            "Of a task of ExecuTorch: room for so many tokens; else 2048, or as many as the model has places for")
        ->check(CLI::PositiveNumber)
        ->group(checkpoint);
    command
        ->add_option("--max-hidden-seq-len", options->task.max_hidden_seq_len,
                     "Of text2text-generation: how long a text an encoder reads; else 4096")
        ->check(CLI::PositiveNumber)
        ->group(checkpoint);
    command
        ->add_flag("--disable-dynamic-shapes", options->task.has_static_shapes,
                   "Sizes of texts as those of the sample; for a runner, one token at a call. Otherwise they vary")
        ->group(checkpoint);
    constexpr auto script = "For TorchScript modules and checkpoints";
    command
        ->add_option(
            "--inputs", options->recipe.tensors,
            "Sample inputs, a .safetensors file; keys are names (also x.0 inside of lists) or positions; a checkpoint of "
            "a language model has a sample of its own")
        ->group(script);
    command
        ->add_flag("--dynamic", options->recipe.dynamic,
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
    command
        ->add_flag("--strict", options->recipe.strict, "Run the program against the model at sizes that no probe used")
        ->group(script);
    command
        ->add_flag("--prefer-deferred-runtime-asserts-over-guards", options->recipe.deferred,
                   "Where the model does not hold for all of a --dim, let the program check that when it runs")
        ->group(script);
    command->callback([options, backends] {
        ferry::DynamicShapes shapes;
        try {
            shapes = parse_dims(options->dims);
        } catch (const std::invalid_argument& error) {
            throw CLI::ValidationError(error.what());
        }
        run(*options, shapes, backends);
    });
}

}  // namespace cli
