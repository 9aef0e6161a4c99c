#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/gpt.hpp>
#include <ferry/tree/context.hpp>

#include <cmath>
#include <string_view>

namespace ferry::models {

struct GptNeoX {
    using Model = GptDecoder;
    static constexpr std::string_view architecture = "GPTNeoXForCausalLM";

    [[nodiscard]] static GptOptions options(ConfigReader& config) {
        GptOptions made{.vocabulary = config.integer("vocab_size"), .layers = config.layers("num_hidden_layers")};
        made.layer = {.width = config.integer("hidden_size"),
                      .inner = config.integer("intermediate_size"),
                      .heads = config.integer("num_attention_heads"),
                      .activation = config.text("hidden_act", "gelu"),
                      .epsilon = config.real("layer_norm_eps", 1e-5),
                      .has_attention_bias = config.flag("attention_bias", true),
                      .query_key_value = QueryKeyValue::head_by_head,
                      .second_half = config.flag("use_parallel_residual", true) ? SecondHalf::beside_attention
                                                                                : SecondHalf::behind_attention};
        made.require_whole_heads();
        made.layer.scale = 1 / std::sqrt(static_cast<double>(made.layer.head_size()));
        made.rotary = rotary(config, made.layer.head_size());
        made.ties_embeddings = config.flag("tie_word_embeddings", false);
        config.ignore({"is_decoder", "gradient_checkpointing", "tokenizer_class"});
        made.names = {.base = "gpt_neox",
                      .tokens = "embed_in",
                      .positions = {},
                      .layers = "layers",
                      .norm = "final_layer_norm",
                      .head = "lm_head",
                      .older_head = "embed_out"};
        made.layer.names = {.first_norm = "input_layernorm",
                            .second_norm = "post_attention_layernorm",
                            .attention = "attention",
                            .mlp = "mlp",
                            .query_key_value = {"query_key_value"},
                            .output = "dense",
                            .widen = "dense_h_to_4h",
                            .narrow = "dense_4h_to_h"};
        return made;
    }

private:
    /// Outside of its dict, this model has names of its own, beside which the usual ones say nothing.
    [[nodiscard]] static RotaryOptions rotary(ConfigReader& config, std::int64_t head_size) {
        config.ignore({"rope_theta", "partial_rotary_factor"});
        const RotaryOptions defaults{.theta = config.real("rotary_emb_base", 10000),
                                     .part = config.real("rotary_pct", 0.25),
                                     .positions = config.integer("max_position_embeddings", 2048)};
        const tree::Context* given = config.find("rope_parameters");
        if (const tree::Context* older = config.find("rope_scaling"); older != nullptr && !older->keys().empty())
            given = older;
        return RotaryOptions::read(given != nullptr ? *given : tree::Context(), head_size, defaults);
    }
};

}  // namespace ferry::models
