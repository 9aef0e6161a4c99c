#include "checkpoint.hpp"

#include "calls.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/models.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/recipes/recipe_parts.hpp>
#include <ferry/tree/dict_builder.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace cli {
namespace {

ferry::generation::TaskSource task_source(const std::filesystem::path& folder, std::optional<at::ScalarType> dtype) {
    const ferry::models::Checkpoint files(folder);
    return {.model = ferry::AutoModel<>::from_pretrained(folder, dtype),
            .architecture = files.architecture(),
            .config = files.config(),
            .generation_config = files.generation_config(),
            .processor_config = files.processor_config()};
}

using Tasks = ferry::generation::TaskFinder<ferry::generation::all_tasks>;

ferry::NamedTensors tensors_of(const ferry::Inputs& inputs) {
    ferry::NamedTensors made;
    for (const auto& [name, value] : inputs) made.emplace_back(name, inputs.get<at::Tensor>(name));
    return made;
}

/// Texts are of any length, unless the recipe says something of sizes.
void let_texts_vary(ferry::ExportRecipe& recipe, const ferry::AnyModel& model) {
    const auto speaks_of_sizes = [](const ferry::tree::Context& config) {
        return config.find("dynamic") != nullptr || config.find("dynamic_shapes") != nullptr;
    };
    bool is_said = speaks_of_sizes(recipe.config);
    for (const auto& [name, config] : recipe.parts) is_said = is_said || speaks_of_sizes(config);
    if (is_said || !(ferry::is_generative(model) || model.takes("input_ids"))) return;
    ferry::tree::DictBuilder config(recipe.config);
    config.put("dynamic", true);
    recipe.config = config.take();
}

}  // namespace

bool is_checkpoint(const std::filesystem::path& path) { return std::filesystem::is_directory(path); }

std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(const std::filesystem::path& folder,
                                                                               ferry::ExportRecipe& recipe,
                                                                               const TaskOptions& task,
                                                                               const ConfigOfPart& config_of) {
    if (!task.name.empty()) static_cast<void>(Tasks::find(task.name));  // before anything is loaded
    const ferry::generation::TaskSource source = task_source(folder, recipe.dtype);
    if (!task.name.empty()) {
        const ferry::generation::Task found = Tasks::find(task.name, source);
        if (recipe.inputs.empty()) recipe.inputs = tensors_of(found.sample(source));
    }
    if (!task.has_static_shapes) let_texts_vary(recipe, source.model);
    return ferry::generation::export_parts(ferry::DynamoExporter<>{}, ferry::parts_for(recipe, source.model),
                                           config_of);
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

TaskMethods capture_task(const std::filesystem::path& folder, const ferry::ExportRecipe& recipe,
                         const TaskOptions& task, const ferry::DynamoConfig& config) {
    static_cast<void>(Tasks::find(task.name));
    const ferry::generation::TaskSource source = task_source(folder, recipe.dtype);
    ferry::generation::TaskOptions wanted{.is_dynamic = !task.has_static_shapes};
    if (task.max_seq_len > 0) wanted.max_seq_len = task.max_seq_len;
    if (task.max_hidden_seq_len > 0) wanted.max_hidden_seq_len = task.max_hidden_seq_len;
    ferry::generation::TaskProgram program = Tasks::find(task.name, source).program(source, wanted);
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
