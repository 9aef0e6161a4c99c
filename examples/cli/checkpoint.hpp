#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/fwd.hpp>
#include <ferry/generation/generative.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/recipes/recipe.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Folders that transformers' save_pretrained has written. Only this header's source includes the models.
namespace cli {

/// What a checkpoint is exported for.
struct TaskOptions {
    std::string name;              ///< empty: whatever it does
    std::int64_t max_seq_len = 0;  ///< 0: by the model
    std::int64_t max_hidden_seq_len = 0;
    bool has_static_shapes = false;
};
using ConfigOfPart = std::function<ferry::DynamoConfig(const std::string& part)>;

[[nodiscard]] bool is_checkpoint(const std::filesystem::path& path);

/// What the recipe says of: the parts of a model that generates, or the model as the only one, "model". What the recipe does not say is
/// written into it before `config_of` is asked: a task's own sample, and that sizes of texts vary.
[[nodiscard]] std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(
    const std::filesystem::path& folder, ferry::ExportRecipe& recipe, const TaskOptions& task,
    const ConfigOfPart& config_of);

/// Makes these calls; a cache that a call lacks is empty.
void observe_checkpoint(const std::filesystem::path& folder, const std::vector<ferry::NamedTensors>& calls,
                        ferry::InputObserver& observer);

/// Methods of a file that a runner of a task takes, and constants that it asks for.
struct TaskMethods {
    std::vector<std::pair<std::string, ferry::ExportedProgram>> programs;
    std::vector<std::pair<std::string, ferry::tree::Context>> constants;
};
[[nodiscard]] TaskMethods capture_task(const std::filesystem::path& folder, const ferry::ExportRecipe& recipe,
                                       const TaskOptions& task, const ferry::DynamoConfig& config);

/// A model to generate with.
[[nodiscard]] std::unique_ptr<ferry::generation::Generative> load_generative(const std::filesystem::path& folder);

}  // namespace cli
