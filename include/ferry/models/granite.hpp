#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>
#include <ferry/models/llama.hpp>

#include <string_view>

namespace ferry::models {

/// As Llama, with numbers that keep the size of what goes through the layers.
struct Granite {
    using Model = Decoder;
    static constexpr std::string_view architecture = "GraniteForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = Llama::options(config);
        made.embedding_scale = config.real("embedding_multiplier", 1);
        made.attention.scale = config.real("attention_multiplier", 1);
        made.residual_scale = config.real("residual_multiplier", 1);
        made.logit_divisor = config.real("logits_scaling", 1);
        return made;
    }
};

}  // namespace ferry::models
