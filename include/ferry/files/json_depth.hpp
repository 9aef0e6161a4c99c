#pragma once

#include <ferry/core/error.hpp>

#include <cstddef>
#include <string_view>

namespace ferry::files {

/// JSON of a file is refused where it is nested deeper than anything that torch writes: whoever walks it may recurse.
inline void check_json_depth(std::string_view text, std::size_t most = 1024) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > most) throw Error(ErrorKind::bad_file, "the file's JSON is nested too deeply");
        } else if ((c == '}' || c == ']') && depth != 0) {
            --depth;
        }
    }
}

}  // namespace ferry::files
