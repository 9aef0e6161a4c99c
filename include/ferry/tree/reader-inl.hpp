#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/tree/reader.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {

FERRY_INLINE std::string Reader::path() const {
    if (parent_ == nullptr) return root_;
    std::string above = parent_->path();
    if (!above.empty()) above += '.';
    return above + parent_->spec_->child_name(index_);
}

FERRY_INLINE void Reader::fail(const std::string& expected, const std::string& found, std::string hint) const {
    const std::string here = path();
    throw Error(ErrorKind::invalid_input,
                "the tree does not fit the C++ type: expected " + expected + ", found " + found,
                {.hint = std::move(hint), .where = {.path = here.empty() ? "<root>" : here}});
}

FERRY_INLINE std::string Reader::found() const {
    if (spec_->is_leaf()) {
        const Leaf& leaf = leaves_.front();
        if (leaf.is_tensor() && !leaf.tensor().defined()) return "an undefined tensor";
        return std::string(detail::kind_name(leaf.kind()));
    }
    std::string text = (spec_->kind() == TreeSpec::Kind::opaque ? "" : "a ") + std::string(spec_->type());
    if (spec_->is_mapping()) return text + " with the keys " + python_repr(Context::list(spec_->keys()));
    return text + " of " + std::to_string(spec_->children().size());
}

FERRY_INLINE std::vector<Reader> Reader::children() const {
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

FERRY_INLINE std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as) const {
    const bool fits = open_ || (strict_ ? spec_->kind() == written_as : spec_->is_sequence());
    if (!fits) fail(written_as == TreeSpec::Kind::list ? "a list" : "a tuple");
    return children();
}

FERRY_INLINE std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as, std::size_t length) const {
    auto made = sequence(written_as);
    if (made.size() != length)
        fail((written_as == TreeSpec::Kind::list ? "a list of " : "a tuple of ") + std::to_string(length));
    return made;
}

FERRY_INLINE std::vector<Reader> Reader::mapping() const {
    if (!open_ && !(strict_ ? spec_->kind() == TreeSpec::Kind::dict : spec_->is_mapping())) fail("a dict");
    return children();
}

FERRY_INLINE std::vector<Reader> Reader::members(std::span<const std::string_view> names) const {
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

FERRY_INLINE std::vector<Reader> Reader::opaque(std::string_view type, std::size_t length) const {
    if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
    if (spec_->children().size() != length) fail(std::string(type) + " of " + std::to_string(length));
    return children();
}

FERRY_INLINE Reader Reader::open(std::string_view type) const {
    if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
    Reader made = *this;
    made.open_ = true;
    return made;
}

FERRY_INLINE std::vector<Context> Reader::keys() const {
    if (!open_) return spec_->keys();
    const auto names = spec_->child_names();
    return {names.begin(), names.end()};
}

}  // namespace ferry::tree
