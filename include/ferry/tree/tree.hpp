#pragma once

#include <ferry/core/error.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/spec.hpp>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// A tree whose shape is known at run time: structure and leaves. It is what flattening gives, and as a value of its own
/// it may be nested in anything that is flattened.
struct Tree {
    TreeSpec spec;             ///< a single leaf unless told otherwise
    std::vector<Leaf> leaves;  ///< in the order of spec.leaf_paths()

    Tree() : leaves(1) {}  // None
    Tree(Leaf leaf) { leaves.push_back(std::move(leaf)); }
    Tree(TreeSpec spec_, std::vector<Leaf> leaves_);

    [[nodiscard]] static Tree list(std::vector<Tree> children);
    [[nodiscard]] static Tree tuple(std::vector<Tree> children);
    [[nodiscard]] static Tree dict(std::vector<tree::Context> keys, std::vector<Tree> children);

    [[nodiscard]] bool is_leaf() const noexcept { return spec.is_leaf(); }
    [[nodiscard]] std::size_t size() const noexcept { return spec.children().size(); }
    [[nodiscard]] std::vector<Tree> children() const;
    [[nodiscard]] bool contains(std::string_view path) const { return spec.find(path).has_value(); }
    /// The subtree at a dotted path ("past_key_values.0.keys"); throws when there is none.
    [[nodiscard]] Tree at(std::string_view path) const;
    /// The leaf at a dotted path, to read or to exchange.
    [[nodiscard]] Leaf& leaf(std::string_view path);
    [[nodiscard]] const Leaf& leaf(std::string_view path) const { return const_cast<Tree&>(*this).leaf(path); }

    [[nodiscard]] bool same_structure(const Tree& other) const { return spec == other.spec; }
    friend bool operator==(const Tree&, const Tree&) = default;
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/tree/tree-inl.hpp>
#endif
