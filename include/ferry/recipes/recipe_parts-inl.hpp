#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/recipes/recipe_parts.hpp>

#include <ATen/ops/ones.h>

#include <string>
#include <string_view>
#include <utility>

namespace ferry {

FERRY_INLINE Inputs sample_inputs(const AnyModel& model) {
    const AnyModel reader = model.part("encoder").value_or(model);
    Inputs made;
    for (const char* name : {"input_ids", "attention_mask"})
        if (reader.takes(name)) made.set(name, at::ones({2, 8}, at::TensorOptions(at::kLong)));
    if (!made.contains("input_ids"))
        throw Error(ErrorKind::invalid_input, std::string(model.type()) + " does not take texts alone",
                    {.hint = "give sample inputs, as --inputs F.safetensors or in the recipe"});
    return made;
}

namespace recipes {

/// Those that the recipe names, in the order in which they run.
[[nodiscard]] inline GenerationParts chosen(GenerationParts parts, const ExportRecipe& recipe) {
    if (recipe.parts.empty()) return parts;
    std::string known;
    for (const GenerationPart& part : parts) known.append(known.empty() ? "" : ", ").append(part.name);
    for (const auto& [name, settings] : recipe.parts)
        if (!algo::contains(parts, name, &GenerationPart::name))
            throw Error(ErrorKind::invalid_input,
                        "the export recipe speaks of a part '" + name + "', which there is not",
                        {.hint = "there are: " + known});
    std::erase_if(parts, [&](const GenerationPart& part) {
        return algo::none_of(recipe.parts, [&](const auto& each) { return each.first == part.name; });
    });
    return parts;
}

}  // namespace recipes

FERRY_INLINE GenerationParts parts_for(const ExportRecipe& recipe, const AnyModel& model, Inputs inputs) {
    if (inputs.empty())
        for (const auto& [name, tensor] : recipe.inputs) inputs.set(name, tensor);
    if (inputs.empty()) inputs = sample_inputs(model);
    if (is_generative(model))
        return recipes::chosen(decompose_for_generation(model, inputs, recipe.generation()), recipe);
    if (recipe.static_cache_length > 0)
        throw Error(ErrorKind::invalid_input, std::string(model.type()) + " has no cache",
                    {.hint = "leave the static cache out"});
    return recipes::chosen({{"model", model, std::move(inputs)}}, recipe);
}

}  // namespace ferry
