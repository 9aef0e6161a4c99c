#include "export_recipe.hpp"

#include "checkpoint.hpp"
#include "program_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/dynamic_shapes_dict.hpp>
#include <ferry/tree/dict_builder.hpp>
#include <ferry/tree/json_file.hpp>

#include <filesystem>
#include <tuple>
#include <utility>

namespace cli {
namespace {

using ferry::tree::Context;

/// Sizes vary as a recipe says, and not at all where it is silent: only without one is that left to the model.
ferry::ExportRecipe with_sizes(ferry::ExportRecipe recipe) {
    if (recipe.config.find("dynamic") != nullptr) return recipe;
    ferry::tree::DictBuilder config(recipe.config);
    config.put("dynamic", false);
    recipe.config = config.take();
    return recipe;
}

/// A recipe, or a config alone: the latter may say where the file goes, for who gives it here knows what is in it.
ferry::ExportRecipe read_config(const std::filesystem::path& path, std::string& output) {
    const Context dict = ferry::tree::read_json_object(path);
    if (dict.find("version") != nullptr) return with_sizes(ferry::ExportRecipe::load(path));
    ferry::tree::DictBuilder config(dict);
    if (const Context* given = dict.find("output_path"); given != nullptr && given->is_text()) {
        if (output.empty()) output = given->text();
        config.erase("output_path");
    }
    return {.config = config.take()};
}

ferry::ExportRecipe read_file(const RecipeOptions& options, const std::string& input, std::string& output) {
    if (!options.config.empty()) return read_config(options.config, output);
    if (options.format.empty() && is_checkpoint(input)) return with_sizes(ferry::ExportRecipe::from_pretrained(input));
    return {};
}

/// A setting of the command line goes before that of a file, which may have one for each part.
void put(ferry::ExportRecipe& recipe, std::string_view key, const Context& value) {
    ferry::tree::DictBuilder config(recipe.config);
    config.put(key, value);
    recipe.config = config.take();
    for (auto& [name, settings] : recipe.parts) {
        ferry::tree::DictBuilder of_part(settings);
        of_part.erase(key);
        settings = of_part.take();
    }
}

}  // namespace

ferry::ExportRecipe recipe_of(const RecipeOptions& options, const ferry::DynamicShapes& shapes,
                              const std::string& input, std::string& output) {
    ferry::ExportRecipe recipe = read_file(options, input, output);
    if (!options.format.empty()) {
        if (!recipe.format().empty() && recipe.format() != options.format)
            throw ferry::Error(ferry::ErrorKind::invalid_input,
                               "the config is for '" + std::string(recipe.format()) + "'",
                               {.hint = "leave --to out", .where = {.path = options.config}});
        put(recipe, "export_format", options.format);
    }
    if (!shapes.empty()) put(recipe, "dynamic_shapes", ferry::to_setting(shapes));
    for (const auto& [key, is_given, value] :
         {std::tuple<const char*, bool, bool>{"dynamic", options.dynamic, true},
          {"strict", options.strict, true},
          {"prefer_deferred_runtime_asserts_over_guards", options.deferred, true},
          {"external_data", !options.external_data, false},
          {"optimize", !options.optimize, false},
          {"export_params", !options.export_params, false},
          {"keep_initializers_as_inputs", options.keeps_initializers_as_inputs, true}})
        if (is_given) put(recipe, key, value);
    if (options.opset) put(recipe, "opset_version", *options.opset);
    if (!options.backend.empty()) put(recipe, "backend", options.backend);
    if (!options.dtype.empty()) recipe.dtype = ferry::weight_dtype(options.dtype);
    if (options.static_cache_length != 0) recipe.static_cache_length = options.static_cache_length;
    if (!options.tensors.empty()) recipe.inputs = load_tensors(options.tensors);
    return recipe;
}

}  // namespace cli
