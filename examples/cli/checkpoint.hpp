#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/recipes/recipe.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Folders that transformers' save_pretrained has written. Only this header's source includes the models.
namespace cli {

[[nodiscard]] bool is_checkpoint(const std::filesystem::path& path);

/// What the recipe says of: the parts of a model that generates, or the model as the only one, "model".
[[nodiscard]] std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(
    const std::filesystem::path& folder, const ferry::ExportRecipe& recipe,
    const std::function<ferry::DynamoConfig(const std::string& part)>& config_of);

}  // namespace cli
