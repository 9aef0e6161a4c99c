#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace ferry {

/// What a state space model knows of all tokens so far, layer by layer: tensors that never grow.
struct MambaCache {
    std::vector<at::Tensor> conv_states{};  ///< [batch, channels, kernel size] each: the convolution's last inputs
    std::vector<at::Tensor> ssm_states{};   ///< [batch, channels, state size] each

    /// Whether a layer has seen tokens.
    [[nodiscard]] bool has(std::size_t layer) const { return layer < conv_states.size(); }
    void set(std::size_t layer, at::Tensor conv_state, at::Tensor ssm_state) {
        if (!has(layer)) {
            conv_states.resize(layer + 1);
            ssm_states.resize(layer + 1);
        }
        conv_states[layer] = std::move(conv_state);
        ssm_states[layer] = std::move(ssm_state);
    }
};

template <>
struct tree_node<MambaCache> {
    using leaves = members<&MambaCache::conv_states, &MambaCache::ssm_states>;
};

/// What a state space model gives: [batch, tokens, vocabulary], and the cache behind the new tokens.
struct MambaOutput {
    at::Tensor logits;
    MambaCache cache_params;
};

template <>
struct tree_node<MambaOutput> {
    using leaves = members<&MambaOutput::logits, &MambaOutput::cache_params>;
};

}  // namespace ferry
