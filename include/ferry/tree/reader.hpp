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

inline const Leaf& Reader::leaf(Leaf::Kind wanted) const {
    if (!spec_->is_leaf()) fail(std::string(detail::kind_name(wanted)));
    const Leaf& leaf = leaves_.front();
    if (leaf.kind() == wanted) return leaf;
    fail(std::string(detail::kind_name(wanted)), found(),
         leaf.is_none() ? "a member that may be None is a std::optional in C++" : "");
}

}  // namespace ferry::tree

#ifndef FERRY_COMPILED
#include <ferry/tree/reader-inl.hpp>
#endif
