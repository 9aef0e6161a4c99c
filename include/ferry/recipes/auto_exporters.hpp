#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/program/exporter.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace ferry {
namespace detail {

template <std::size_t Count>
[[nodiscard]] constexpr bool all_differ(const std::array<std::string_view, Count>& names) noexcept {
    for (std::size_t i = 0; i < Count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (names[i] == names[j]) return false;
    return true;
}

}  // namespace detail

/// Backends among which a name chooses at run time: Ferry's (`default_exporters`), a user's, and those of a user's own pipelines.
/// `concat_t<default_exporters, auto_exporters<my_exporter>>` has all.
template <class... Exporters>
struct auto_exporters : type_list<Exporters...> {
    using list = auto_exporters;

    static_assert((require_exporter<Exporters>::ok && ...));
    static constexpr std::array<std::string_view, sizeof...(Exporters)> names{name_of(Exporters::Config::format)...};
    static_assert(
        detail::all_differ(names),
        "ferry: two exporters of one list have the same name; replace one of them: replace_t<List, Old, New>");

    /// Its place in the list, or the list's size.
    [[nodiscard]] static constexpr std::size_t place_of(std::string_view name) noexcept {
        std::size_t at = 0;
        while (at < names.size() && names[at] != name) ++at;
        return at;
    }
    [[nodiscard]] static std::string all_names() {
        std::string all;
        for (const std::string_view each : names) all.append(all.empty() ? "" : ", ").append(each);
        return all;
    }
};

}  // namespace ferry
