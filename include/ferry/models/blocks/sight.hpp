#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ferry::models {

/// What new tokens look at.
struct Sight {
    at::Tensor places{};  ///< of the new tokens among all
    at::Tensor seen{};    ///< [batch, 1, new tokens, all tokens]: which of all each new one looks at
    std::optional<std::int64_t> window{};  ///< how many it looks back at the most
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

/// That of so many new tokens in a layer, over what the layer's cache has.
template <class Cache>
[[nodiscard]] Sight sight_over(const Cache& cache, std::size_t layer, const at::Tensor& attention_mask,
                               std::int64_t count, std::optional<std::int64_t> window = {}) {
    Sight made{.places = cache.places(count, attention_mask.device(), layer), .window = window};
    made.seen = seen_tokens(cache.mask_of(attention_mask, count, layer, window), made.places,
                            cache.length_with(count, layer), window);
    return made;
}

}  // namespace ferry::models
