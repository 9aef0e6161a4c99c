#pragma once

#include <ferry/fwd.hpp>
#include <ferry/tree/detail/check.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/tree.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {

/// A type whose values are trees: tensors, numbers, bool, strings; optional, vector, array, pair, tuple, map, unordered_map
/// and variant of such; structs described with Boost.Hana; types with a tree_node or with an entry in `Pytrees`.
template <class Type, class Pytrees = pytrees<>>
concept flattenable = tree::detail::can_flatten<std::remove_cvref_t<Type>, Pytrees>;

namespace tree {

/// Structure and leaves of a value; with `tree::flatten<pytrees<kv_cache_node>>(x)` also of types registered by entries.
/// Spell it with its namespace: for a tensor, a bare `flatten(x)` finds at::flatten.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Tree flatten(const Type& value) {
    if constexpr (detail::can_flatten<Type, Pytrees>) {
        std::vector<Leaf> leaves;
        TreeSpec spec = detail::codec<Type, Pytrees>::write(value, leaves);
        return {std::move(spec), std::move(leaves)};
    } else {
        static_cast<void>(detail::explain<Type, Pytrees>{});
        return {};
    }
}

}  // namespace tree
}  // namespace ferry
