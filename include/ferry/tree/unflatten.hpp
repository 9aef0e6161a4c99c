#pragma once

#include <ferry/fwd.hpp>
#include <ferry/tree/detail/check.hpp>
#include <ferry/tree/reader.hpp>
#include <ferry/tree/tree.hpp>

#include <utility>
#include <vector>

namespace ferry::tree {

/// The value of a C++ type that a tree holds. What does not fit is an Error that names the path, what was expected there and
/// what was found.
template <class Type, class Pytrees = pytrees<>>
[[nodiscard]] Type unflatten(const Tree& tree) {
    if constexpr (detail::can_flatten<Type, Pytrees>) {
        return detail::codec<Type, Pytrees>::read(Reader(tree));
    } else {
        static_cast<void>(detail::explain<Type, Pytrees>{});
        Reader(tree).fail("a type that can be flattened");
    }
}

template <class Type, class Pytrees = pytrees<>>
[[nodiscard]] Type unflatten(TreeSpec spec, std::vector<Leaf> leaves) {
    return unflatten<Type, Pytrees>(Tree(std::move(spec), std::move(leaves)));
}

}  // namespace ferry::tree
