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

namespace tree::detail {

[[noreturn]] inline void no_such_path(const TreeSpec& spec, std::string_view path) {
    std::string known;
    for (const std::string& leaf : spec.leaf_paths()) {
        if (known.size() > 400) {
            known += ", ...";
            break;
        }
        known.append(known.empty() ? "" : ", ").append(leaf);
    }
    throw Error(ErrorKind::invalid_input, "the tree has nothing at the path '" + std::string(path) + "'",
                {.hint = "its leaves are: " + known, .where = {.path = std::string(path)}});
}

/// Takes a list of subtrees apart into their specs and, joined, their leaves.
[[nodiscard]] inline std::vector<TreeSpec> join(std::vector<Tree>& children, std::vector<Leaf>& leaves) {
    std::vector<TreeSpec> specs;
    specs.reserve(children.size());
    for (Tree& child : children) {
        specs.push_back(std::move(child.spec));
        leaves.insert(leaves.end(), std::move_iterator(child.leaves.begin()), std::move_iterator(child.leaves.end()));
    }
    return specs;
}

}  // namespace tree::detail

inline Tree::Tree(TreeSpec spec_, std::vector<Leaf> leaves_) : spec(std::move(spec_)), leaves(std::move(leaves_)) {
    if (leaves.size() == spec.num_leaves()) return;
    const auto paths = spec.leaf_paths();
    std::string message = "the tree has " + std::to_string(paths.size()) + " leaves, but " +
                          std::to_string(leaves.size()) + " were given";
    throw Error(ErrorKind::invalid_input, message,
                {.hint = leaves.size() < paths.size() ? "the first one missing is '" + paths[leaves.size()] + "'" : "",
                 .where = {.path = leaves.size() < paths.size() ? paths[leaves.size()] : ""}});
}

inline Tree Tree::list(std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::list(std::move(specs)), std::move(leaves)};
}

inline Tree Tree::tuple(std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::tuple(std::move(specs)), std::move(leaves)};
}

inline Tree Tree::dict(std::vector<tree::Context> keys, std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::dict(std::move(keys), std::move(specs)), std::move(leaves)};
}

inline std::vector<Tree> Tree::children() const {
    std::vector<Tree> made;
    auto from = leaves.begin();
    for (const TreeSpec& child : spec.children()) {
        const auto to = from + static_cast<std::ptrdiff_t>(child.num_leaves());
        made.emplace_back(child, std::vector<Leaf>(from, to));
        from = to;
    }
    return made;
}

inline Tree Tree::at(std::string_view path) const {
    const auto place = spec.find(path);
    if (!place) tree::detail::no_such_path(spec, path);
    const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(place->first_leaf);
    return {place->spec, std::vector<Leaf>(from, from + static_cast<std::ptrdiff_t>(place->spec.num_leaves()))};
}

inline Leaf& Tree::leaf(std::string_view path) {
    const auto place = spec.find(path);
    if (!place || !place->spec.is_leaf()) tree::detail::no_such_path(spec, path);
    return leaves[place->first_leaf];
}

}  // namespace ferry
