#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <cstdint>
#include <optional>

namespace ferry::models {

/// What new tokens look at.
struct Sight {
    at::Tensor places;   ///< of the new tokens among all
    at::Tensor seen{};   ///< [batch, 1, new tokens, all tokens]: which of all each new one looks at
};

/// Those before it and itself: [new tokens, all tokens].
[[nodiscard]] inline at::Tensor seen_so_far(const at::Tensor& places, std::int64_t all) {
    return at::arange(all, at::TensorOptions(places.device())) <= places.unsqueeze(1);
}

/// Those before it and itself, as far as there is a window, and none that is padding.
[[nodiscard]] inline at::Tensor seen_tokens(const at::Tensor& attention_mask, const at::Tensor& places,
                                            std::int64_t all, std::optional<std::int64_t> window = {}) {
    const at::Tensor every = at::arange(all, at::TensorOptions(places.device())), fresh = places.unsqueeze(1);
    at::Tensor seen = every <= fresh;
    if (window) seen = seen.logical_and(every > fresh - *window);
    return seen.logical_and(attention_mask.to(at::kBool).unsqueeze(1).unsqueeze(1));
}

}  // namespace ferry::models
