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

inline LeafTensors::LeafTensors(const Tree& tree) {
    const auto paths = tree.spec.leaf_paths();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!tree.leaves[i].is_tensor() || !tree.leaves[i].tensor().defined()) continue;
        // A tensor that is not in anything is a model's only output.
        const std::string& path = tree.is_leaf() ? "output" : paths[i];
        if (!index_.emplace(path, items_.size()).second)
            throw Error(ErrorKind::invalid_input, "two tensors have the same path",
                        {.hint = "a key with a dot in it reads like a nested one; rename it", .where = {.path = path}});
        items_.emplace_back(path, tree.leaves[i].tensor());
    }
}

inline const at::Tensor& LeafTensors::at(std::string_view path) const {
    const auto found = index_.find(path);
    if (found != index_.end()) return items_[found->second].second;
    std::string known;
    for (const Item& item : items_) known.append(known.empty() ? "" : ", ").append(item.first);
    throw Error(ErrorKind::invalid_input, "there is no tensor at '" + std::string(path) + "'",
                {.hint = "there are: " + known, .where = {.path = std::string(path)}});
}

inline std::vector<std::vector<std::string>> LeafTensors::shared() const {
    std::map<const void*, std::size_t> first;  // the group of each tensor
    std::vector<std::vector<std::string>> groups;
    for (const auto& [path, tensor] : items_) {
        const auto group = first.emplace(tensor.unsafeGetTensorImpl(), groups.size()).first->second;
        if (group == groups.size()) groups.emplace_back();
        groups[group].push_back(path);
    }
    std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
    return groups;
}

namespace tree::detail {

/// One tensor that sits at several paths is cast once, so that it is still one tensor afterwards.
inline void cast(Tree& tree, const CastOptions& options) {
    std::map<const void*, at::Tensor> done;
    for (Leaf& leaf : tree.leaves) {
        if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
        const at::Tensor tensor = leaf.tensor();
        at::Tensor& made = done[tensor.unsafeGetTensorImpl()];
        if (!made.defined())
            made = tensor.to(options.dtype && tensor.is_floating_point() ? *options.dtype : tensor.scalar_type(),
                             std::nullopt, options.device ? *options.device : tensor.device(), std::nullopt, false,
                             false, std::nullopt);
        leaf = made;
    }
}

inline void clone_repeated(Tree& tree) {
    std::set<const void*> seen;
    for (Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined() && !seen.insert(leaf.tensor().unsafeGetTensorImpl()).second)
            leaf = leaf.tensor().clone();
}

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

/// The value with each further appearance of the same tensor cloned: formats that merge equal outputs lose a name otherwise.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type duplicate_leaf_tensors(const Type& value) {
    Tree tree = tree::flatten<Pytrees>(value);
    tree::detail::clone_repeated(tree);
    return tree::unflatten<Type, Pytrees>(tree);
}

}  // namespace ferry
