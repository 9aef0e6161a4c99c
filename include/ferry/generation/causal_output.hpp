#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/core/Tensor.h>

namespace ferry {

/// What a language model gives: [batch, tokens, vocabulary], and the cache with the new tokens.
template <class Cache>
struct CausalOutput {
    at::Tensor logits;
    Cache past_key_values;
};

template <class Cache>
struct tree_node<CausalOutput<Cache>> {
    using leaves = members<&CausalOutput<Cache>::logits, &CausalOutput<Cache>::past_key_values>;
};

}  // namespace ferry
