#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace ferry::detail {

/// The words of a symbolic expression, one after the other. What is wrong is an Error of kind bad_file that says where.
class SymScanner {
public:
    static constexpr std::size_t max_length = 1U << 16;
    static constexpr int max_nesting = 100;

    explicit SymScanner(std::string_view text) : text_(text) {
        if (text_.size() > max_length) fail("is too long");
    }

    [[noreturn]] void fail(std::string_view why) const {
        std::string message = "the symbolic expression '";
        message.append(text_.substr(0, 80)).append(text_.size() > 80 ? "...' " : "' ").append(why);
        message.append(" (at character ").append(std::to_string(at_)).append(")");
        throw Error(ErrorKind::bad_file, message);
    }

    struct Nesting {
        explicit Nesting(SymScanner& scanner) : depth(scanner.depth_) {
            if (++depth > max_nesting) scanner.fail("is nested too deeply");
        }
        ~Nesting() { --depth; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        int& depth;
    };

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    }
    [[nodiscard]] bool next_is(std::string_view token) {
        skip_blanks();
        return text_.substr(at_, token.size()) == token;
    }
    bool take(std::string_view token) {
        if (!next_is(token)) return false;
        at_ += token.size();
        return true;
    }
    bool take_word(std::string_view word) {
        skip_blanks();
        const std::size_t end = at_ + word.size();
        if (text_.substr(at_, word.size()) != word || (end < text_.size() && is_name(text_[end]))) return false;
        at_ = end;
        return true;
    }
    void expect(std::string_view token) {
        if (!take(token)) fail("lacks '" + std::string(token) + "'");
    }
    [[nodiscard]] char peek() {
        skip_blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

    SymExpr number() {
        const std::size_t start = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        const bool real = at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E');
        if (real) return SymExpr::real(real_number(start));
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + at_, value);
        if (end != text_.data() + at_) fail("has a number that cannot be read");
        if (error == std::errc()) return value;
        beyond_64_bits_ = true;
        return SymExpr::infinity();
    }
    /// A bound that Python has computed may be larger than every size: one can compare with it, as with infinity, and no more.
    [[nodiscard]] bool beyond_64_bits() const noexcept { return beyond_64_bits_; }
    double real_number(std::size_t start) {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("has a number that cannot be read");
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::string_view name() {
        skip_blanks();
        const std::size_t start = at_;
        while (at_ < text_.size() && is_name(text_[at_])) ++at_;
        if (start == at_ || is_digit(text_[start])) fail("lacks a name or a number");
        return text_.substr(start, at_ - start);
    }
    std::string_view quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') fail("lacks a string");
        const std::size_t start = ++at_;
        const std::size_t end = text_.find(quote, start);
        if (end == std::string_view::npos) fail("has a string without end");
        at_ = end + 1;
        return text_.substr(start, end - start);
    }
    /// `, integer=True, precision=53` up to and with the parenthesis.
    void skip_keywords() {
        while (take(",")) {
            name();
            expect("=");
            if (is_digit(peek()))
                static_cast<void>(number());
            else
                name();
        }
        expect(")");
    }

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool beyond_64_bits_ = false;
};

}  // namespace ferry::detail
