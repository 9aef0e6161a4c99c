#pragma once

#include <ferry/core/error.hpp>
#include <ferry/fwd.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// Tensors by dotted path, in the order of the tree's leaves.
class LeafTensors {
public:
    using Item = std::pair<std::string, at::Tensor>;

    LeafTensors() = default;
    explicit LeafTensors(const Tree& tree);

    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return items_.begin(); }
    [[nodiscard]] auto end() const noexcept { return items_.end(); }
    [[nodiscard]] bool contains(std::string_view path) const { return index_.contains(path); }
    [[nodiscard]] const at::Tensor& at(std::string_view path) const;

    /// The paths at which one and the same tensor sits (the same TensorImpl; a view or an alias of its storage is another
    /// tensor), for each tensor that is there more than once, in order.
    [[nodiscard]] std::vector<std::vector<std::string>> shared() const;

private:
    std::vector<Item> items_;
    std::map<std::string, std::size_t, std::less<>> index_;
};

struct CastOptions {
    std::optional<c10::ScalarType> dtype{};  ///< for floating-point tensors only: indices and masks keep theirs
    std::optional<c10::Device> device{};     ///< for every tensor: a model's inputs live together
};

inline const at::Tensor& LeafTensors::at(std::string_view path) const {
    const auto found = index_.find(path);
    if (found != index_.end()) return items_[found->second].second;
    std::string known;
    for (const Item& item : items_) known.append(known.empty() ? "" : ", ").append(item.first);
    throw Error(ErrorKind::invalid_input, "there is no tensor at '" + std::string(path) + "'",
                {.hint = "there are: " + known, .where = {.path = std::string(path)}});
}

namespace tree::detail {

/// One tensor that sits at several paths is cast once, so that it is still one tensor afterwards.
void cast(Tree& tree, const CastOptions& options);

void clone_repeated(Tree& tree);

}  // namespace tree::detail

/// All tensors of a value by path; undefined ones are left out.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] LeafTensors get_leaf_tensors(const Type& value) {
    return LeafTensors(tree::flatten<Pytrees>(value));
}

/// The value with its tensors cast; everything else as it was.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type cast_leaf_tensors(const Type& value, const CastOptions& options) {
    Tree tree = tree::flatten<Pytrees>(value);
    tree::detail::cast(tree, options);
    return tree::unflatten<Type, Pytrees>(tree);
}
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type cast_leaf_tensors(const Type& value, c10::ScalarType dtype, std::optional<c10::Device> device = {}) {
    return cast_leaf_tensors<Pytrees>(value, CastOptions{.dtype = dtype, .device = device});
}

/// The value with tensors of its own, of which no gradients are known: whoever writes into the given ones leaves these as they are.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type clone_leaf_tensors(const Type& value) {
    Tree tree = tree::flatten<Pytrees>(value);
    for (Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().detach().clone();
    return tree::unflatten<Type, Pytrees>(tree);
}

/// The value with each further appearance of the same tensor cloned: formats that merge equal outputs lose a name otherwise.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type duplicate_leaf_tensors(const Type& value) {
    Tree tree = tree::flatten<Pytrees>(value);
    tree::detail::clone_repeated(tree);
    return tree::unflatten<Type, Pytrees>(tree);
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/tree/leaf_tensors-inl.hpp>
#endif
