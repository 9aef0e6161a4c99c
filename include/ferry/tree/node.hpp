#pragma once

#include <ferry/core/require.hpp>
#include <ferry/fwd.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ferry {

/// Says how a type of yours is a tree; specialise it next to the type. Two forms, the same as those of a pytree entry, which
/// also has `using type` and takes precedence over a specialisation:
/// - members: `using leaves = members<&T::keys, ...>`, and `using context = members<...>` for constants kept in the spec;
/// - functions: `static Parts flatten(const T&)` and `static T unflatten(Parts)`, where Parts is anything flattenable; or,
///   with constants, `static std::pair<Parts, tree::Context> flatten(const T&)` and `static T unflatten(Parts, const tree::Context&)`.
/// With `static constexpr std::string_view name = "my.KvCache"` the spec has a node of that Python type. Without, members
/// are a dict, and functions stand for what they give.
template <class Type>
struct tree_node;

namespace tree::detail {

template <class Entry>
struct described_type {
    using type = void;
};
template <class Entry>
    requires requires { typename Entry::type; }
struct described_type<Entry> {
    using type = typename Entry::type;
};

template <class Type, class... Entries>
struct pick_entry {
    using type = void;
};
template <class Type, class Entry, class... Entries>
struct pick_entry<Type, Entry, Entries...>
    : std::conditional_t<std::is_same_v<typename described_type<Entry>::type, Type>, std::type_identity<Entry>,
                         pick_entry<Type, Entries...>> {};

template <class Type, class List>
struct entry_for;
template <class Type, template <class...> class List, class... Entries>
struct entry_for<Type, List<Entries...>> : pick_entry<Type, Entries...> {};

template <class Type>
concept has_tree_node = requires { sizeof(tree_node<Type>); };

/// The entry in the list, else the specialisation of tree_node, else void.
template <class Type, class Pytrees>
struct description : entry_for<Type, Pytrees> {};
template <class Type, class Pytrees>
    requires(std::is_void_v<typename entry_for<Type, Pytrees>::type> && has_tree_node<Type>)
struct description<Type, Pytrees> {
    using type = tree_node<Type>;
};
template <class Type, class Pytrees>
using description_t = typename description<Type, Pytrees>::type;

template <class Type, class Pytrees>
concept described = !std::is_void_v<description_t<Type, Pytrees>>;

template <class Description>
concept described_by_members = requires { typename Description::leaves; };
template <class Description>
concept described_by_functions = !described_by_members<Description> && requires {
    &Description::flatten;
    &Description::unflatten;
};
template <class Description>
concept named = requires {
    { Description::name } -> std::convertible_to<std::string_view>;
};

template <class Type, class... Entries>
inline constexpr bool described_once =
    (std::size_t{0} + ... + std::is_same_v<typename described_type<Entries>::type, Type>) == 1;

template <class Type, class... Entries>
struct require_described_once {
    static_assert(described_once<Type, Entries...>,
                  "ferry: two pytree entries describe the same type; keep one, or `replace` one by the other");
};

template <class Pytrees>
inline constexpr bool valid_pytrees = false;
template <template <class...> class List, class... Entries>
inline constexpr bool valid_pytrees<List<Entries...>> =
    (describes_tree_node<Entries> && ...) &&
    (described_once<typename described_type<Entries>::type, Entries...> && ...);

/// Instantiated for a list that is not valid, to say why.
template <class Pytrees>
struct explain_pytrees;
template <template <class...> class List, class... Entries>
struct explain_pytrees<List<Entries...>> {
    static constexpr auto each = (sizeof(require_pytree<Entries>) + ...);
};
template <template <class...> class List, class... Entries>
    requires(describes_tree_node<Entries> && ...)
struct explain_pytrees<List<Entries...>> {
    static constexpr auto each =
        (sizeof(require_described_once<typename described_type<Entries>::type, Entries...>) + ...);
};

}  // namespace tree::detail
}  // namespace ferry
