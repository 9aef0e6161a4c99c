#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace ferry::models {
namespace detail {

/// Where `layer_types` does not say it, the layers from `max_window_layers` on have the window.
[[nodiscard]] inline DecoderOptions qwen_options(ConfigReader& config, DecoderOptions otherwise = {}) {
    DecoderOptions made = DecoderOptions::read(config, std::move(otherwise));
    const std::optional<std::int64_t> window = config.maybe_integer("sliding_window");
    const std::int64_t first = config.integer("max_window_layers", made.layers);
    config.expect("use_mrope", false);
    if (config.flag("use_sliding_window", false)) made.window = window;
    if (made.window && made.is_sliding.empty())
        for (std::int64_t i = 0; i < made.layers; ++i) made.is_sliding.push_back(i >= first);
    return made;
}

}  // namespace detail

struct Qwen2 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Qwen2ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = detail::qwen_options(config);
        made.attention.has_bias = true;
        return made;
    }
};

struct Qwen3 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Qwen3ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = detail::qwen_options(config);
        made.attention.has_bias = made.attention.has_output_bias = config.flag("attention_bias", false);
        made.attention.head_norms = HeadNorms::each_head;
        return made;
    }
};

}  // namespace ferry::models
