#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace ferry::models {

/// A checkpoint's name as one of a module, which has no dots: "attention.self.query" as "attention_self_query".
[[nodiscard]] inline std::string module_name(std::string_view name) {
    std::string made(name);
    std::replace(made.begin(), made.end(), '.', '_');
    return made;
}

}  // namespace ferry::models
