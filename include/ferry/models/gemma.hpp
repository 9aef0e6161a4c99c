#pragma once

#include <ferry/models/blocks/layer_types.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ferry::models {

namespace detail {

[[nodiscard]] inline DecoderOptions gemma_options(ConfigReader& config, DecoderOptions defaults = {}) {
    defaults.attention.head_size = 256;
    defaults.mlp.activation = "gelu_pytorch_tanh";
    defaults.norm.kind = NormKind::wide_rms_from_one;
    defaults.ties_embeddings = true;
    defaults.rounds_embedding_scale = true;
    DecoderOptions made = DecoderOptions::read(config, std::move(defaults));
    made.embedding_scale = std::sqrt(static_cast<double>(made.width));
    made.attention.has_bias = made.attention.has_output_bias = config.flag("attention_bias", false);
    config.expect("use_bidirectional_attention", false);
    config.ignore({"cache_implementation"});
    return made;
}

/// What the second and the third have in common; where `layer_types` does not say it, the last of every `period` layers is not sliding.
[[nodiscard]] inline DecoderOptions later_gemma_options(ConfigReader& config, std::int64_t period,
                                                        DecoderOptions defaults = {}) {
    defaults.layer_norms = {.before_attention = "input_layernorm",
                            .after_attention = "post_attention_layernorm",
                            .before_mlp = "pre_feedforward_layernorm",
                            .after_mlp = "post_feedforward_layernorm"};
    DecoderOptions made = gemma_options(config, std::move(defaults));
    made.mlp.activation = config.text("hidden_activation", "gelu_pytorch_tanh");
    made.attention.scale = 1 / std::sqrt(config.real("query_pre_attn_scalar", 256));
    made.window = config.integer("sliding_window", 4096);
    if (made.is_sliding.empty()) made.is_sliding = all_but_last_of(period, made.layers);
    return made;
}

}  // namespace detail

struct Gemma {
    using Model = Decoder;
    static constexpr std::string_view architecture = "GemmaForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = detail::gemma_options(config);
        // What the first checkpoints call gelu was trained with the other one.
        if (made.mlp.activation == "gelu") made.mlp.activation = "gelu_pytorch_tanh";
        config.expect("hidden_activation", made.mlp.activation);
        return made;
    }
};

struct Gemma2 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Gemma2ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = detail::later_gemma_options(config, /*period=*/2);
        made.attention.cap = config.maybe_real("attn_logit_softcapping", 50);
        made.logit_cap = config.maybe_real("final_logit_softcapping", 30);
        config.ignore({"sliding_window_size"});
        return made;
    }
};

struct Gemma3 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Gemma3ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made =
            detail::later_gemma_options(config, config.integer("sliding_window_pattern", 6),
                                        {.rotary = {.theta = 1e6}, .sliding_rotary = RotaryOptions{.theta = 1e4}});
        made.attention.head_norms = HeadNorms::each_head;
        made.logit_cap = config.maybe_real("final_logit_softcapping");
        // The second writes down what the layers' types were made from; the first has no part in attention.
        config.ignore({"attn_logit_softcapping", "_sliding_window_pattern"});
        return made;
    }
};

}  // namespace ferry::models
