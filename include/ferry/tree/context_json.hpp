#pragma once

#include <ferry/core/error.hpp>
#include <ferry/tree/context.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {

/// JSON nested deeper than this is refused, so that no input can exhaust the stack.
inline constexpr std::size_t max_json_depth = 600;

namespace detail {

inline void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const char32_t code = next_code_point(text, at);
        if (code == bad_code_point)
            throw Error(ErrorKind::invalid_input, "a key or constant of a tree is not UTF-8: " + python_string(text));
        constexpr std::string_view plain = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
        const auto known = code < 0x80 ? plain.find(static_cast<char>(code)) : plain.npos;
        if (known != plain.npos) {
            (out += '\\') += letters[known];
        } else if (code >= ' ' && code <= '~') {
            out += static_cast<char>(code);
        } else if (code < 0x10000) {
            append_hex(out, "\\u", code, 4);
        } else {
            append_hex(out, "\\u", 0xD800 + ((code - 0x10000) >> 10), 4);
            append_hex(out, "\\u", 0xDC00 + ((code - 0x10000) & 0x3FF), 4);
        }
    }
    out += '"';
}

inline void append_json(std::string& out, const Context& value) {
    switch (value.kind()) {
        case Context::Kind::none: out += "null"; return;
        case Context::Kind::boolean: out += value.text() == "True" ? "true" : "false"; return;
        case Context::Kind::integer: out += value.text(); return;
        case Context::Kind::real:
            out += value.text() == "nan"    ? "NaN"
                   : value.text() == "inf"  ? "Infinity"
                   : value.text() == "-inf" ? "-Infinity"
                                            : value.text();
            return;
        case Context::Kind::text: append_json_string(out, value.text()); return;
        case Context::Kind::list:
        case Context::Kind::dict: break;
    }
    out += value.is_list() ? '[' : '{';
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        if (i != 0) out += ", ";
        if (value.is_dict()) {
            append_json_string(out, value.keys()[i]);
            out += ": ";
        }
        append_json(out, value.items()[i]);
    }
    out += value.is_list() ? ']' : '}';
}

/// Accepts what Python's json.loads accepts, NaN and Infinity too; numbers past a double's range are refused.
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    [[nodiscard]] Context document() {
        Context made = value(0);
        if (skip_space(); at_ != text_.size()) fail("something follows the end of the value");
        return made;
    }

private:
    [[noreturn]] void fail(const char* what) const {
        throw Error(ErrorKind::bad_file,
                    std::string("this is not JSON: ") + what + " (at byte " + std::to_string(at_) + ')');
    }
    [[nodiscard]] char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() noexcept {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
    }
    [[nodiscard]] bool take(std::string_view word) noexcept {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    [[nodiscard]] Context value(std::size_t depth) {
        if (depth > max_json_depth) fail("it is nested too deeply");
        skip_space();
        switch (peek()) {
            case '{': return dict(depth);
            case '[': return list(depth);
            case '"': return string();
            default: break;
        }
        if (take("null")) return {};
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
        if (take("Infinity")) return std::numeric_limits<double>::infinity();
        if (take("-Infinity")) return -std::numeric_limits<double>::infinity();
        return number();
    }

    [[nodiscard]] Context list(std::size_t depth) {
        std::vector<Context> items;
        ++at_;
        if (skip_space(); take("]")) return Context::list({});
        for (;; ++at_) {
            items.push_back(value(depth + 1));
            if (skip_space(); take("]")) return Context::list(std::move(items));
            if (peek() != ',') fail("a list goes on with ',' or ends with ']'");
        }
    }

    [[nodiscard]] Context dict(std::size_t depth) {
        std::vector<std::string> keys;
        std::vector<Context> values;
        std::map<std::string, std::size_t, std::less<>> seen;  // a repeated key takes the last value, as in Python
        ++at_;
        if (skip_space(); take("}")) return Context::dict({}, {});
        for (;; ++at_) {
            if (skip_space(); peek() != '"') fail("a key is a string");
            std::string key = string();
            if (skip_space(); !take(":")) fail("a key is followed by ':'");
            Context item = value(depth + 1);
            if (const auto [old, fresh] = seen.emplace(key, keys.size()); fresh) {
                keys.push_back(std::move(key));
                values.push_back(std::move(item));
            } else {
                values[old->second] = std::move(item);
            }
            if (skip_space(); take("}")) return Context::dict(std::move(keys), std::move(values));
            if (peek() != ',') fail("an object goes on with ',' or ends with '}'");
        }
    }

    [[nodiscard]] char32_t hex4() {
        char32_t code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = peek();
            if (c >= '0' && c <= '9')
                code = code * 16 + static_cast<char32_t>(c - '0');
            else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
                code = code * 16 + static_cast<char32_t>((c | 0x20) - 'a' + 10);
            else
                fail("\\u needs four hexadecimal digits");
        }
        return code;
    }

    [[nodiscard]] std::string string() {
        std::string out;
        for (++at_;;) {
            if (at_ >= text_.size()) fail("a string has no end");
            const char c = text_[at_];
            if (c == '"') return ++at_, out;
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
            if (c != '\\') {
                const std::size_t start = at_;
                if (next_code_point(text_, at_) == bad_code_point) fail("a string that is not UTF-8");
                out += text_.substr(start, at_ - start);
                continue;
            }
            ++at_;
            constexpr std::string_view letters = "\"\\/bfnrt", plain = "\"\\/\b\f\n\r\t";
            if (const auto known = letters.find(peek()); peek() != '\0' && known != letters.npos) {
                out += plain[known];
                ++at_;
            } else if (take("u")) {
                char32_t code = hex4();
                if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
                    const std::size_t second = at_;
                    at_ += 2;
                    if (const char32_t low = hex4(); low >= 0xDC00 && low < 0xE000)
                        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                    else
                        at_ = second;
                }
                append_utf8(out, code);
            } else {
                fail("an unknown escape in a string");
            }
        }
    }

    void digits() {
        if (peek() < '0' || peek() > '9') fail("a value is missing or misspelt");
        while (peek() >= '0' && peek() <= '9') ++at_;
    }

    [[nodiscard]] Context number() {
        const std::size_t start = at_;
        if (peek() == '-') ++at_;
        const std::size_t first = at_;
        digits();
        if (text_[first] == '0' && at_ - first > 1) fail("a number with a leading zero");
        if (peek() != '.' && peek() != 'e' && peek() != 'E') {
            if (at_ - first > 4300) fail("a number of more than 4300 digits");
            return Context::integer(std::string(text_.substr(start, at_ - start)));
        }
        if (take(".")) digits();
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            digits();
        }
        double parsed = 0;
        if (std::from_chars(text_.data() + start, text_.data() + at_, parsed).ec != std::errc{})
            fail("a number out of range");
        return parsed;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace detail

/// The text that Python's json.dumps writes.
[[nodiscard]] inline std::string to_json(const Context& value) {
    std::string out;
    detail::append_json(out, value);
    return out;
}

/// Throws ErrorKind::bad_file for what is not JSON.
[[nodiscard]] inline Context from_json(std::string_view text) { return detail::JsonReader(text).document(); }

}  // namespace ferry::tree
