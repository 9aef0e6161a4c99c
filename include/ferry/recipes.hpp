#pragma once

/// Exporters that are chosen at run time, and recipes: how a model is exported, in a file beside its weights.
#include <ferry/recipes/auto_config.hpp>
#include <ferry/recipes/auto_exporter.hpp>
#include <ferry/recipes/auto_exporters.hpp>
#include <ferry/recipes/auto_program.hpp>
#include <ferry/recipes/default_exporters.hpp>
#include <ferry/recipes/recipe.hpp>
#include <ferry/recipes/recipe_parts.hpp>
