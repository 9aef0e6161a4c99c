#pragma once

#include <ferry/core/error.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {

/// A place in a tree that is being turned back into a C++ value. Knows its path, so that what does not fit is named.
class Reader {
public:
    explicit Reader(const Tree& tree, std::string root = {}, bool strict = false)
        : spec_(&tree.spec), leaves_(tree.leaves), root_(std::move(root)), strict_(strict) {}

    [[nodiscard]] const TreeSpec& spec() const noexcept { return *spec_; }
    [[nodiscard]] std::span<const Leaf> leaves() const noexcept { return leaves_; }
    [[nodiscard]] Tree tree() const { return {*spec_, {leaves_.begin(), leaves_.end()}}; }
    [[nodiscard]] std::string path() const;

    /// Strict reading takes only the container that flattening writes: it tells a variant's alternatives apart. Otherwise
    /// any sequence of the right length will do, since Python is free with lists and tuples.
    [[nodiscard]] bool strict() const noexcept { return strict_; }
    [[nodiscard]] Reader as_strict(bool strict) const {
        Reader made = *this;
        made.strict_ = strict;
        return made;
    }

    /// The alternative of the next variant at this place, if the spec remembers it.
    [[nodiscard]] const std::uint32_t* choice() const noexcept {
        return choices_used_ < spec_->choices().size() ? &spec_->choices()[choices_used_] : nullptr;
    }
    [[nodiscard]] Reader after_choice() const {
        Reader made = *this;
        ++made.choices_used_;
        return made;
    }

    [[nodiscard]] bool is_none() const noexcept { return spec_->is_leaf() && leaves_.front().is_none(); }
    [[nodiscard]] const Leaf& leaf(Leaf::Kind wanted) const;

    /// The children, which refer back to this reader for their paths.
    [[nodiscard]] std::vector<Reader> children() const;
    [[nodiscard]] std::vector<Reader> sequence(TreeSpec::Kind written_as) const;
    [[nodiscard]] std::vector<Reader> sequence(TreeSpec::Kind written_as, std::size_t length) const;
    [[nodiscard]] std::vector<Reader> mapping() const;
    /// A mapping with just these keys; the children come in the order of `names`, not of the spec.
    [[nodiscard]] std::vector<Reader> members(std::span<const std::string_view> names) const;
    [[nodiscard]] std::vector<Reader> opaque(std::string_view type, std::size_t length) const;
    /// A node of a registered type, to be read as whatever container its children came in.
    [[nodiscard]] Reader open(std::string_view type) const;
    /// One key for each child: those of a mapping, or an opened node's names.
    [[nodiscard]] std::vector<Context> keys() const;

    [[noreturn]] void fail(const std::string& expected) const { fail(expected, found()); }
    [[noreturn]] void fail(const std::string& expected, const std::string& found, std::string hint = {}) const;

private:
    [[nodiscard]] std::string found() const;

    const TreeSpec* spec_;
    std::span<const Leaf> leaves_;
    const Reader* parent_ = nullptr;
    std::size_t index_ = 0;
    std::string root_;
    std::size_t choices_used_ = 0;
    bool strict_;
    bool open_ = false;
};

inline std::string Reader::path() const {
    if (parent_ == nullptr) return root_;
    std::string above = parent_->path();
    if (!above.empty()) above += '.';
    return above + parent_->spec_->child_name(index_);
}

inline void Reader::fail(const std::string& expected, const std::string& found, std::string hint) const {
    const std::string here = path();
    throw Error(ErrorKind::invalid_input,
                "the tree does not fit the C++ type: expected " + expected + ", found " + found,
                {.hint = std::move(hint), .where = {.path = here.empty() ? "<root>" : here}});
}

inline std::string Reader::found() const {
    if (spec_->is_leaf()) {
        const Leaf& leaf = leaves_.front();
        if (leaf.is_tensor() && !leaf.tensor().defined()) return "an undefined tensor";
        return std::string(detail::kind_name(leaf.kind()));
    }
    std::string text = (spec_->kind() == TreeSpec::Kind::opaque ? "" : "a ") + std::string(spec_->type());
    if (spec_->is_mapping()) return text + " with the keys " + python_repr(Context::list(spec_->keys()));
    return text + " of " + std::to_string(spec_->children().size());
}

inline const Leaf& Reader::leaf(Leaf::Kind wanted) const {
    if (!spec_->is_leaf()) fail(std::string(detail::kind_name(wanted)));
    const Leaf& leaf = leaves_.front();
    if (leaf.kind() == wanted) return leaf;
    fail(std::string(detail::kind_name(wanted)), found(),
         leaf.is_none() ? "a member that may be None is a std::optional in C++" : "");
}

inline std::vector<Reader> Reader::children() const {
    std::vector<Reader> made;
    made.reserve(spec_->children().size());
    std::size_t first = 0;
    for (const TreeSpec& child : spec_->children()) {
        Reader reader = *this;
        reader.spec_ = &child;
        reader.leaves_ = leaves_.subspan(first, child.num_leaves());
        reader.parent_ = this;
        reader.index_ = made.size();
        reader.choices_used_ = 0;
        reader.open_ = false;
        first += child.num_leaves();
        made.push_back(std::move(reader));
    }
    return made;
}

inline std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as) const {
    const bool fits = open_ || (strict_ ? spec_->kind() == written_as : spec_->is_sequence());
    if (!fits) fail(written_as == TreeSpec::Kind::list ? "a list" : "a tuple");
    return children();
}

inline std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as, std::size_t length) const {
    auto made = sequence(written_as);
    if (made.size() != length)
        fail((written_as == TreeSpec::Kind::list ? "a list of " : "a tuple of ") + std::to_string(length));
    return made;
}

inline std::vector<Reader> Reader::mapping() const {
    if (!open_ && !(strict_ ? spec_->kind() == TreeSpec::Kind::dict : spec_->is_mapping())) fail("a dict");
    return children();
}

inline std::vector<Reader> Reader::members(std::span<const std::string_view> names) const {
    std::vector<Context> wanted(names.begin(), names.end());
    const auto expect = [&] { return "a dict with the keys " + python_repr(Context::list(wanted)); };
    const auto known = keys();
    if (!(open_ || spec_->is_mapping()) || known.size() != names.size()) fail(expect());
    auto all = children();
    std::vector<Reader> ordered;
    ordered.reserve(all.size());
    for (const std::string_view name : names) {
        std::size_t at = 0;
        while (at < all.size() && !(known[at].is_text() && known[at].text() == name)) ++at;
        if (at == all.size()) fail(expect());
        ordered.push_back(all[at]);
    }
    return ordered;
}

inline std::vector<Reader> Reader::opaque(std::string_view type, std::size_t length) const {
    if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
    if (spec_->children().size() != length) fail(std::string(type) + " of " + std::to_string(length));
    return children();
}

inline Reader Reader::open(std::string_view type) const {
    if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
    Reader made = *this;
    made.open_ = true;
    return made;
}

inline std::vector<Context> Reader::keys() const {
    if (!open_) return spec_->keys();
    const auto names = spec_->child_names();
    return {names.begin(), names.end()};
}

}  // namespace ferry::tree
