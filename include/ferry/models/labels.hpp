#pragma once

#include <ferry/models/config_reader.hpp>

#include <cstdint>

namespace ferry::models {

/// How many classes a classifier tells apart. config.json leaves out two of them, as the default.
[[nodiscard]] inline std::int64_t label_count(ConfigReader& config) {
    const tree::Context* labels = config.find("id2label");
    const bool is_told = labels != nullptr && labels->is_dict();
    return config.integer("num_labels", is_told ? static_cast<std::int64_t>(labels->items().size()) : 2);
}

}  // namespace ferry::models
