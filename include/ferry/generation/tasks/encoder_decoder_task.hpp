#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/tasks/task.hpp>

#include <string_view>

namespace ferry::generation {

/// A model behind an encoder of texts or sounds: the method `encoder` reads one of them, `text_decoder` takes a token, what the encoder
/// gave and the token's place, and gives logits.
struct encoder_decoder_task {
    [[nodiscard]] static bool fits(const TaskSource& source, std::string_view encoder_input);
    [[nodiscard]] static Inputs sample(const TaskSource& source);
    [[nodiscard]] static TaskProgram program(const TaskSource& source, const TaskOptions& options);
};

struct text2text_generation : encoder_decoder_task {
    static constexpr auto names = ferry::names("text2text-generation");
    static constexpr std::string_view needs = "language models behind an encoder of texts";

    [[nodiscard]] static bool fits(const TaskSource& source) { return encoder_decoder_task::fits(source, "input_ids"); }
};

struct automatic_speech_recognition : encoder_decoder_task {
    static constexpr auto names = ferry::names("automatic-speech-recognition");
    static constexpr std::string_view needs = "language models behind an encoder of sounds";

    [[nodiscard]] static bool fits(const TaskSource& source) {
        return encoder_decoder_task::fits(source, "input_features");
    }
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/encoder_decoder_task-inl.hpp>
#endif
