#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {

/// Keys and values of the tokens so far, layer by layer; grows with every call. A layer that looks back over a window keeps those
/// alone that the next token sees, and forgets the rest.
struct DynamicCache {
    std::vector<at::Tensor> keys{}, values{};  ///< [batch, heads, tokens, head size] each

    [[nodiscard]] std::int64_t length(std::size_t layer = 0) const {
        return layer < keys.size() ? keys[layer].size(-2) : 0;
    }
    /// How many keys a layer has with so many new ones, and where among them these are.
    [[nodiscard]] std::int64_t length_with(std::int64_t count, std::size_t layer = 0) const {
        return length(layer) + count;
    }
    [[nodiscard]] at::Tensor places(std::int64_t count, at::Device device, std::size_t layer = 0) const {
        return at::arange(length(layer), length_with(count, layer), at::TensorOptions(device));
    }
    /// Of a mask over all tokens, [batch, tokens], what concerns the keys that a layer has with so many new ones: the last.
    [[nodiscard]] at::Tensor mask_of(const at::Tensor& mask, std::int64_t count, std::size_t layer,
                                     std::optional<std::int64_t> window) const {
        if (!window || layer >= keys.size()) return mask;
        // By their numbers, which any lengths of mask and cache have: an export need not know which of them go together.
        const std::int64_t end = mask.size(1), begin = end - length_with(count, layer);
        return mask.index_select(1, at::arange(begin, end, at::TensorOptions(mask.device())));
    }
    /// Appends a layer's new keys and values; gives all that the new tokens may see.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> update(const at::Tensor& key, const at::Tensor& value,
                                                           std::size_t layer, const at::Tensor& /*places*/,
                                                           std::optional<std::int64_t> window = {}) {
        const bool is_new = layer >= keys.size();
        if (is_new) keys.emplace_back(), values.emplace_back();
        const at::Tensor all_keys = is_new ? key : at::cat({keys[layer], key}, -2);
        const at::Tensor all_values = is_new ? value : at::cat({values[layer], value}, -2);
        keys[layer] = kept(all_keys, window);
        values[layer] = kept(all_values, window);
        return {all_keys, all_values};
    }
    /// So many tokens went through all layers.
    void advance(std::int64_t /*count*/) {}

private:
    /// The next token is itself one of the window. At least one is kept: a cache without tokens is no cache of them.
    [[nodiscard]] static at::Tensor kept(const at::Tensor& all, std::optional<std::int64_t> window) {
        return window ? all.slice(-2, -std::max<std::int64_t>(*window - 1, 1)) : all;
    }
};

template <>
struct tree_node<DynamicCache> {
    using leaves = members<&DynamicCache::keys, &DynamicCache::values>;
};

/// Room for so many tokens from the beginning, written in place: tensors keep their sizes and their memory, and nothing is forgotten.
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

    [[nodiscard]] std::int64_t length_with(std::int64_t /*count*/, std::size_t layer = 0) const {
        return keys.at(layer).size(-2);
    }
    [[nodiscard]] at::Tensor places(std::int64_t count, at::Device device, std::size_t /*layer*/ = 0) const {
        return at::arange(count, at::TensorOptions(device)) + length;
    }
    [[nodiscard]] at::Tensor mask_of(const at::Tensor& mask, std::int64_t /*count*/, std::size_t /*layer*/,
                                     std::optional<std::int64_t> /*window*/) const {
        return mask;
    }
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> update(const at::Tensor& key, const at::Tensor& value,
                                                           std::size_t layer, const at::Tensor& places,
                                                           std::optional<std::int64_t> /*window*/ = {}) {
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
