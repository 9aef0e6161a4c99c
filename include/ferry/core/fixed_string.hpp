#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace ferry {

/// A string that can be a template argument: `stage<"torch patches", ...>`.
template <std::size_t Size>
struct fixed_string {
    char text[Size + 1]{};  // public and plain: a structural type may have nothing private

    // Implicit on purpose, so that a literal is written where a fixed_string is wanted.
    consteval fixed_string(const char (&literal)[Size + 1]) noexcept { std::copy_n(literal, Size, text); }
    consteval explicit fixed_string(std::string_view from) noexcept { std::copy_n(from.data(), Size, text); }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {text, Size}; }
    [[nodiscard]] constexpr operator std::string_view() const noexcept { return view(); }
    [[nodiscard]] static constexpr std::size_t size() noexcept { return Size; }

    template <std::size_t Other>
    [[nodiscard]] constexpr bool operator==(const fixed_string<Other>& other) const noexcept {
        return view() == other.view();
    }
};

template <std::size_t SizeWithNul>
fixed_string(const char (&)[SizeWithNul]) -> fixed_string<SizeWithNul - 1>;

}  // namespace ferry
