#pragma once

#include <ferry/models/blocks/heads.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <optional>

/// Attention without a cache, between tokens that are all there.
namespace ferry::models {

using MaybeTensor = std::optional<at::Tensor>;

/// An input may be left out in two ways.
[[nodiscard]] inline bool is_given(const MaybeTensor& input) { return input.has_value() && input->defined(); }

/// Which tokens others look at: those that are no padding. Nothing where it is all.
[[nodiscard]] inline MaybeTensor seen_tokens(const MaybeTensor& attention_mask) {
    if (!is_given(attention_mask)) return {};
    return attention_mask->to(at::kBool).unsqueeze(1).unsqueeze(1);
}

/// What the heads of each token find in those that it looks at, side by side again.
[[nodiscard]] inline at::Tensor attended(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                         const MaybeTensor& seen) {
    return side_by_side(at::scaled_dot_product_attention(query, key, value, seen));
}

}  // namespace ferry::models
