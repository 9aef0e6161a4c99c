#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ferry {
namespace detail {

// Never constexpr: naming one of these in a constant expression is how a misspelt op name becomes a compile error
// whose first line says what is wrong.
void op_name_must_be_written_as_namespace_colon_colon_name();
void op_name_holds_a_character_that_no_op_name_has();
void op_name_has_an_empty_overload_after_the_dot();

constexpr bool is_identifier(std::string_view text) {
    if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
}

/// Position of the first `wanted` from `from` on, or the size. string_view::find compares addresses with null, which g++ takes for
/// no constant expression where sanitizers check pointers.
constexpr std::size_t position_of(char wanted, std::string_view text, std::size_t from = 0) noexcept {
    while (from < text.size() && text[from] != wanted) ++from;
    return from;
}

}  // namespace detail

/// `namespace::name` or `namespace::name.overload`, as the dispatcher spells it; the form is checked by the compiler.
class op_name {
public:
    template <std::size_t SizeWithNul>
    consteval op_name(const char (&literal)[SizeWithNul]) : text_(literal, SizeWithNul - 1) {  // implicit: see op()
        const std::size_t colons = detail::position_of(':', text_);
        if (colons == 0 || colons + 2 >= text_.size() || text_[colons + 1] != ':')
            detail::op_name_must_be_written_as_namespace_colon_colon_name();
        if (detail::position_of('.', text_) + 1 == text_.size()) detail::op_name_has_an_empty_overload_after_the_dot();
        const bool plain = detail::is_identifier(qualifier()) && detail::is_identifier(name()) &&
                           (overload().empty() || detail::is_identifier(overload()));
        if (!plain) detail::op_name_holds_a_character_that_no_op_name_has();
    }

    [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
    [[nodiscard]] constexpr std::string_view qualifier() const noexcept {
        return text_.substr(0, detail::position_of(':', text_));
    }
    [[nodiscard]] constexpr std::string_view name() const noexcept {
        const std::size_t start = detail::position_of(':', text_) + 2;
        return text_.substr(start, detail::position_of('.', text_, start) - start);
    }
    [[nodiscard]] constexpr std::string_view overload() const noexcept {
        const std::size_t dot = detail::position_of('.', text_);
        return dot == text_.size() ? std::string_view{} : text_.substr(dot + 1);
    }

    friend constexpr bool operator==(op_name, op_name) noexcept = default;

private:
    std::string_view text_;
};

/// The ops that an entry stands for: `static constexpr auto target = ferry::op("aten::add.Tensor", "aten::add.Scalar");`
template <class... Literals>
    requires(sizeof...(Literals) > 0)
[[nodiscard]] consteval std::array<op_name, sizeof...(Literals)> op(const Literals&... names) {
    return {op_name(names)...};
}

}  // namespace ferry
