#include "checkpoint.hpp"

#include "calls.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/models.hpp>
#include <ferry/observe/observed_model.hpp>

#include <ATen/ops/ones.h>

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace cli {
namespace {

std::optional<at::ScalarType> dtype_of(const std::string& name) {
    if (name.empty()) return std::nullopt;
    const std::map<std::string, at::ScalarType> known{
        {"float32", at::kFloat}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16}};
    return known.at(name);
}

/// Two texts, where texts are all that a model takes.
ferry::Inputs sample_of(const ferry::AnyModel& model) {
    const ferry::AnyModel reader = model.part("encoder").value_or(model);
    ferry::Inputs made;
    for (const char* name : {"input_ids", "attention_mask"})
        if (reader.takes(name)) made.set(name, at::ones({2, 8}, at::TensorOptions(at::kLong)));
    if (!made.contains("input_ids"))
        throw ferry::Error(ferry::ErrorKind::invalid_input, std::string(model.type()) + " does not take texts alone",
                           {.hint = "give sample inputs with --inputs F.safetensors"});
    return made;
}

ferry::generation::TaskSource task_source(const std::filesystem::path& folder, const CheckpointOptions& options) {
    const ferry::models::Checkpoint files(folder);
    return {.model = ferry::AutoModel<>::from_pretrained(folder, dtype_of(options.dtype)),
            .architecture = files.architecture(),
            .config = files.config(),
            .generation_config = files.generation_config(),
            .processor_config = files.processor_config()};
}

using Tasks = ferry::generation::TaskFinder<ferry::generation::all_tasks>;

}  // namespace

bool is_checkpoint(const std::filesystem::path& path) { return std::filesystem::is_directory(path); }

std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(const std::filesystem::path& folder,
                                                                               const ferry::NamedTensors& inputs,
                                                                               const ferry::DynamoConfig& config,
                                                                               const CheckpointOptions& options) {
    ferry::DynamoConfig settings = config;
    ferry::Inputs given;
    for (const auto& [name, tensor] : inputs) given.set(name, tensor);
    if (!options.task.empty()) static_cast<void>(Tasks::find(options.task));  // before anything is loaded
    const ferry::generation::TaskSource source = task_source(folder, options);
    const ferry::AnyModel& model = source.model;
    const bool generates = ferry::is_generative(model);
    if (!options.task.empty()) {
        const ferry::generation::Task task = Tasks::find(options.task, source);
        if (given.empty()) given = task.sample(source);
        const bool varies = generates || given.contains("input_ids");  // images are of one size
        if (settings.dynamic_shapes.empty())
            settings.dynamic = (settings.dynamic || varies) && !options.has_static_shapes;
    } else if (given.empty()) {
        given = sample_of(model);
    }
    const ferry::DynamoExporter<> exporter;
    if (generates)
        return ferry::export_for_generation(exporter, model, given, settings,
                                            {.static_cache_length = options.static_cache_length});
    if (options.static_cache_length > 0)
        throw ferry::Error(ferry::ErrorKind::invalid_input, std::string(model.type()) + " has no cache",
                           {.hint = "leave --static-cache out"});
    std::vector<std::pair<std::string, ferry::ExportedProgram>> made;
    made.emplace_back("model", exporter.export_model(model, given, settings));
    return made;
}

void observe_checkpoint(const std::filesystem::path& folder, const std::vector<ferry::NamedTensors>& calls,
                        ferry::InputObserver& observer) {
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
    auto observed = observer(model, {.store_n_calls = calls.size()});
    for (const ferry::NamedTensors& call : calls) {
        ferry::Inputs inputs = model.prepare_inputs(nested_inputs(call));
        for (const std::string_view parameter : model.parameters())
            if (!inputs.contains(parameter))
                if (const auto initial = model.initial(parameter)) inputs.set(parameter, *initial);
        static_cast<void>(observed(inputs));
    }
}

TaskMethods capture_task(const std::filesystem::path& folder, const ferry::DynamoConfig& config,
                         const CheckpointOptions& options) {
    static_cast<void>(Tasks::find(options.task));
    const ferry::generation::TaskSource source = task_source(folder, options);
    ferry::generation::TaskOptions wanted{.is_dynamic = !options.has_static_shapes};
    if (options.max_seq_len > 0) wanted.max_seq_len = options.max_seq_len;
    if (options.max_hidden_seq_len > 0) wanted.max_hidden_seq_len = options.max_hidden_seq_len;
    ferry::generation::TaskProgram program = Tasks::find(options.task, source).program(source, wanted);
    TaskMethods made{.programs = {}, .constants = program.metadata};
    made.programs = ferry::generation::export_task(ferry::DynamoExporter<>{}, std::move(program), config);
    return made;
}

std::unique_ptr<ferry::generation::Generative> load_generative(const std::filesystem::path& folder) {
    ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
    if (!ferry::is_generative(model))
        throw ferry::Error(ferry::ErrorKind::invalid_input,
                           ferry::models::Checkpoint(folder).architecture() + " does not generate texts",
                           {.hint = "export it, and `ferry run` it"});
    return std::make_unique<ferry::generation::GenerativeModel>(std::move(model));
}

}  // namespace cli
