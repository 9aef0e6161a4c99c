#pragma once

#include <ferry/core/error.hpp>
#include <ferry/models/config_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::models {

/// Which layers look at a window only, by config.json's `layer_types`; empty where it has none.
[[nodiscard]] inline std::vector<bool> sliding_layers(ConfigReader& config, std::int64_t layers) {
    std::vector<bool> made;
    for (const std::string& type : config.texts("layer_types")) {
        if (type != "full_attention" && type != "sliding_attention")
            throw Error(ErrorKind::unsupported, "config.json: layers of the type '" + type + "' are not supported");
        made.push_back(type == "sliding_attention");
    }
    if (!made.empty() && made.size() != static_cast<std::size_t>(layers))
        throw Error(ErrorKind::bad_file, "config.json: 'layer_types' does not speak of every layer");
    return made;
}

/// True for each layer but the last of every `period`.
[[nodiscard]] inline std::vector<bool> all_but_last_of(std::int64_t period, std::int64_t layers) {
    if (period < 1)
        throw Error(ErrorKind::bad_file,
                    "config.json: one of every " + std::to_string(period) + " layers is none; 1 or more are needed");
    std::vector<bool> made;
    made.reserve(static_cast<std::size_t>(layers));
    for (std::int64_t i = 0; i < layers; ++i) made.push_back((i + 1) % period != 0);
    return made;
}

}  // namespace ferry::models
