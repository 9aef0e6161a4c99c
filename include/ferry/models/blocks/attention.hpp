#pragma once

#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry::models {

struct AttentionOptions {
    std::int64_t width = 0, heads = 0, key_heads = 0, head_size = 0;
    bool has_bias = false;         ///< of queries, keys and values
    bool has_output_bias = false;
    bool normalizes_heads = false;  ///< queries and keys, each head by itself
    double epsilon = 1e-6;
};

/// Queries of some heads, keys and values of as many or fewer.
class Attention : public torch::nn::Module {
public:
    Attention(const Weights& weights, const AttentionOptions& options) : options_(options) {
        const std::int64_t wide = options.heads * options.head_size, narrow = options.key_heads * options.head_size;
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to, bool has_bias) {
            return register_module(name, std::make_shared<Linear>(weights / name, from, to, has_bias));
        };
        query_ = add("q_proj", options.width, wide, options.has_bias);
        key_ = add("k_proj", options.width, narrow, options.has_bias);
        value_ = add("v_proj", options.width, narrow, options.has_bias);
        output_ = add("o_proj", wide, options.width, options.has_output_bias);
        if (!options.normalizes_heads) return;
        const auto add_norm = [&](const char* name) {
            return register_module(name, std::make_shared<RmsNorm>(weights / name, options.head_size, options.epsilon));
        };
        query_norm_ = add_norm("q_norm");
        key_norm_ = add_norm("k_norm");
    }

    /// `seen` says which tokens of all a new one looks at.
    template <class Cache>
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const Rotary::Turns& turns, const at::Tensor& seen,
                                     Cache& cache, std::size_t layer) const {
        const at::Tensor query = turned(normalized(query_norm_, in_heads(*query_, x, options_.heads)), turns);
        const at::Tensor key = turned(normalized(key_norm_, in_heads(*key_, x, options_.key_heads)), turns);
        const auto [keys, values] = cache.update(key, in_heads(*value_, x, options_.key_heads), layer);
        const at::Tensor found =
            at::scaled_dot_product_attention(query, keys, values, seen, /*dropout_p=*/0, /*is_causal=*/false,
                                             1 / std::sqrt(static_cast<double>(options_.head_size)),
                                             /*enable_gqa=*/options_.heads != options_.key_heads);
        return output_->forward(found.transpose(1, 2).flatten(2));
    }

private:
    [[nodiscard]] at::Tensor in_heads(const Linear& projection, const at::Tensor& x, std::int64_t heads) const {
        return projection.forward(x).unflatten(-1, {heads, options_.head_size}).transpose(1, 2);
    }
    [[nodiscard]] static at::Tensor normalized(const std::shared_ptr<RmsNorm>& norm, const at::Tensor& heads) {
        return norm ? norm->forward(heads) : heads;
    }

    AttentionOptions options_;
    std::shared_ptr<Linear> query_, key_, value_, output_;
    std::shared_ptr<RmsNorm> query_norm_, key_norm_;
};

}  // namespace ferry::models
