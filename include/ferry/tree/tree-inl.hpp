#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/spec.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {
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

FERRY_INLINE Tree::Tree(TreeSpec spec_, std::vector<Leaf> leaves_)
    : spec(std::move(spec_)), leaves(std::move(leaves_)) {
    if (leaves.size() == spec.num_leaves()) return;
    const auto paths = spec.leaf_paths();
    std::string message = "the tree has " + std::to_string(paths.size()) + " leaves, but " +
                          std::to_string(leaves.size()) + " were given";
    throw Error(ErrorKind::invalid_input, message,
                {.hint = leaves.size() < paths.size() ? "the first one missing is '" + paths[leaves.size()] + "'" : "",
                 .where = {.path = leaves.size() < paths.size() ? paths[leaves.size()] : ""}});
}

FERRY_INLINE Tree Tree::list(std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::list(std::move(specs)), std::move(leaves)};
}

FERRY_INLINE Tree Tree::tuple(std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::tuple(std::move(specs)), std::move(leaves)};
}

FERRY_INLINE Tree Tree::dict(std::vector<tree::Context> keys, std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::dict(std::move(keys), std::move(specs)), std::move(leaves)};
}

FERRY_INLINE std::vector<Tree> Tree::children() const {
    std::vector<Tree> made;
    auto from = leaves.begin();
    for (const TreeSpec& child : spec.children()) {
        const auto to = from + static_cast<std::ptrdiff_t>(child.num_leaves());
        made.emplace_back(child, std::vector<Leaf>(from, to));
        from = to;
    }
    return made;
}

FERRY_INLINE Tree Tree::at(std::string_view path) const {
    const auto place = spec.find(path);
    if (!place) tree::detail::no_such_path(spec, path);
    const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(place->first_leaf);
    return {place->spec, std::vector<Leaf>(from, from + static_cast<std::ptrdiff_t>(place->spec.num_leaves()))};
}

FERRY_INLINE Leaf& Tree::leaf(std::string_view path) {
    const auto place = spec.find(path);
    if (!place || !place->spec.is_leaf()) tree::detail::no_such_path(spec, path);
    return leaves[place->first_leaf];
}

}  // namespace ferry
