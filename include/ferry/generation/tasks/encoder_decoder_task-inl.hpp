#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/encode.hpp>
#include <ferry/generation/tasks/cached_decoder.hpp>
#include <ferry/generation/tasks/encoder_decoder_task.hpp>
#include <ferry/generation/tasks/metadata.hpp>
#include <ferry/generation/tasks/new_tokens.hpp>
#include <ferry/generation/tasks/samples.hpp>
#include <ferry/generation/tasks/source_encoder.hpp>

#include <ATen/core/grad_mode.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ferry::generation {
namespace detail {

/// What the encoder reads: one text of a few tokens, or one sound.
[[nodiscard]] inline at::Tensor source_of(const TaskSource& source, const AnyModel& encoder, std::int64_t count) {
    constexpr std::int64_t tokens = 8;
    const std::string_view input = only_input(encoder);
    return input == "input_ids" ? sample_ids(count, tokens) : sample_source(source, input, count);
}

}  // namespace detail

FERRY_INLINE bool encoder_decoder_task::fits(const TaskSource& source, std::string_view encoder_input) {
    const std::optional<AnyModel> encoder = source.model.part("encoder");
    return source.model.takes("encoder_hidden_states") && encoder && only_input(*encoder) == encoder_input;
}

FERRY_INLINE Inputs encoder_decoder_task::sample(const TaskSource& source) {
    constexpr std::int64_t count = 2;
    const AnyModel encoder = source.model.part("encoder").value();
    const at::Tensor read = detail::source_of(source, encoder, count);
    Inputs made;
    made.set(only_input(encoder), read);
    if (encoder.takes("attention_mask")) made.set("attention_mask", read);  // ones
    return made;
}

FERRY_INLINE TaskProgram encoder_decoder_task::program(const TaskSource& source, const TaskOptions& options) {
    constexpr std::int64_t otherwise = 1024;
    const std::int64_t room =
        room_for(options.max_seq_len,
                 config_integer(source.config, {"max_target_positions", "max_position_embeddings"}), otherwise);
    const AnyModel encoder = source.model.part("encoder").value();
    const auto encode = std::make_shared<SourceEncoder>(encoder);
    const at::Tensor read = detail::source_of(source, encoder, 1);
    const std::string input(only_input(encoder));
    const at::NoGradGuard no_grad;
    const at::Tensor encoded = encode->forward(read);
    const NewTokens token(room, /*is_dynamic=*/false);

    TaskMethod encoding{"encoder", encode, {}},
        decoding{"text_decoder", std::make_shared<SourceDecoder>(source.model, room),
                 inputs("decoder_input_ids", sample_ids(1, token.count()), "encoder_hidden_states", encoded,
                        "cache_position", token.places())};
    encoding.inputs.set(input, read);
    if (input == "input_ids" && options.is_dynamic) {  // sounds are of one length
        const Dim length("encoder_hidden_seq_length", 1, options.max_hidden_seq_len);
        encoding.dynamic_shapes[input].emplace(1, length);
        decoding.dynamic_shapes["encoder_hidden_states"].emplace(1, length);
    }
    return {{std::move(encoding), std::move(decoding)}, cache_metadata(source, room, options.is_dynamic)};
}

}  // namespace ferry::generation
