#pragma once

#include <ferry/core/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ferry {

/// A text as JSON has it, in ASCII like Python's. False where it is not UTF-8.
[[nodiscard]] inline bool append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const char32_t code = utf8::next_code_point(text, at);
        if (code == utf8::bad_code_point) return false;
        constexpr std::string_view plain = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
        const auto known = code < 0x80 ? plain.find(static_cast<char>(code)) : plain.npos;
        if (known != plain.npos) {
            (out += '\\') += letters[known];
        } else if (code >= ' ' && code <= '~') {
            out += static_cast<char>(code);
        } else if (code < 0x10000) {
            utf8::append_hex(out, "\\u", code, 4);
        } else {
            utf8::append_hex(out, "\\u", 0xD800 + ((code - 0x10000) >> 10), 4);
            utf8::append_hex(out, "\\u", 0xDC00 + ((code - 0x10000) & 0x3FF), 4);
        }
    }
    out += '"';
    return true;
}

}  // namespace ferry
