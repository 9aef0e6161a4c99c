#pragma once

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

/// What a tree node remembers besides its children: a dict's keys, a registered type's constants. A plain JSON value,
/// since that is what torch.export stores. Numbers are kept as Python spells them, so that none loses precision.
class Context {
public:
    enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, dict };

    Context() = default;
    Context(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
    Context(std::string_view text) : Context(std::string(text)) {}
    Context(const char* text) : Context(std::string(text)) {}
    Context(double value);
    template <std::same_as<bool> Bool>
    Context(Bool value) : kind_(Kind::boolean), text_(value ? "True" : "False") {}
    template <std::integral Int>
        requires(!std::same_as<Int, bool>)
    Context(Int value) : kind_(Kind::integer), text_(std::to_string(value)) {}

    [[nodiscard]] static Context list(std::vector<Context> items);
    [[nodiscard]] static Context dict(std::vector<std::string> keys, std::vector<Context> values);
    /// An integer of any length, in decimal digits.
    [[nodiscard]] static Context integer(std::string digits);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is_none() const noexcept { return kind_ == Kind::none; }
    [[nodiscard]] bool is_text() const noexcept { return kind_ == Kind::text; }
    [[nodiscard]] bool is_list() const noexcept { return kind_ == Kind::list; }
    [[nodiscard]] bool is_dict() const noexcept { return kind_ == Kind::dict; }

    /// The text itself, or a number's or bool's Python spelling.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// A list's items or a dict's values.
    [[nodiscard]] const std::vector<Context>& items() const noexcept { return items_; }
    [[nodiscard]] const std::vector<std::string>& keys() const noexcept { return keys_; }
    [[nodiscard]] const Context* find(std::string_view key) const noexcept;

    [[nodiscard]] std::optional<bool> as_boolean() const noexcept;
    [[nodiscard]] std::optional<std::int64_t> as_integer() const noexcept;
    [[nodiscard]] std::optional<double> as_real() const noexcept;

    friend bool operator==(const Context&, const Context&) = default;

private:
    Kind kind_ = Kind::none;
    std::string text_;
    std::vector<Context> items_;
    std::vector<std::string> keys_;
};

namespace detail {

/// Python's repr of a float: the shortest digits that read back the same, with an exponent past 16 digits.
[[nodiscard]] std::string python_float(double value);

[[nodiscard]] std::string python_string(std::string_view text);

}  // namespace detail

/// What Python's repr() prints for the value.
[[nodiscard]] std::string python_repr(const Context& context);

inline const Context* Context::find(std::string_view key) const noexcept {
    for (std::size_t i = 0; i < keys_.size(); ++i)
        if (keys_[i] == key) return &items_[i];
    return nullptr;
}

}  // namespace ferry::tree

#ifndef FERRY_COMPILED
#include <ferry/tree/context-inl.hpp>
#endif
