#pragma once

#include <ferry/core/error.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/detail/tagged_context.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// The structure of a tree without its leaves, as torch.utils._pytree has it. Immutable; copies share their nodes.
class TreeSpec {
public:
    enum class Kind : std::uint8_t { leaf, list, tuple, dict, ordered_dict, default_dict, named_tuple, deque, opaque };

    /// Trees deeper than this are refused: every walk is recursive.
    static constexpr std::size_t max_depth = 256;

    TreeSpec() = default;  ///< a leaf
    [[nodiscard]] static TreeSpec list(std::vector<TreeSpec> children) {
        return container(Kind::list, {}, std::move(children));
    }
    [[nodiscard]] static TreeSpec tuple(std::vector<TreeSpec> children) {
        return container(Kind::tuple, {}, std::move(children));
    }
    [[nodiscard]] static TreeSpec dict(std::vector<tree::Context> keys, std::vector<TreeSpec> children) {
        return container(Kind::dict, tree::Context::list(std::move(keys)), std::move(children));
    }

    /// Any built-in container. The context is Python's in its JSON form: keys of a dict, name of a named tuple, ...
    [[nodiscard]] static TreeSpec container(Kind kind, tree::Context context, std::vector<TreeSpec> children);

    /// A class that Python registers by name. `verbatim`: the class has its own way to write contexts, so the context is
    /// not JSON inside a string. `names` are for paths only; Python's specs do not keep them.
    [[nodiscard]] static TreeSpec opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
                                         std::vector<std::string> names = {}, bool verbatim = false);

    [[nodiscard]] Kind kind() const noexcept { return node_ ? node_->kind : Kind::leaf; }
    [[nodiscard]] bool is_leaf() const noexcept { return kind() == Kind::leaf; }
    [[nodiscard]] bool is_sequence() const noexcept;  ///< list, tuple, deque, named tuple
    [[nodiscard]] bool is_mapping() const noexcept;   ///< dict, ordered dict, default dict
    /// The name under which Python registers the type ("builtins.dict"); empty for a leaf.
    [[nodiscard]] std::string_view type() const noexcept;
    [[nodiscard]] const tree::Context& context() const noexcept { return node().context; }
    [[nodiscard]] bool has_verbatim_context() const noexcept { return node().verbatim; }
    [[nodiscard]] const std::vector<TreeSpec>& children() const noexcept { return node().children; }
    [[nodiscard]] std::size_t num_leaves() const noexcept { return is_leaf() ? 1 : node().leaves; }
    [[nodiscard]] std::size_t num_nodes() const noexcept { return is_leaf() ? 1 : node().nodes; }

    /// The keys of a mapping, one for each child; empty for everything else.
    [[nodiscard]] const std::vector<tree::Context>& keys() const noexcept;
    /// What a dotted path calls a child: key, member name or position.
    [[nodiscard]] std::string child_name(std::size_t index) const;
    [[nodiscard]] std::vector<std::string> child_names() const;
    /// The path of each leaf in order; that of a tree which is only a leaf is empty.
    [[nodiscard]] std::vector<std::string> leaf_paths() const;

    struct Place;
    /// The subtree at a dotted path and the position of its first leaf.
    [[nodiscard]] std::optional<Place> find(std::string_view path) const;

    /// Which alternative of each std::variant the value held, outermost first. Python knows no variants, so this is neither
    /// compared nor written; without it the first alternative that fits is taken.
    [[nodiscard]] const std::vector<std::uint32_t>& choices() const noexcept { return node().choices; }
    [[nodiscard]] TreeSpec with_choice(std::uint32_t alternative) const;

    /// The same text as Python's str(treespec).
    [[nodiscard]] std::string str() const;

    friend bool operator==(const TreeSpec& a, const TreeSpec& b);

private:
    struct Node {
        Kind kind = Kind::leaf;
        bool verbatim = false;
        std::string type{};
        tree::Context context{};
        std::vector<TreeSpec> children{};
        std::vector<std::string> names{};
        std::vector<std::uint32_t> choices{};
        std::size_t leaves = 0, nodes = 1, depth = 1;
    };

    [[nodiscard]] static TreeSpec make(Node node);
    [[nodiscard]] const Node& node() const noexcept {
        static const Node leaf;
        return node_ ? *node_ : leaf;
    }
    void append_paths(std::vector<std::string>& paths, std::string& prefix, bool is_root) const;
    [[nodiscard]] std::optional<Place> find_below(std::string_view path) const;
    void append_str(std::string& out, std::size_t indent) const;
    [[nodiscard]] std::string context_str() const;

    std::shared_ptr<const Node> node_;
};

struct TreeSpec::Place {
    TreeSpec spec;
    std::size_t first_leaf = 0;
};

namespace tree::detail {

struct KindName {
    std::string_view type;       // as serialised
    std::string_view python;     // __name__
};
inline constexpr KindName kind_names[] = {{"", "*"},
                                          {"builtins.list", "list"},
                                          {"builtins.tuple", "tuple"},
                                          {"builtins.dict", "dict"},
                                          {"collections.OrderedDict", "OrderedDict"},
                                          {"collections.defaultdict", "defaultdict"},
                                          {"collections.namedtuple", "namedtuple"},
                                          {"collections.deque", "deque"}};

[[nodiscard]] inline std::string key_name(const Context& key) { return key.is_text() ? key.text() : python_repr(key); }

[[nodiscard]] inline bool all_text(const std::vector<Context>& items) {
    for (const Context& item : items)
        if (!item.is_text()) return false;
    return true;
}

}  // namespace tree::detail

inline TreeSpec TreeSpec::make(Node node) {
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

inline TreeSpec TreeSpec::container(Kind kind, tree::Context context, std::vector<TreeSpec> children) {
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

inline TreeSpec TreeSpec::opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
                                 std::vector<std::string> names, bool verbatim) {
    if (type.empty()) throw Error(ErrorKind::invalid_input, "a tree spec of a registered type needs the type's name");
    // Python's own flatten functions (dataclasses, model outputs, caches) put the children's names first in the context.
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

inline bool TreeSpec::is_sequence() const noexcept {
    return kind() == Kind::list || kind() == Kind::tuple || kind() == Kind::deque || kind() == Kind::named_tuple;
}

inline bool TreeSpec::is_mapping() const noexcept {
    return kind() == Kind::dict || kind() == Kind::ordered_dict || kind() == Kind::default_dict;
}

inline std::string_view TreeSpec::type() const noexcept {
    return kind() == Kind::opaque ? std::string_view(node().type) : tree::detail::kind_names[std::size_t(kind())].type;
}

inline const std::vector<tree::Context>& TreeSpec::keys() const noexcept {
    static const std::vector<tree::Context> none;
    if (!is_mapping()) return none;
    return kind() == Kind::default_dict ? context().find("dict_context")->items() : context().items();
}

inline std::string TreeSpec::child_name(std::size_t index) const {
    if (is_mapping()) return tree::detail::key_name(keys()[index]);
    return node().names.empty() ? std::to_string(index) : node().names[index];
}

inline std::vector<std::string> TreeSpec::child_names() const {
    std::vector<std::string> names;
    names.reserve(children().size());
    for (std::size_t i = 0; i < children().size(); ++i) names.push_back(child_name(i));
    return names;
}

inline void TreeSpec::append_paths(std::vector<std::string>& paths, std::string& prefix, bool is_root) const {
    if (is_leaf()) return paths.push_back(prefix);
    const std::size_t length = prefix.size();
    for (std::size_t i = 0; i < children().size(); ++i) {
        if (!is_root) prefix += '.';
        prefix += child_name(i);
        children()[i].append_paths(paths, prefix, false);
        prefix.resize(length);
    }
}

inline std::vector<std::string> TreeSpec::leaf_paths() const {
    std::vector<std::string> paths;
    paths.reserve(num_leaves());
    std::string prefix;
    append_paths(paths, prefix, true);
    return paths;
}

inline std::optional<TreeSpec::Place> TreeSpec::find(std::string_view path) const {
    return path.empty() ? Place{*this, 0} : find_below(path);
}

inline std::optional<TreeSpec::Place> TreeSpec::find_below(std::string_view path) const {
    std::size_t first_leaf = 0;
    for (std::size_t i = 0; i < children().size(); first_leaf += children()[i++].num_leaves()) {
        // A key may hold dots itself, so the path is not split beforehand: every child whose name starts it is tried.
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

inline TreeSpec TreeSpec::with_choice(std::uint32_t alternative) const {
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

inline std::string TreeSpec::context_str() const {
    const auto class_named = [](std::string_view module, std::string_view name) {
        return "<class '" + (module == "builtins" || module.empty() ? "" : std::string(module) + '.') +
               std::string(name) + "'>";
    };
    if (kind() == Kind::default_dict)
        return '[' +
               class_named(context().find("default_factory_module")->text(),
                           context().find("default_factory_name")->text()) +
               ", " + tree::python_repr(*context().find("dict_context")) + ']';
    // A named tuple's context is the class itself, written as its registered name.
    if (kind() == Kind::named_tuple || (kind() == Kind::opaque && context().is_text() && context().text() == type()))
        return class_named({}, context().text());
    return context().is_text() ? context().text() : tree::python_repr(context());
}

inline void TreeSpec::append_str(std::string& out, std::size_t indent) const {
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

inline std::string TreeSpec::str() const {
    std::string out;
    append_str(out, 0);
    return out;
}

}  // namespace ferry
