#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/recipes/recipe.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace cli {

/// What the command line says of how a model is exported.
struct RecipeOptions {
    std::string format, config, tensors, dtype, backend;
    std::int64_t static_cache_length = 0;
    std::optional<std::int64_t> opset{};
    bool external_data = true, optimize = true, export_params = true, keeps_initializers_as_inputs = false;
    bool dynamic = false, strict = false, deferred = false;
};

/// That, over what a file says: --config, or without it and without a format the recipe that lies in a checkpoint's folder. `output` is
/// set where it is empty and a config has one.
[[nodiscard]] ferry::ExportRecipe recipe_of(const RecipeOptions& options, const ferry::DynamicShapes& shapes,
                                            const std::string& input, std::string& output);

}  // namespace cli
