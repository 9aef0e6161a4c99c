#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/tasks/task.hpp>

#include <string_view>

namespace ferry::generation {

/// A language model: the method `forward` takes new tokens of one text and their places, and gives logits.
struct text_generation {
    static constexpr auto names = ferry::names("text-generation");
    static constexpr std::string_view needs = "language models that take texts alone";

    [[nodiscard]] static bool fits(const TaskSource& source);
    [[nodiscard]] static Inputs sample(const TaskSource& source);
    [[nodiscard]] static TaskProgram program(const TaskSource& source, const TaskOptions& options);
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/text_generation-inl.hpp>
#endif
