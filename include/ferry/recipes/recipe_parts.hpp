#pragma once

#include <ferry/generation/decompose.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/recipes/recipe.hpp>
#include <ferry/tree/inputs.hpp>

namespace ferry {

/// Two texts, where texts are all that a model takes.
[[nodiscard]] Inputs sample_inputs(const AnyModel& model);

/// What a recipe exports of a model: parts of one that generates, or the model as the only one, "model". Without `inputs`, with the
/// recipe's, or a sample of the model's own.
[[nodiscard]] GenerationParts parts_for(const ExportRecipe& recipe, const AnyModel& model, Inputs inputs = {});

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/recipes/recipe_parts-inl.hpp>
#endif
