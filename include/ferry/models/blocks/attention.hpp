#pragma once

#include <ferry/models/blocks/capped_attention.hpp>
#include <ferry/models/blocks/heads.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/blocks/sight.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/nn/module.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace ferry::models {

/// What queries and keys are normalized over.
enum class HeadNorms : std::uint8_t { none, each_head, all_heads };

struct AttentionOptions {
    std::int64_t width = 0, heads = 0, key_heads = 0, head_size = 0;
    bool has_bias = false;  ///< of queries, keys and values
    bool has_output_bias = false;
    bool has_fused_projections = false;  ///< of queries, keys and values, in this order
    HeadNorms head_norms = HeadNorms::none;
    NormOptions norm{};
    std::optional<double> scale{};  ///< of the scores; else 1 / sqrt(head size)
    std::optional<double> cap{};    ///< which they do not exceed
};

/// Queries of some heads, keys and values of as many or fewer.
class Attention : public torch::nn::Module {
public:
    Attention(const Weights& weights, const AttentionOptions& options)
        : options_(options),
          wide_(options.heads * options.head_size),
          narrow_(options.key_heads * options.head_size),
          scale_(options.scale.value_or(1 / std::sqrt(static_cast<double>(options.head_size)))) {
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to, bool has_bias) {
            return register_module(name, std::make_shared<Linear>(weights / name, from, to, has_bias));
        };
        if (options.has_fused_projections) {
            fused_ = add("qkv_proj", options.width, wide_ + 2 * narrow_, options.has_bias);
        } else {
            query_ = add("q_proj", options.width, wide_, options.has_bias);
            key_ = add("k_proj", options.width, narrow_, options.has_bias);
            value_ = add("v_proj", options.width, narrow_, options.has_bias);
        }
        output_ = add("o_proj", wide_, options.width, options.has_output_bias);
        if (options.head_norms == HeadNorms::none) return;
        const auto add_norm = [&](const char* name, std::int64_t all) {
            const bool is_each = options.head_norms == HeadNorms::each_head;
            return register_module(name, options.norm.make(weights / name, is_each ? options.head_size : all));
        };
        query_norm_ = add_norm("q_norm", wide_);
        key_norm_ = add_norm("k_norm", narrow_);
    }

    template <class Cache>
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const Rotary::Turns& turns, const Sight& sight, Cache& cache,
                                     std::size_t layer) const {
        const Projected made = projected(x);
        const at::Tensor query = turned(normalized_heads(made.query, options_.heads, query_norm_), turns);
        const at::Tensor key = turned(normalized_heads(made.key, options_.key_heads, key_norm_), turns);
        const auto [keys, values] =
            cache.update(key, with_heads(made.value, options_.key_heads), layer, sight.places, sight.window);
        return output_->forward(side_by_side(attended(query, keys, values, sight.seen)));
    }

private:
    struct Projected {
        at::Tensor query, key, value;
    };
    [[nodiscard]] Projected projected(const at::Tensor& x) const {
        if (!fused_) return {query_->forward(x), key_->forward(x), value_->forward(x)};
        const at::Tensor all = fused_->forward(x);
        return {all.slice(-1, 0, wide_), all.slice(-1, wide_, wide_ + narrow_),
                all.slice(-1, wide_ + narrow_, wide_ + 2 * narrow_)};
    }
    [[nodiscard]] at::Tensor with_heads(const at::Tensor& x, std::int64_t heads) const {
        return in_heads(x, heads, options_.head_size);
    }
    [[nodiscard]] at::Tensor normalized_heads(const at::Tensor& x, std::int64_t heads,
                                              const std::shared_ptr<Norm>& norm) const {
        if (!norm) return with_heads(x, heads);
        const bool is_each = options_.head_norms == HeadNorms::each_head;
        return is_each ? norm->forward(with_heads(x, heads)) : with_heads(norm->forward(x), heads);
    }
    [[nodiscard]] at::Tensor attended(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                                      const at::Tensor& seen) const {
        if (options_.cap)
            return capped_attention(query, keys, values, seen, scale_, *options_.cap,
                                    options_.heads / options_.key_heads);
        return at::scaled_dot_product_attention(query, keys, values, seen, /*dropout_p=*/0, /*is_causal=*/false, scale_,
                                                /*enable_gqa=*/options_.heads != options_.key_heads);
    }

    AttentionOptions options_;
    std::int64_t wide_, narrow_;
    double scale_;
    std::shared_ptr<Linear> query_, key_, value_, fused_, output_;
    std::shared_ptr<Norm> query_norm_, key_norm_;
};

}  // namespace ferry::models
