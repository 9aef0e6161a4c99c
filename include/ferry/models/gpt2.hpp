#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/gpt.hpp>

#include <string_view>

namespace ferry::models {

struct Gpt2 {
    using Model = GptDecoder;
    static constexpr std::string_view architecture = "GPT2LMHeadModel";

    [[nodiscard]] static GptOptions options(ConfigReader& config) {
        GptOptions made = GptOptions::read(config);
        made.positions = config.integer("n_positions");
        made.ties_embeddings = config.flag("tie_word_embeddings", true);
        made.scales_by_layer = config.flag("scale_attn_by_inverse_layer_idx", false);
        if (!config.flag("scale_attn_weights", true)) made.layer.scale = 1;
        config.expect("add_cross_attention", false);
        config.ignore({"reorder_and_upcast_attn"});  // an order of computing, for training
        made.layer.order = MatrixOrder::from_to;
        made.layer.query_key_value = QueryKeyValue::whole;
        made.layer.names = {.first_norm = "ln_1",
                            .second_norm = "ln_2",
                            .attention = "attn",
                            .mlp = "mlp",
                            .query_key_value = {"c_attn"},
                            .output = "c_proj",
                            .widen = "c_fc",
                            .narrow = "c_proj"};
        return made;
    }
};

}  // namespace ferry::models
