#include "checkpoint.hpp"

#include <ferry/dynamo/exporter.hpp>
#include <ferry/models.hpp>
#include <ferry/recipes/recipe_parts.hpp>

namespace cli {

bool is_checkpoint(const std::filesystem::path& path) { return std::filesystem::is_directory(path); }

std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(
    const std::filesystem::path& folder, const ferry::ExportRecipe& recipe,
    const std::function<ferry::DynamoConfig(const std::string& part)>& config_of) {
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder, recipe.dtype);
    return ferry::generation::export_parts(ferry::DynamoExporter<>{}, ferry::parts_for(recipe, model), config_of);
}

}  // namespace cli
