#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/tasks/task.hpp>

#include <string_view>

/// Tasks of models that are called once: the file has the method `forward`.
namespace ferry::generation {

/// One image, of the size that the config says.
struct image_classification {
    static constexpr auto names = ferry::names("image-classification");
    static constexpr std::string_view needs = "models for the classes of images";

    [[nodiscard]] static bool fits(const TaskSource& source);
    [[nodiscard]] static Inputs sample(const TaskSource& source);
    [[nodiscard]] static TaskProgram program(const TaskSource& source, const TaskOptions& options);
};

/// One text, of any length that the model has positions for.
struct fill_mask {
    static constexpr auto names = ferry::names("fill-mask");
    static constexpr std::string_view needs = "models for the tokens behind masks";

    [[nodiscard]] static bool fits(const TaskSource& source);
    [[nodiscard]] static Inputs sample(const TaskSource& source);
    [[nodiscard]] static TaskProgram program(const TaskSource& source, const TaskOptions& options);
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/classification-inl.hpp>
#endif
