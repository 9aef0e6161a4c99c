#pragma once

#include <ferry/core/error.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <cstdint>
#include <optional>
#include <string>

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

[[nodiscard]] inline std::int64_t head_size(std::int64_t width, std::int64_t heads) {
    if (heads <= 0 || width % heads != 0)
        throw Error(ErrorKind::bad_file, "config.json: a width of " + std::to_string(width) + " cannot be shared by " +
                                             std::to_string(heads) + " heads");
    return width / heads;
}

[[nodiscard]] inline at::Tensor in_heads(const at::Tensor& x, std::int64_t heads, std::int64_t size) {
    return x.unflatten(-1, {heads, size}).transpose(1, 2);
}

/// What the heads of each token find in those that it looks at, side by side again.
[[nodiscard]] inline at::Tensor attended(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                         const MaybeTensor& seen) {
    return at::scaled_dot_product_attention(query, key, value, seen).transpose(1, 2).flatten(2);
}

}  // namespace ferry::models
