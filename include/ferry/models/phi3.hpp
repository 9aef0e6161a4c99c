#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <string_view>

namespace ferry::models {

/// Where a text grows over `original_max_position_embeddings` while it is generated, transformers computes the whole cache anew with the
/// factors of long texts; here what is in the cache stays.
struct Phi3 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Phi3ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made =
            DecoderOptions::read(config, {.attention = {.has_fused_projections = true},
                                          .rotary = {.part = 1, .positions = 4096, .original_positions = 4096},
                                          .make_feed_forward = &fused_gated_mlp,
                                          .norm = {.epsilon = 1e-5}});
        made.window = config.maybe_integer("sliding_window");
        for (const char* field : {"attention_bias", "mlp_bias", "lm_head_bias"}) config.expect(field, false);
        config.ignore({"auto_map", "full_attn_mod", "interpolate_factor"});
        return made;
    }
};

}  // namespace ferry::models
