#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <string_view>

namespace ferry::models {

struct Llama {
    using Model = Decoder;
    static constexpr std::string_view architecture = "LlamaForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = DecoderOptions::read(config);
        made.attention.has_bias = made.attention.has_output_bias = config.flag("attention_bias", false);
        made.mlp.has_bias = config.flag("mlp_bias", false);
        return made;
    }
};

}  // namespace ferry::models
