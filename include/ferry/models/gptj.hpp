#pragma once

#include <ferry/core/error.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/gpt.hpp>

#include <string>
#include <string_view>

namespace ferry::models {

struct GptJ {
    using Model = GptDecoder;
    static constexpr std::string_view architecture = "GPTJForCausalLM";

    [[nodiscard]] static GptOptions options(ConfigReader& config) {
        GptOptions made = GptOptions::read(config);
        made.rotary = RotaryOptions{.size = config.integer("rotary_dim", 64), .is_interleaved = true};
        if (made.rotary->size <= 0 || made.rotary->size % 2 != 0 || made.rotary->size > made.layer.head_size())
            throw Error(ErrorKind::bad_file, "config.json: 'rotary_dim' is " + std::to_string(made.rotary->size) +
                                                 ", and pairs of a head's " + std::to_string(made.layer.head_size()) +
                                                 " elements are needed");
        made.ties_embeddings = config.flag("tie_word_embeddings", false);
        made.has_head_bias = true;
        config.expect("rotary", true);
        config.ignore({"n_positions", "scale_attn_weights"});  // the model always scales
        made.layer.has_attention_bias = false;
        made.layer.second_half = SecondHalf::shares_norm;
        made.layer.names = {.first_norm = "ln_1",
                            .second_norm = {},
                            .attention = "attn",
                            .mlp = "mlp",
                            .query_key_value = {"q_proj", "k_proj", "v_proj"},
                            .output = "out_proj",
                            .widen = "fc_in",
                            .narrow = "fc_out"};
        return made;
    }
};

}  // namespace ferry::models
