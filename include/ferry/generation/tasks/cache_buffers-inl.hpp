#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/generation/tasks/cache_buffers.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::generation {
namespace detail {

/// Buffers have no dots in their names.
[[nodiscard]] inline std::string buffer_name(std::string path) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> told{
        {{"keys", "key_cache"}, {"values", "value_cache"}, {"length", "cumulative_length"}}};
    for (const auto& [ours, theirs] : told)
        if (const std::size_t at = path.find(ours); at != std::string::npos) path.replace(at, ours.size(), theirs);
    for (char& each : path)
        if (each == '.') each = '_';
    return path;
}

[[nodiscard]] inline bool is_length(const Leaf& leaf) {
    return leaf.is_tensor() && leaf.tensor().dim() == 0 && leaf.tensor().scalar_type() == at::kLong;
}

}  // namespace detail

FERRY_INLINE CacheBuffers::CacheBuffers(torch::nn::Module& owner, Tree cache) : cache_(std::move(cache)) {
    const std::vector<std::string> paths = cache_.spec.leaf_paths();
    for (std::size_t i = 0; i < paths.size(); ++i)
        if (Leaf& leaf = cache_.leaves[i]; leaf.is_tensor())
            leaf = owner.register_buffer(detail::buffer_name(paths[i]), leaf.tensor());
}

FERRY_INLINE Tree CacheBuffers::before(const at::Tensor& cache_position) const {
    for (const Leaf& leaf : cache_.leaves)
        if (detail::is_length(leaf)) leaf.tensor().copy_(cache_position.select(0, 0));
    return cache_;
}

}  // namespace ferry::generation
