#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>

#include <cstdint>

namespace ferry::models {

/// Values, bent so that they stay between `cap` and its negative.
[[nodiscard]] inline at::Tensor capped(const at::Tensor& x, double cap) { return at::tanh(x / cap) * cap; }

/// As scaled_dot_product_attention, which has no place for the cap. Heads that share keys go through as more tokens of one head.
[[nodiscard]] inline at::Tensor capped_attention(const at::Tensor& query, const at::Tensor& keys,
                                                 const at::Tensor& values, const at::Tensor& seen, double scale,
                                                 double cap, std::int64_t sharing) {
    const auto together = [](const at::Tensor& heads) { return heads.flatten(2, 3); };
    const auto apart = [&](const at::Tensor& heads) { return heads.unflatten(2, {sharing, -1}); };
    const at::Tensor queries = together(query.unflatten(1, {-1, sharing}));
    const at::Tensor scores = apart(capped(at::matmul(queries, keys.transpose(-1, -2)) * scale, cap));
    // Not infinite: padding sees no token at all, and its numbers must stay numbers.
    const at::Tensor hidden = scores.to(at::kFloat).masked_fill(seen.unsqueeze(2).logical_not(), -1e30);
    const at::Tensor shares = at::softmax(hidden, -1).to(query.scalar_type());
    return apart(at::matmul(together(shares), values)).flatten(1, 2);
}

}  // namespace ferry::models
