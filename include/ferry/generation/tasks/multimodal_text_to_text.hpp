#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/tasks/task.hpp>

#include <string_view>

namespace ferry::generation {

/// A language model that reads texts and images, or texts and sounds: `token_embedding` makes vectors of tokens, `vision_encoder` or
/// `audio_encoder` those that go in the place of some of them, and `text_decoder` takes vectors and their places, and gives logits.
struct multimodal_text_to_text {
    static constexpr auto names = ferry::names("multimodal-text-to-text", "image-text-to-text");
    static constexpr std::string_view needs = "language models that take texts and one other thing, images or sounds";

    [[nodiscard]] static bool fits(const TaskSource& source);
    [[nodiscard]] static Inputs sample(const TaskSource& source);
    [[nodiscard]] static TaskProgram program(const TaskSource& source, const TaskOptions& options);
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/multimodal_text_to_text-inl.hpp>
#endif
