#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ferry {

/// Keys and values of all tokens so far, layer by layer; grows with every call.
struct DynamicCache {
    std::vector<at::Tensor> keys{}, values{};  ///< [batch, heads, tokens, head size] each

    [[nodiscard]] std::int64_t length() const { return keys.empty() ? 0 : keys[0].size(-2); }

    /// Appends a layer's new keys and values; gives all of them.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> update(const at::Tensor& key, const at::Tensor& value,
                                                           std::size_t layer) {
        if (layer >= keys.size()) {
            keys.push_back(key);
            values.push_back(value);
        } else {
            keys[layer] = at::cat({keys[layer], key}, -2);
            values[layer] = at::cat({values[layer], value}, -2);
        }
        return {keys[layer], values[layer]};
    }
};

template <>
struct tree_node<DynamicCache> {
    using leaves = members<&DynamicCache::keys, &DynamicCache::values>;
};

}  // namespace ferry
