#pragma once

#include <ferry/core/error.hpp>
#include <ferry/models/blocks/layer_types.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ferry::models {

struct SmolLm3 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "SmolLM3ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = DecoderOptions::read(config, {.rotary = {.theta = 2e6}, .ties_embeddings = true});
        made.attention.has_bias = made.attention.has_output_bias = config.flag("attention_bias", false);
        made.mlp.has_bias = config.flag("mlp_bias", false);
        made.is_turned = turned_layers(config, made.layers);
        made.window = config.maybe_integer("sliding_window");
        const bool slides = config.flag("use_sliding_window", false) && made.window;
        if (made.is_sliding.empty())
            for (const bool is_turned : made.is_turned) made.is_sliding.push_back(slides && !is_turned);
        config.ignore({"max_window_layers"});
        return made;
    }

private:
    /// `no_rope_layers` has, other than its name says, a 1 for each layer that turns.
    [[nodiscard]] static std::vector<bool> turned_layers(ConfigReader& config, std::int64_t layers) {
        const std::int64_t period = config.integer("no_rope_layer_interval", 4);
        const std::vector<std::int64_t> given = config.integers("no_rope_layers");
        if (given.empty()) return all_but_last_of(period, layers);
        if (given.size() != static_cast<std::size_t>(layers))
            throw Error(ErrorKind::bad_file, "config.json: 'no_rope_layers' does not speak of every layer");
        return {given.begin(), given.end()};
    }
};

}  // namespace ferry::models
