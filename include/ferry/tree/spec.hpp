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

inline const std::vector<tree::Context>& TreeSpec::keys() const noexcept {
    static const std::vector<tree::Context> none;
    if (!is_mapping()) return none;
    return kind() == Kind::default_dict ? context().find("dict_context")->items() : context().items();
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/tree/spec-inl.hpp>
#endif
