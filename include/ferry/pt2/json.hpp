#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// What is written: keys stay in order.
using Json = nlohmann::ordered_json;

/// Adds a key that the object does not have yet, without the search that ordered_json makes for it.
inline void put(Json& object, std::string_view key, Json value) {
    static_cast<std::vector<std::pair<const std::string, Json>>&>(object.get_ref<Json::object_t&>())
        .emplace_back(std::string(key), std::move(value));
}

/// {key: value}, the form of every union in the format.
[[nodiscard]] inline Json tagged(std::string_view key, Json value) {
    Json made = Json::object();
    put(made, key, std::move(value));
    return made;
}

}  // namespace ferry::pt2
