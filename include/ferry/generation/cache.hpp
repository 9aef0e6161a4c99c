#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {

/// Keys and values of all tokens so far, layer by layer; grows with every call.
struct DynamicCache {
    std::vector<at::Tensor> keys{}, values{};  ///< [batch, heads, tokens, head size] each

    [[nodiscard]] std::int64_t length() const { return keys.empty() ? 0 : keys[0].size(-2); }

    /// How many keys there are with so many new ones, and where among them these are.
    [[nodiscard]] std::int64_t length_with(std::int64_t count) const { return length() + count; }
    [[nodiscard]] at::Tensor places(std::int64_t count, at::Device device) const {
        return at::arange(length(), length() + count, at::TensorOptions(device));
    }
    /// Appends a layer's new keys and values; gives all of them.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> update(const at::Tensor& key, const at::Tensor& value,
                                                           std::size_t layer, const at::Tensor& /*places*/) {
        if (layer >= keys.size()) {
            keys.push_back(key);
            values.push_back(value);
        } else {
            keys[layer] = at::cat({keys[layer], key}, -2);
            values[layer] = at::cat({values[layer], value}, -2);
        }
        return {keys[layer], values[layer]};
    }
    /// So many tokens went through all layers.
    void advance(std::int64_t /*count*/) {}
};

template <>
struct tree_node<DynamicCache> {
    using leaves = members<&DynamicCache::keys, &DynamicCache::values>;
};

/// Room for so many tokens from the beginning, written in place: tensors keep their sizes and their memory.
struct StaticCache {
    std::vector<at::Tensor> keys{}, values{};  ///< [batch, heads, room, head size] each
    at::Tensor length{};                       ///< how many tokens are in it; int64, no dimensions

    [[nodiscard]] static StaticCache make(std::int64_t layers, at::IntArrayRef sizes, at::ScalarType dtype,
                                          at::Device device = at::kCPU) {
        StaticCache made{.length = at::zeros({}, at::TensorOptions(device).dtype(at::kLong))};
        for (std::int64_t i = 0; i < layers; ++i) {
            made.keys.push_back(at::zeros(sizes, at::TensorOptions(device).dtype(dtype)));
            made.values.push_back(at::zeros(sizes, at::TensorOptions(device).dtype(dtype)));
        }
        return made;
    }

    [[nodiscard]] std::int64_t length_with(std::int64_t /*count*/) const { return keys.at(0).size(-2); }
    [[nodiscard]] at::Tensor places(std::int64_t count, at::Device device) const {
        return at::arange(count, at::TensorOptions(device)) + length;
    }
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> update(const at::Tensor& key, const at::Tensor& value,
                                                           std::size_t layer, const at::Tensor& places) {
        keys.at(layer).index_copy_(2, places, key);
        values.at(layer).index_copy_(2, places, value);
        return {keys[layer], values[layer]};
    }
    void advance(std::int64_t count) { length.add_(count); }
};

template <>
struct tree_node<StaticCache> {
    using leaves = members<&StaticCache::keys, &StaticCache::values, &StaticCache::length>;
};

/// Either of them: what a decoder's forward takes and gives.
using Cache = std::variant<DynamicCache, StaticCache>;

}  // namespace ferry
