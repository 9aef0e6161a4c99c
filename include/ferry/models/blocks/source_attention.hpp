#pragma once

#include <ferry/models/blocks/heads.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/nn/module.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace ferry::models {

struct SourceAttentionOptions {
    std::int64_t width = 0, heads = 0, head_size = 0;
    double scale = 1;       ///< of queries
    bool has_bias = false;  ///< of queries, values and the output; one of keys would change no share
    std::array<const char*, 4> names{"q_proj", "k_proj", "v_proj", "out_proj"};
};

/// Attention to a source: the tokens themselves, or what an encoder has made of others.
class SourceAttention : public torch::nn::Module {
public:
    SourceAttention(const Weights& weights, const SourceAttentionOptions& options) : options_(options) {
        const std::int64_t inner = options.heads * options.head_size;
        const auto add = [&](std::size_t index, std::int64_t from, std::int64_t to, bool has_bias) {
            const char* name = options.names[index];
            return register_module(name, std::make_shared<Linear>(weights / name, from, to, has_bias));
        };
        query_ = add(0, options.width, inner, options.has_bias);
        key_ = add(1, options.width, inner, false);
        value_ = add(2, options.width, inner, options.has_bias);
        output_ = add(3, inner, options.width, options.has_bias);
    }

    /// Keys and values of a source.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> read(const at::Tensor& source) const {
        return {projected(*key_, source), projected(*value_, source)};
    }

    /// `seen`: which keys each query looks at, or what is added to their scores.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const std::pair<at::Tensor, at::Tensor>& keys_and_values,
                                     const std::optional<at::Tensor>& seen) const {
        const auto& [keys, values] = keys_and_values;
        at::Tensor queries = projected(*query_, x);
        if (options_.scale != 1) queries = queries * options_.scale;  // not the scores: that rounds otherwise
        const at::Tensor found = at::scaled_dot_product_attention(queries, keys, values, seen, /*dropout_p=*/0,
                                                                  /*is_causal=*/false, /*scale=*/1.0);
        return output_->forward(side_by_side(found));
    }

private:
    [[nodiscard]] at::Tensor projected(const Linear& projection, const at::Tensor& x) const {
        return in_heads(projection.forward(x), options_.heads, options_.head_size);
    }

    SourceAttentionOptions options_;
    std::shared_ptr<Linear> query_, key_, value_, output_;
};

}  // namespace ferry::models
