#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <string_view>

namespace ferry::models {

struct Olmo2 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Olmo2ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made =
            DecoderOptions::read(config, {.attention = {.head_norms = HeadNorms::all_heads},
                                          .norm = {.kind = NormKind::wide_rms, .epsilon = 1e-5},
                                          .layer_norms = {.before_attention = "",
                                                          .after_attention = "post_attention_layernorm",
                                                          .before_mlp = "",
                                                          .after_mlp = "post_feedforward_layernorm"}});
        made.attention.has_bias = made.attention.has_output_bias = config.flag("attention_bias", false);
        return made;
    }
};

}  // namespace ferry::models
