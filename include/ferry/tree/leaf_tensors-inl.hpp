#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/fwd.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/leaf_tensors.hpp>
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

// A tensor that is not in anything is a model's only output.
FERRY_INLINE LeafTensors::LeafTensors(const Tree& tree) {
    const auto paths = tree.spec.leaf_paths();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!tree.leaves[i].is_tensor() || !tree.leaves[i].tensor().defined()) continue;
        const std::string& path = tree.is_leaf() ? "output" : paths[i];
        if (!index_.emplace(path, items_.size()).second)
            throw Error(ErrorKind::invalid_input, "two tensors have the same path",
                        {.hint = "a key with a dot in it reads like a nested one; rename it", .where = {.path = path}});
        items_.emplace_back(path, tree.leaves[i].tensor());
    }
}

FERRY_INLINE std::vector<std::vector<std::string>> LeafTensors::shared() const {
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

FERRY_INLINE void cast(Tree& tree, const CastOptions& options) {
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

FERRY_INLINE void clone_repeated(Tree& tree) {
    std::set<const void*> seen;
    for (Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined() && !seen.insert(leaf.tensor().unsafeGetTensorImpl()).second)
            leaf = leaf.tensor().clone();
}

}  // namespace tree::detail
}  // namespace ferry
