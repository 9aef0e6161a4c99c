#pragma once

#include <ferry/core/error.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry::tree::detail {

/// A flattened constant as the JSON value that a spec's context holds.
[[nodiscard]] inline Context context_of(const TreeSpec& spec, std::span<const Leaf> leaves) {
    if (spec.is_leaf()) {
        const Leaf& leaf = leaves.front();
        if (const auto* value = leaf.get_if<bool>()) return *value;
        if (const auto* value = leaf.get_if<std::int64_t>()) return *value;
        if (const auto* value = leaf.get_if<double>()) return *value;
        if (const auto* value = leaf.get_if<std::string>()) return *value;
        if (leaf.is_none()) return {};
        throw Error(ErrorKind::invalid_input, "a tensor cannot be part of a tree spec's context",
                    {.hint = "list the member in `leaves`, not in `context`"});
    }
    if (!spec.is_sequence() && !spec.is_mapping())
        throw Error(ErrorKind::invalid_input,
                    "a " + std::string(spec.type()) + " cannot be part of a tree spec's context");
    std::vector<Context> items;
    std::size_t first = 0;
    for (const TreeSpec& child : spec.children()) {
        items.push_back(context_of(child, leaves.subspan(first, child.num_leaves())));
        first += child.num_leaves();
    }
    return spec.is_mapping() ? Context::dict(spec.child_names(), std::move(items)) : Context::list(std::move(items));
}

[[nodiscard]] inline Tree tree_of(const Context& context) {
    switch (context.kind()) {
        case Context::Kind::none: return {};
        case Context::Kind::boolean: return Leaf(*context.as_boolean());
        case Context::Kind::real: return Leaf(*context.as_real());
        case Context::Kind::text: return Leaf(context.text());
        case Context::Kind::integer:
            if (const auto value = context.as_integer()) return Leaf(*value);
            throw Error(ErrorKind::invalid_input,
                        "the integer " + context.text() + " in a tree spec's context does not fit 64 bits");
        case Context::Kind::list:
        case Context::Kind::dict: break;
    }
    std::vector<Tree> children;
    for (const Context& item : context.items()) children.push_back(tree_of(item));
    if (context.is_list()) return Tree::list(std::move(children));
    return Tree::dict({context.keys().begin(), context.keys().end()}, std::move(children));
}

}  // namespace ferry::tree::detail
