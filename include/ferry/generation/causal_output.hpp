#pragma once

#include <ferry/generation/cache.hpp>
#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/core/Tensor.h>

namespace ferry {

/// What a language model gives: [batch, tokens, vocabulary], and the cache with the new tokens.
struct CausalOutput {
    at::Tensor logits;
    Cache past_key_values;
};

template <>
struct tree_node<CausalOutput> {
    using leaves = members<&CausalOutput::logits, &CausalOutput::past_key_values>;
};

/// What its layers give before the head: [batch, tokens, width], and the cache.
struct CausalHiddenOutput {
    at::Tensor last_hidden_state;
    Cache past_key_values;
};

template <>
struct tree_node<CausalHiddenOutput> {
    using leaves = members<&CausalHiddenOutput::last_hidden_state, &CausalHiddenOutput::past_key_values>;
};

}  // namespace ferry
