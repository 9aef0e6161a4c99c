#pragma once

#include <ferry/files/json_writer.hpp>

#include <string_view>

namespace ferry::pt2 {

using files::Json;

/// {key: value}, the form of every union in the format.
[[nodiscard]] inline Json tagged(std::string_view key, const Json& value) {
    Json made = Json::object();
    made.put(key, value);
    return made;
}

}  // namespace ferry::pt2
