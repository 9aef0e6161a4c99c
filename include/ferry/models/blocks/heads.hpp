#pragma once

#include <ferry/core/error.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

/// Widths that are shared by heads.
namespace ferry::models {

[[nodiscard]] inline std::int64_t head_size(std::int64_t width, std::int64_t heads) {
    if (heads <= 0 || width % heads != 0)
        throw Error(ErrorKind::bad_file, "config.json: a width of " + std::to_string(width) + " cannot be shared by " +
                                             std::to_string(heads) + " heads");
    return width / heads;
}

/// [batch, tokens, width] to [batch, heads, tokens, size].
[[nodiscard]] inline at::Tensor in_heads(const at::Tensor& x, std::int64_t heads, std::int64_t size) {
    return x.unflatten(-1, {heads, size}).transpose(1, 2);
}
/// And back.
[[nodiscard]] inline at::Tensor side_by_side(const at::Tensor& heads) { return heads.transpose(1, 2).flatten(2); }

}  // namespace ferry::models
