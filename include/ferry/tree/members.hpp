#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ferry {

/// Data members of a class, by pointer: `members<&kv_cache::keys, &kv_cache::values>`. Their names come from the compiler.
template <auto... Members>
struct members {
    static_assert((std::is_member_object_pointer_v<decltype(Members)> && ...),
                  "ferry: members<...> takes pointers to data members");
    static constexpr std::size_t size = sizeof...(Members);
};

namespace tree::detail {

template <auto Member>
constexpr const char* member_function_name() noexcept {
    return __PRETTY_FUNCTION__;
}

/// The identifier at the end of `... [with auto Member = &my::kv_cache::keys]`; g++ may put parentheses around it.
template <auto Member>
[[nodiscard]] constexpr std::string_view member_name() noexcept {
    std::string_view text = member_function_name<Member>();
    const auto is_identifier = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               static_cast<unsigned char>(c) >= 0x80;
    };
    while (!text.empty() && !is_identifier(text.back())) text.remove_suffix(1);
    std::size_t start = text.size();
    while (start > 0 && is_identifier(text[start - 1])) --start;
    return text.substr(start);
}

template <class Pointer>
struct member_type;
template <class Class, class Type>
struct member_type<Type Class::*> {
    using type = std::remove_cv_t<Type>;
};
template <auto Member>
using member_type_t = typename member_type<decltype(Member)>::type;

}  // namespace tree::detail
}  // namespace ferry
