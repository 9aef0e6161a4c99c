#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Text by code points.
namespace ferry::utf8 {

inline constexpr char32_t bad_code_point = 0xFFFFFFFF;

/// Reads one code point and moves `at` behind it, or gives `bad_code_point`. Lone surrogates pass: JSON written by Python
/// may hold them, and they have to come out again as they went in.
[[nodiscard]] constexpr char32_t next_code_point(std::string_view text, std::size_t& at) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    const std::size_t extra = lead < 0x80             ? 0
                              : (lead & 0xE0) == 0xC0 ? 1
                              : (lead & 0xF0) == 0xE0 ? 2
                              : (lead & 0xF8) == 0xF0 ? 3
                                                      : 4;
    if (extra == 4 || text.size() - at <= extra) return bad_code_point;
    char32_t code = extra == 0 ? lead : lead & (0x3Fu >> extra);
    for (std::size_t i = 1; i <= extra; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return bad_code_point;
        code = (code << 6) | (byte(at + i) & 0x3Fu);
    }
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (code < smallest[extra] || code > 0x10FFFF) return bad_code_point;
    at += extra + 1;
    return code;
}

inline void append(std::string& text, char32_t code) {
    const auto put = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0 | (code >> 6));
    } else {
        if (code < 0x10000) {
            put(0xE0 | (code >> 12));
        } else {
            put(0xF0 | (code >> 18));
            put(0x80 | ((code >> 12) & 0x3F));
        }
        put(0x80 | ((code >> 6) & 0x3F));
    }
    put(0x80 | (code & 0x3F));
}

/// `prefix` and `digits` lower-case hexadecimal digits, as both JSON and Python's repr escape a character.
inline void append_hex(std::string& text, std::string_view prefix, char32_t code, int digits) {
    text += prefix;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[(code >> shift) & 0xF];
}

/// What Python's str.isprintable says of assigned characters: no controls, format characters, separators, surrogates or
/// private use. Code points that no Unicode version has assigned yet count as printable.
[[nodiscard]] constexpr bool is_printable(char32_t code) noexcept {
    constexpr char32_t hidden[][2] = {
        {0x00, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},     {0x61C, 0x61C},
        {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x1680, 0x1680},
        {0x180E, 0x180E},   {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},   {0x3000, 0x3000},
        {0xD800, 0xF8FF},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
        {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF}};
    for (const auto& [first, last] : hidden)
        if (code >= first && code <= last) return false;
    return true;
}

}  // namespace ferry::utf8
