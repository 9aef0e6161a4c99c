#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/tree/detail/codec.hpp>
#include <ferry/tree/detail/node_codecs.hpp>
#include <ferry/tree/detail/std_codecs.hpp>

#include <optional>
#include <type_traits>

namespace ferry::tree::detail {

struct no_fault {};  // not void, which is a type that somebody may ask about

/// Keeps the first type that is at fault.
template <class Found>
struct fault {
    using type = Found;
    template <class Next>
    friend constexpr auto operator|(fault, fault<Next>) {
        if constexpr (std::is_same_v<Found, no_fault>)
            return fault<Next>{};
        else
            return fault{};
    }
};

template <class Type, class Pytrees, class... Seen>
constexpr auto find_fault();

template <class Pytrees, class... Seen, class... Parts>
constexpr auto find_fault_in(type_list<Parts...>, type_list<Seen...>) {
    return (fault<no_fault>{} | ... | decltype(find_fault<Parts, Pytrees, Seen...>()){});
}

/// `Seen` are the types that this one is part of: a struct may hold a vector of itself.
template <class Type, class Pytrees, class... Seen>
constexpr auto find_fault() {
    if constexpr ((std::is_same_v<Type, Seen> || ...))
        return fault<no_fault>{};
    else if constexpr (!has_codec<Type, Pytrees>)
        return fault<Type>{};
    else
        return find_fault_in<Pytrees>(typename codec<Type, Pytrees>::parts{}, type_list<Type, Seen...>{});
}

/// The innermost type for which nobody said how it is a tree, or no_fault.
template <class Type, class Pytrees>
using fault_t = typename decltype(find_fault<Type, Pytrees>())::type;

template <class Type>
inline constexpr bool is_optional = false;
template <class Type>
inline constexpr bool is_optional<std::optional<Type>> = true;

/// Instantiated to be printed: both compilers name `Type` in their first lines.
template <class Type>
struct cannot_flatten {
    static constexpr bool nested_optional = is_optional<Type>;
    static_assert(
        !nested_optional,
        "ferry: an optional of something that can itself be None cannot be flattened: in a tree both are one None leaf");
    static_assert(
        nested_optional,
        "ferry: this type cannot be flattened; register it in one of three ways: describe its members with "
        "BOOST_HANA_DEFINE_STRUCT, specialise ferry::tree_node<T> for it, or pass an entry for it in pytrees<...>");
};

/// For the branch of a function whose type is not flattenable: its only content, so that nothing cascades.
template <class Type, class Pytrees>
struct explain : cannot_flatten<fault_t<Type, Pytrees>> {};
template <class Type, class Pytrees>
    requires(!valid_pytrees<Pytrees>)
struct explain<Type, Pytrees> : explain_pytrees<Pytrees> {};

template <class Type, class Pytrees>
concept can_flatten = valid_pytrees<Pytrees> && std::is_same_v<fault_t<Type, Pytrees>, no_fault>;

}  // namespace ferry::tree::detail
