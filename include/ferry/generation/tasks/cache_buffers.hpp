#pragma once

#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

namespace ferry::generation {

/// A cache with room for so many tokens as buffers of the module that owns it: `key_cache_0`, `value_cache_0`, `cumulative_length`.
/// It stays from call to call, as runners of one file have it.
class CacheBuffers {
public:
    CacheBuffers(torch::nn::Module& owner, Tree cache);

    /// The cache with as many tokens in it as come before the first of these: a run begins again at 0.
    [[nodiscard]] Tree before(const at::Tensor& cache_position) const;

private:
    Tree cache_;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/cache_buffers-inl.hpp>
#endif
