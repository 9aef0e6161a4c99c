#pragma once

#include <filesystem>
#include <string>

namespace ferry::files {

/// Whether a text of a file that may be hostile names something right in its folder, and not by way of another one.
[[nodiscard]] inline bool is_plain_name(const std::string& text) {
    const std::filesystem::path name(text);
    return !name.empty() && name == name.filename() && name != "." && name != ".." && text.find('\0') == text.npos;
}

}  // namespace ferry::files
