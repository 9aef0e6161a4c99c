#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/detail/tagged_context.hpp>
#include <ferry/tree/spec.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

FERRY_INLINE TreeSpec TreeSpec::make(Node node) {
    for (const TreeSpec& child : node.children) {
        node.leaves += child.num_leaves();
        node.nodes += child.num_nodes();
        if (child.node_ && child.node_->depth >= node.depth) node.depth = child.node_->depth + 1;
    }
    if (node.depth > max_depth)
        throw Error(ErrorKind::invalid_input, "a tree of more than " + std::to_string(max_depth) + " levels");
    TreeSpec made;
    made.node_ = std::make_shared<const Node>(std::move(node));
    return made;
}

FERRY_INLINE TreeSpec TreeSpec::container(Kind kind, tree::Context context, std::vector<TreeSpec> children) {
    const auto refuse = [&](const char* what) -> Error {
        return {ErrorKind::invalid_input,
                "a tree spec of type " + std::string(tree::detail::kind_names[std::size_t(kind)].type) + what};
    };
    if (kind == Kind::leaf || kind == Kind::opaque)
        throw Error(ErrorKind::invalid_input, "TreeSpec::container makes Python's built-in containers only");
    if ((kind == Kind::list || kind == Kind::tuple) && !context.is_none()) throw refuse(" has no context");
    if (kind == Kind::named_tuple && !context.is_text()) throw refuse(" has a name as its context");
    if (kind == Kind::deque && !context.is_none() && context.kind() != tree::Context::Kind::integer)
        throw refuse(" has its greatest length, or None, as its context");
    const tree::Context* keys = &context;
    if (kind == Kind::default_dict) {
        const auto* module = context.find("default_factory_module");
        const auto* factory = context.find("default_factory_name");
        keys = context.find("dict_context");
        if (!module || !module->is_text() || !factory || !factory->is_text() || !keys || context.items().size() != 3)
            throw refuse(" has default_factory_module, default_factory_name and dict_context as its context");
    }
    if (kind == Kind::dict || kind == Kind::ordered_dict || kind == Kind::default_dict) {
        if (!keys->is_list()) throw refuse(" has the list of its keys as its context");
        if (keys->items().size() != children.size())
            throw refuse((" has " + std::to_string(keys->items().size()) + " keys but " +
                          std::to_string(children.size()) + " children")
                             .c_str());
    }
    return make({.kind = kind, .context = std::move(context), .children = std::move(children)});
}

// Python's own flatten functions (dataclasses, model outputs, caches) put the children's names first in the context.
FERRY_INLINE TreeSpec TreeSpec::opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
                                       std::vector<std::string> names, bool verbatim) {
    if (type.empty()) throw Error(ErrorKind::invalid_input, "a tree spec of a registered type needs the type's name");
    const tree::Context* first = &context;
    if (first->is_list() && !first->items().empty() && first->items().front().is_list())
        first = &first->items().front();
    if (names.empty() && first->is_list() && first->items().size() == children.size() &&
        tree::detail::all_text(first->items()))
        for (const tree::Context& name : first->items()) names.push_back(name.text());
    if (names.empty()) names = tree::detail::TaggedNames::of(context, children.size());
    if (names.size() != children.size()) names.clear();
    return make({.kind = Kind::opaque,
                 .verbatim = verbatim,
                 .type = std::move(type),
                 .context = std::move(context),
                 .children = std::move(children),
                 .names = std::move(names)});
}

FERRY_INLINE bool TreeSpec::is_sequence() const noexcept {
    return kind() == Kind::list || kind() == Kind::tuple || kind() == Kind::deque || kind() == Kind::named_tuple;
}

FERRY_INLINE bool TreeSpec::is_mapping() const noexcept {
    return kind() == Kind::dict || kind() == Kind::ordered_dict || kind() == Kind::default_dict;
}

FERRY_INLINE std::string_view TreeSpec::type() const noexcept {
    return kind() == Kind::opaque ? std::string_view(node().type) : tree::detail::kind_names[std::size_t(kind())].type;
}

FERRY_INLINE std::string TreeSpec::child_name(std::size_t index) const {
    if (is_mapping()) return tree::detail::key_name(keys()[index]);
    return node().names.empty() ? std::to_string(index) : node().names[index];
}

FERRY_INLINE std::vector<std::string> TreeSpec::child_names() const {
    std::vector<std::string> names;
    names.reserve(children().size());
    for (std::size_t i = 0; i < children().size(); ++i) names.push_back(child_name(i));
    return names;
}

FERRY_INLINE void TreeSpec::append_paths(std::vector<std::string>& paths, std::string& prefix, bool is_root) const {
    if (is_leaf()) return paths.push_back(prefix);
    const std::size_t length = prefix.size();
    for (std::size_t i = 0; i < children().size(); ++i) {
        if (!is_root) prefix += '.';
        prefix += child_name(i);
        children()[i].append_paths(paths, prefix, false);
        prefix.resize(length);
    }
}

FERRY_INLINE std::vector<std::string> TreeSpec::leaf_paths() const {
    std::vector<std::string> paths;
    paths.reserve(num_leaves());
    std::string prefix;
    append_paths(paths, prefix, true);
    return paths;
}

FERRY_INLINE std::optional<TreeSpec::Place> TreeSpec::find(std::string_view path) const {
    return path.empty() ? Place{*this, 0} : find_below(path);
}

// A key may hold dots itself, so the path is not split beforehand: every child whose name starts it is tried.
FERRY_INLINE std::optional<TreeSpec::Place> TreeSpec::find_below(std::string_view path) const {
    std::size_t first_leaf = 0;
    for (std::size_t i = 0; i < children().size(); first_leaf += children()[i++].num_leaves()) {
        const std::string name = child_name(i);
        if (!path.starts_with(name)) continue;
        if (path.size() == name.size()) return Place{children()[i], first_leaf};
        if (path[name.size()] != '.') continue;
        auto found = children()[i].find_below(path.substr(name.size() + 1));
        if (!found) continue;
        found->first_leaf += first_leaf;
        return found;
    }
    return std::nullopt;
}

FERRY_INLINE TreeSpec TreeSpec::with_choice(std::uint32_t alternative) const {
    TreeSpec made;
    auto copy = std::make_shared<Node>(node());
    copy->choices.insert(copy->choices.begin(), alternative);
    made.node_ = std::move(copy);
    return made;
}

inline bool operator==(const TreeSpec& a, const TreeSpec& b) {
    if (a.node_ == b.node_) return true;
    return a.kind() == b.kind() && a.type() == b.type() && a.num_nodes() == b.num_nodes() &&
           a.num_leaves() == b.num_leaves() && a.context() == b.context() &&
           a.has_verbatim_context() == b.has_verbatim_context() && a.children() == b.children();
}

// A named tuple's context is the class itself, written as its registered name.
FERRY_INLINE std::string TreeSpec::context_str() const {
    const auto class_named = [](std::string_view module, std::string_view name) {
        return "<class '" + (module == "builtins" || module.empty() ? "" : std::string(module) + '.') +
               std::string(name) + "'>";
    };
    if (kind() == Kind::default_dict)
        return '[' +
               class_named(context().find("default_factory_module")->text(),
                           context().find("default_factory_name")->text()) +
               ", " + tree::python_repr(*context().find("dict_context")) + ']';
    if (kind() == Kind::named_tuple || (kind() == Kind::opaque && context().is_text() && context().text() == type()))
        return class_named({}, context().text());
    return context().is_text() ? context().text() : tree::python_repr(context());
}

FERRY_INLINE void TreeSpec::append_str(std::string& out, std::size_t indent) const {
    if (is_leaf()) return void(out += '*');
    const auto name = kind() == Kind::opaque ? type().substr(type().find_last_of(".:") + 1)
                                             : tree::detail::kind_names[std::size_t(kind())].python;
    out.append("TreeSpec(").append(name).append(", ").append(context_str()).append(", [");
    indent += 2;
    for (std::size_t i = 0; i < children().size(); ++i) {
        if (i != 0) out.append(",\n").append(indent, ' ');
        children()[i].append_str(out, indent);
    }
    out += "])";
}

FERRY_INLINE std::string TreeSpec::str() const {
    std::string out;
    append_str(out, 0);
    return out;
}

}  // namespace ferry
