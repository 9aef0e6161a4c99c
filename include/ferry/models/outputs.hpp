#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <ATen/core/Tensor.h>

namespace ferry {

/// What a model with a head gives.
struct LogitsOutput {
    at::Tensor logits;
};
template <>
struct tree_node<LogitsOutput> {
    using leaves = members<&LogitsOutput::logits>;
};

/// What a classifier with two heads gives: the mean of their logits, and those of each.
struct DistilledOutput {
    at::Tensor logits, cls_logits, distillation_logits;
};
template <>
struct tree_node<DistilledOutput> {
    using leaves =
        members<&DistilledOutput::logits, &DistilledOutput::cls_logits, &DistilledOutput::distillation_logits>;
};

/// What a model without a head gives: [batch, tokens, width].
struct HiddenOutput {
    at::Tensor last_hidden_state;
};
template <>
struct tree_node<HiddenOutput> {
    using leaves = members<&HiddenOutput::last_hidden_state>;
};

/// The same, and one vector for all tokens; undefined where the model makes none.
struct PooledOutput {
    at::Tensor last_hidden_state, pooler_output;
};
template <>
struct tree_node<PooledOutput> {
    using leaves = members<&PooledOutput::last_hidden_state, &PooledOutput::pooler_output>;
};

}  // namespace ferry
