#pragma once

#include <cstddef>
#include <string_view>

namespace ferry {
namespace detail {

template <class Type>
constexpr std::string_view function_name() noexcept {
    return __PRETTY_FUNCTION__;
}

// Measured on a known type instead of assumed: g++ and clang++ frame the name differently.
inline constexpr std::string_view probe = function_name<double>();
inline constexpr std::size_t name_prefix = probe.find("double");
inline constexpr std::size_t name_suffix = [] {
    const auto end = name_prefix + std::string_view("double").size();
    // g++ goes on to spell what std::string_view stands for, which is the same for every type.
    return probe.size() - end;
}();

}  // namespace detail

/// The type's name as the compiler spells it: `ferry::onnx::masked_fill`.
template <class Type>
[[nodiscard]] constexpr std::string_view type_name() noexcept {
    constexpr std::string_view all = detail::function_name<Type>();
    return all.substr(detail::name_prefix, all.size() - detail::name_prefix - detail::name_suffix);
}

/// The same without its namespaces: `masked_fill`.
template <class Type>
[[nodiscard]] constexpr std::string_view short_type_name() noexcept {
    constexpr std::string_view full = type_name<Type>();
    const auto before_arguments = full.substr(0, full.find('<'));
    const auto colons = before_arguments.rfind("::");
    return colons == std::string_view::npos ? full : full.substr(colons + 2);
}

}  // namespace ferry
