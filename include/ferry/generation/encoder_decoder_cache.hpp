#pragma once

#include <ferry/generation/cache.hpp>
#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <utility>
#include <variant>

namespace ferry {

/// Keys and values of a decoder's own tokens, and those of what an encoder has read: the first call computes these, all others find them.
template <class OwnCache>
struct EncoderDecoderCacheOf {
    OwnCache self_attention_cache{};
    DynamicCache cross_attention_cache{};

    /// A layer's keys and values of what the encoder has read; `compute` gives them if they are not there yet.
    template <class Compute>
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> cross(std::size_t layer, const Compute& compute) {
        DynamicCache& found = cross_attention_cache;
        if (layer >= found.keys.size()) {
            auto [keys, values] = compute();
            found.keys.push_back(std::move(keys));
            found.values.push_back(std::move(values));
        }
        return {found.keys[layer], found.values[layer]};
    }
};

template <class OwnCache>
struct tree_node<EncoderDecoderCacheOf<OwnCache>> {
    using leaves = members<&EncoderDecoderCacheOf<OwnCache>::self_attention_cache,
                           &EncoderDecoderCacheOf<OwnCache>::cross_attention_cache>;
};

using EncoderDecoderCache = EncoderDecoderCacheOf<DynamicCache>;
/// Only the decoder's own tokens need room: how long the source is, is known from the first call on.
using StaticEncoderDecoderCache = EncoderDecoderCacheOf<StaticCache>;

/// Either of them: what a decoder behind an encoder takes and gives.
using AnyEncoderDecoderCache = std::variant<EncoderDecoderCache, StaticEncoderDecoderCache>;

struct EncoderDecoderOutput {
    at::Tensor logits;  ///< [batch, tokens, vocabulary]
    AnyEncoderDecoderCache past_key_values;
};

template <>
struct tree_node<EncoderDecoderOutput> {
    using leaves = members<&EncoderDecoderOutput::logits, &EncoderDecoderOutput::past_key_values>;
};

}  // namespace ferry
