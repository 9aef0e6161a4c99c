#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace ferry {

template <std::size_t Count>
struct Names {
    std::array<std::string_view, Count> each;
};

/// Some names, for an entry or a model that says them: `static constexpr auto input = ferry::names("pixel_values", "frames");`
template <std::convertible_to<std::string_view>... Texts>
[[nodiscard]] constexpr Names<sizeof...(Texts)> names(const Texts&... texts) {
    return {{std::string_view(texts)...}};
}

namespace detail {

template <class Type>
inline constexpr bool is_names = false;
template <std::size_t Count>
inline constexpr bool is_names<Names<Count>> = true;

}  // namespace detail
}  // namespace ferry
