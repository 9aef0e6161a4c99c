#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <string_view>

namespace ferry::models {

struct Mistral {
    using Model = Decoder;
    static constexpr std::string_view architecture = "MistralForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = DecoderOptions::read(config);
        made.window = config.maybe_integer("sliding_window");
        return made;
    }
};

}  // namespace ferry::models
