#pragma once

#include <ferry/core/algorithm.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <string_view>

/// Constants and names as Python spells them.
namespace ferry::detail {

/// Names that fx gives to no value: keywords, builtins, and what its generated code takes for granted.
inline constexpr std::array<std::string_view, 117> python_words{
    "False",        "None",     "NoneType",   "True",       "abs",        "aiter",      "all",     "and",
    "anext",        "any",      "as",         "ascii",      "assert",     "async",      "await",   "bin",
    "bool",         "break",    "breakpoint", "bytearray",  "bytes",      "callable",   "chr",     "class",
    "classmethod",  "compile",  "complex",    "continue",   "copyright",  "credits",    "def",     "del",
    "delattr",      "device",   "dict",       "dir",        "divmod",     "elif",       "else",    "enumerate",
    "eval",         "except",   "exec",       "exit",       "filter",     "finally",    "float",   "for",
    "format",       "from",     "frozenset",  "fx_pytree",  "getattr",    "global",     "globals", "hasattr",
    "hash",         "help",     "hex",        "id",         "if",         "import",     "in",      "inf",
    "input",        "int",      "is",         "isinstance", "issubclass", "iter",       "lambda",  "len",
    "license",      "list",     "locals",     "map",        "max",        "memoryview", "min",     "nan",
    "next",         "nonlocal", "not",        "object",     "oct",        "open",       "or",      "ord",
    "pass",         "pow",      "print",      "property",   "pytree",     "quit",       "raise",   "range",
    "repr",         "return",   "reversed",   "round",      "set",        "setattr",    "slice",   "sorted",
    "staticmethod", "str",      "sum",        "super",      "torch",      "try",        "tuple",   "type",
    "vars",         "while",    "with",       "yield",      "zip",
};
static_assert(algo::is_sorted(python_words));

[[nodiscard]] constexpr bool is_python_word(std::string_view name) noexcept {
    return std::binary_search(std::begin(python_words), std::end(python_words), name);
}

/// The shortest digits that give the same number back, in Python's choice between fixed and scientific.
inline void append_python(std::string& out, double value) {
    if (std::isnan(value)) return void(out += "nan");
    if (std::isinf(value)) return void(out += value > 0 ? "inf" : "-inf");
    std::array<char, 32> buffer{};
    const auto scientific =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    const std::string_view text(buffer.data(), static_cast<std::size_t>(scientific.ptr - buffer.data()));
    const std::size_t e = text.rfind('e');
    int exponent = 0;
    std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
    if (exponent < -4 || exponent >= 16) return void(out += text);
    std::array<char, 64> fixed{};
    const auto end = std::to_chars(fixed.data(), fixed.data() + fixed.size(), value, std::chars_format::fixed);
    const std::string_view plain(fixed.data(), static_cast<std::size_t>(end.ptr - fixed.data()));
    out += plain;
    if (plain.find('.') == std::string_view::npos) out += ".0";
}

/// In Python the parts of a complex number are written without a fraction where they have none.
inline void append_python(std::string& out, const std::complex<double>& value) {
    const auto part = [&](double number) {
        append_python(out, number);
        if (out.ends_with(".0")) out.resize(out.size() - 2);
    };
    const bool imaginary_only = value.real() == 0 && !std::signbit(value.real());
    if (!imaginary_only) {
        out += '(';
        part(value.real());
        if (!std::signbit(value.imag()) || std::isnan(value.imag())) out += '+';
    }
    part(value.imag());
    out += imaginary_only ? "j" : "j)";
}

inline void append_python(std::string& out, std::string_view text) {
    const char quote =
        text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
    out += quote;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == quote || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else if (byte < 0x20 || byte == 0x7f) {
            constexpr std::string_view digits = "0123456789abcdef";
            out += "\\x";
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        } else {
            out += c;
        }
    }
    out += quote;
}

}  // namespace ferry::detail
