#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/voxtral.hpp>

#include <cstdint>

namespace ferry::models {
namespace detail {

/// The same as Whisper's encoder, under the names that newer models have for its fields.
[[nodiscard]] inline WhisperOptions voxtral_audio(ConfigReader& config) {
    WhisperOptions made{.width = config.integer("hidden_size"), .bins = config.integer("num_mel_bins", 128)};
    made.encoder = {.layers = config.layers("num_hidden_layers"),
                    .heads = config.integer("num_attention_heads"),
                    .inner = config.integer("intermediate_size"),
                    .positions = config.integer("max_source_positions", 1500)};
    made.activation = config.text("activation_function", "gelu");
    config.ignore({"vocab_size", "scale_embedding", "dropout", "layerdrop", "activation_dropout"});
    if (made.encoder.inner <= 0 || made.encoder.positions * made.width % made.encoder.inner != 0)
        throw Error(ErrorKind::unsupported,
                    "config.json: the sound cannot be divided into features of 'intermediate_size'");
    return made;
}

}  // namespace detail

FERRY_INLINE VoxtralOptions Voxtral::options(ConfigReader& config) {
    VoxtralOptions made;
    made.text = text_options(config);
    made.text.ties_embeddings = false;  // whatever the config says: transformers does not
    ConfigReader audio = config.section("audio_config");
    made.audio = detail::voxtral_audio(audio);
    audio.finish();
    made.projector = ProjectorOptions{.from = made.audio.encoder.inner,
                                      .to = made.text.width,
                                      .activation = config.text("projector_hidden_act", "gelu"),
                                      .has_bias = false};
    made.placeholder = config.integer("audio_token_id");
    config.ignore({"hidden_size", "vocab_size", "tie_word_embeddings"});
    return made;
}

}  // namespace ferry::models
