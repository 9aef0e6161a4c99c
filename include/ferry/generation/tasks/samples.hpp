#pragma once

#include <ferry/generation/tasks/task_source.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>

/// Inputs to export a model with, by what its config says of their sizes.
namespace ferry::generation {

/// Texts of so many tokens.
[[nodiscard]] at::Tensor sample_ids(std::int64_t texts, std::int64_t tokens);

/// As many short ones for a model that takes them, with a mask if it has one.
[[nodiscard]] Inputs sample_texts(const AnyModel& model, std::int64_t texts);

/// What an encoder takes under that name: "pixel_values" or "input_features", in the type of its weights.
[[nodiscard]] at::Tensor sample_source(const TaskSource& source, std::string_view input, std::int64_t count);

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/samples-inl.hpp>
#endif
