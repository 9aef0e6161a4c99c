#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ferry {

/// The words of JSON, for whoever makes values of them. What is none is ErrorKind::bad_file.
class JsonScanner {
public:
    explicit JsonScanner(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(const char* what) const {
        throw Error(ErrorKind::bad_file,
                    std::string("this is not JSON: ") + what + " (at byte " + std::to_string(at_) + ')');
    }
    /// Behind the value.
    void finish() {
        skip_space();
        if (at_ != text_.size()) fail("something follows the end of the value");
    }
    [[nodiscard]] char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() noexcept {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
    }
    /// The next character that is no space, not taken.
    [[nodiscard]] char peek_behind_space() noexcept {
        skip_space();
        return peek();
    }
    [[nodiscard]] bool take(std::string_view word) noexcept {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    /// Behind an item of a list or object: true where another one follows.
    [[nodiscard]] bool goes_on(char end) {
        const char found = peek_behind_space();
        if (found != ',' && found != end)
            fail(end == ']' ? "a list goes on with ',' or ends with ']'"
                            : "an object goes on with ',' or ends with '}'");
        ++at_;
        return found == ',';
    }
    /// At the first character: whether a list or object ends before it has begun.
    [[nodiscard]] bool is_empty(char end) {
        ++at_;
        if (peek_behind_space() != end) return false;
        ++at_;
        return true;
    }
    /// What a text is at whose first quote this stands: a part of the file, or `unescaped` where it has escapes.
    [[nodiscard]] std::string_view string(std::string& unescaped) {
        const std::size_t start = ++at_;
        unescaped.clear();
        for (std::size_t plain = start;;) {
            if (at_ >= text_.size()) fail("a string has no end");
            const auto c = static_cast<unsigned char>(text_[at_]);
            if (c == '"') {
                const std::string_view rest = text_.substr(plain, at_++ - plain);
                if (plain == start) return rest;
                return unescaped += rest;
            }
            if (c < 0x20) fail("a control character in a string");
            if (c == '\\') {
                unescaped += text_.substr(plain, at_ - plain);
                ++at_;
                append_escaped(unescaped);
                plain = at_;
            } else if (c < 0x80) {
                ++at_;
            } else if (utf8::next_code_point(text_, at_) == utf8::bad_code_point) {
                fail("a string that is not UTF-8");
            }
        }
    }
    [[nodiscard]] std::string_view key(std::string& unescaped) {
        if (peek_behind_space() != '"') fail("a key is a string");
        const std::string_view made = string(unescaped);
        if (peek_behind_space() != ':') fail("a key is followed by ':'");
        ++at_;
        return made;
    }

    struct Number {
        std::string_view text;
        bool is_integer = true;
    };
    [[nodiscard]] Number number() {
        const std::size_t start = at_;
        if (peek() == '-') ++at_;
        const std::size_t first = at_;
        digits();
        if (text_[first] == '0' && at_ - first > 1) fail("a number with a leading zero");
        if (peek() != '.' && peek() != 'e' && peek() != 'E') {
            if (at_ - first > 4300) fail("a number of more than 4300 digits");
            return {text_.substr(start, at_ - start)};
        }
        if (take(".")) digits();
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            digits();
        }
        return {text_.substr(start, at_ - start), false};
    }

private:
    void digits() {
        if (peek() < '0' || peek() > '9') fail("a value is missing or misspelt");
        while (peek() >= '0' && peek() <= '9') ++at_;
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
    void append_escaped(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", plain = "\"\\/\b\f\n\r\t";
        if (const auto known = letters.find(peek()); peek() != '\0' && known != letters.npos) {
            out += plain[known];
            ++at_;
            return;
        }
        if (!take("u")) fail("an unknown escape in a string");
        char32_t code = hex4();
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
            const std::size_t second = at_;
            at_ += 2;
            if (const char32_t low = hex4(); low >= 0xDC00 && low < 0xE000)
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            else
                at_ = second;
        }
        utf8::append(out, code);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace ferry
