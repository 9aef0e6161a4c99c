#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <string_view>
#include <utility>

namespace ferry::models {

namespace detail {

[[nodiscard]] inline DecoderOptions glm_options(ConfigReader& config, LayerNorms norms = {}) {
    DecoderOptions made = DecoderOptions::read(config, {.attention = {.head_size = 128},
                                                        .rotary = {.part = 0.5, .is_interleaved = true},
                                                        .make_feed_forward = &fused_gated_mlp,
                                                        .norm = {.epsilon = 1.5625e-7},
                                                        .layer_norms = std::move(norms)});
    made.attention.has_bias = config.flag("attention_bias", true);
    return made;
}

}  // namespace detail

struct Glm {
    using Model = Decoder;
    static constexpr std::string_view architecture = "GlmForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) { return detail::glm_options(config); }
};

struct Glm4 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Glm4ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        return detail::glm_options(config, {.before_attention = "input_layernorm",
                                            .after_attention = "post_self_attn_layernorm",
                                            .before_mlp = "post_attention_layernorm",
                                            .after_mlp = "post_mlp_layernorm"});
    }
};

}  // namespace ferry::models
