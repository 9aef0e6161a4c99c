#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

struct RelativeBiasOptions {
    std::int64_t heads = 0;
    std::int64_t buckets = 32;        ///< near distances have one each, far ones share them
    std::int64_t max_distance = 128;  ///< from here on all are in the last
    bool looks_ahead = true;          ///< half of the buckets are for what comes behind a token
};

/// The bucket of each distance from -max_distance on, up to max_distance or to 0.
[[nodiscard]] at::Tensor relative_buckets(const RelativeBiasOptions& options);

/// What is added to the scores of attention by how far apart two tokens are.
class RelativeBias : public torch::nn::Module {
public:
    RelativeBias(const Weights& weights, const RelativeBiasOptions& options);

    /// [1, heads, tokens, all]: of tokens at these places, to all.
    [[nodiscard]] at::Tensor forward(const at::Tensor& places, std::int64_t all) const;

    at::Tensor weight;

private:
    RelativeBiasOptions options_;
    at::Tensor buckets_;
};

/// Scores to add, of which only those of seen keys count.
[[nodiscard]] at::Tensor only_seen(const at::Tensor& bias, const at::Tensor& seen);

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/relative_bias-inl.hpp>
#endif
