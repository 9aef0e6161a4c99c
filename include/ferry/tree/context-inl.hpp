#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/core/utf8.hpp>
#include <ferry/tree/context.hpp>

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ferry::tree {
namespace detail {

FERRY_INLINE std::string python_float(double value) {
    if (value != value) return "nan";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    const std::string_view all(buffer, static_cast<std::size_t>(end - buffer));
    const auto e = all.find('e');
    if (e == std::string_view::npos) return std::string(all);  // inf, -inf
    std::string sign(all.front() == '-' ? "-" : ""), digits;
    for (const char c : all.substr(0, e))
        if (c >= '0' && c <= '9') digits += c;
    int exponent = 0;
    std::from_chars(buffer + e + (all[e + 1] == '+' ? 2 : 1), end, exponent);
    if (exponent < -4 || exponent >= 16) {
        if (digits.size() > 1) digits.insert(1, 1, '.');
        std::string power = std::to_string(exponent < 0 ? -exponent : exponent);
        if (power.size() < 2) power.insert(0, 1, '0');
        return sign + digits + (exponent < 0 ? "e-" : "e+") + power;
    }
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
    return sign + digits.insert(whole, 1, '.');
}

FERRY_INLINE std::string python_string(std::string_view text) {
    const bool quote_differently = text.find('\'') != text.npos && text.find('"') == text.npos;
    const char quote = quote_differently ? '"' : '\'';
    std::string out(1, quote);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const char32_t code = utf8::next_code_point(text, at);
        if (code == utf8::bad_code_point) {
            utf8::append_hex(out, "\\x", static_cast<unsigned char>(text[at++]), 2);
        } else if (code == static_cast<unsigned char>(quote) || code == '\\') {
            (out += '\\') += static_cast<char>(code);
        } else if (code == '\n' || code == '\r' || code == '\t') {
            (out += '\\') += code == '\n' ? 'n' : code == '\r' ? 'r' : 't';
        } else if (utf8::is_printable(code)) {
            out += text.substr(start, at - start);
        } else {
            utf8::append_hex(out,
                             code < 0x100     ? "\\x"
                             : code < 0x10000 ? "\\u"
                                              : "\\U",
                             code,
                             code < 0x100     ? 2
                             : code < 0x10000 ? 4
                                              : 8);
        }
    }
    return out += quote;
}

}  // namespace detail

FERRY_INLINE std::string python_repr(const Context& context) {
    if (context.is_none()) return "None";
    if (context.is_text()) return detail::python_string(context.text());
    if (!context.is_list() && !context.is_dict()) return context.text();
    std::string out(1, context.is_list() ? '[' : '{');
    for (std::size_t i = 0; i < context.items().size(); ++i) {
        if (i != 0) out += ", ";
        if (context.is_dict()) out += detail::python_string(context.keys()[i]) + ": ";
        out += python_repr(context.items()[i]);
    }
    return out += context.is_list() ? ']' : '}';
}

FERRY_INLINE Context::Context(double value) : kind_(Kind::real), text_(detail::python_float(value)) {}

FERRY_INLINE Context Context::list(std::vector<Context> items) {
    Context made;
    made.kind_ = Kind::list;
    made.items_ = std::move(items);
    return made;
}

FERRY_INLINE Context Context::dict(std::vector<std::string> keys, std::vector<Context> values) {
    Context made = list(std::move(values));
    made.kind_ = Kind::dict;
    made.keys_ = std::move(keys);
    return made;
}

FERRY_INLINE Context Context::integer(std::string digits) {
    Context made;
    made.kind_ = Kind::integer;
    made.text_ = digits == "-0" ? "0" : std::move(digits);
    return made;
}

FERRY_INLINE std::optional<bool> Context::as_boolean() const noexcept {
    return kind_ == Kind::boolean ? std::optional(text_ == "True") : std::nullopt;
}

FERRY_INLINE std::optional<std::int64_t> Context::as_integer() const noexcept {
    std::int64_t value = 0;
    const char* const end = text_.data() + text_.size();
    if (kind_ != Kind::integer || std::from_chars(text_.data(), end, value) != std::from_chars_result{end, std::errc{}})
        return {};
    return value;
}

FERRY_INLINE std::optional<double> Context::as_real() const noexcept {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    if (kind_ != Kind::real || std::from_chars(text_.data(), end, value).ptr != end) return {};
    return value;
}

}  // namespace ferry::tree
