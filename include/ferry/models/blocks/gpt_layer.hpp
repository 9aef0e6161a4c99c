#pragma once

#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/heads.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/projection.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/blocks/sight.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/nn/module.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::models {

/// How the elements behind a projection to queries, keys and values follow each other.
enum class QueryKeyValue {
    apart,         ///< a projection for each
    whole,         ///< all queries, all keys, all values
    head_by_head,  ///< query, key and value of the first head, then those of the next
};

/// What a layer's second half is computed from.
enum class SecondHalf {
    behind_attention,    ///< what attention has made
    beside_attention,    ///< what attention is computed from, behind a norm of its own
    shares_norm,         ///< as well, behind the norm of attention
};

/// What a layer's parts are called in a checkpoint.
struct GptLayerNames {
    std::string first_norm, second_norm, attention, mlp;
    std::vector<std::string> query_key_value;  ///< one or three
    std::string output, widen, narrow;
};

struct GptLayerOptions {
    std::int64_t width = 0, inner = 0, heads = 0;
    std::string activation = "gelu_new";
    double epsilon = 1e-5;
    double scale = 1;  ///< of queries times keys
    bool has_attention_bias = true;
    MatrixOrder order = MatrixOrder::to_from;
    QueryKeyValue query_key_value = QueryKeyValue::apart;
    SecondHalf second_half = SecondHalf::behind_attention;
    GptLayerNames names{};

    [[nodiscard]] std::int64_t head_size() const { return width / heads; }
};

class GptAttention : public torch::nn::Module {
public:
    GptAttention(const Weights& weights, const GptLayerOptions& options) : options_(options) {
        const std::int64_t width = options.width;
        const auto add = [&](const std::string& name, std::int64_t to) {
            return register_module(name, std::make_shared<Projection>(weights / name, width, to,
                                                                      options.has_attention_bias, options.order));
        };
        const bool is_apart = options.query_key_value == QueryKeyValue::apart;
        for (const std::string& name : options.names.query_key_value)
            query_key_value_.push_back(add(name, is_apart ? width : 3 * width));
        output_ = add(options.names.output, width);
        for (const char* older : {"bias", "masked_bias", "rotary_emb.inv_freq"}) weights.ignore(older);
    }

    template <class Cache>
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const Rotary::Turns& turns, const Sight& sight, Cache& cache,
                                     std::size_t layer) const {
        const auto [query, key, value] = projected(x);
        const auto [keys, values] = cache.update(turned(key, turns), value, layer, sight.places);
        const at::Tensor found =
            at::scaled_dot_product_attention(turned(query, turns), keys, values, sight.seen, /*dropout_p=*/0,
                                             /*is_causal=*/false, options_.scale);
        return output_->forward(side_by_side(found));
    }

private:
    /// Queries, keys and values, [batch, heads, tokens, head size] each.
    [[nodiscard]] std::array<at::Tensor, 3> projected(const at::Tensor& x) const {
        const std::int64_t heads = options_.heads, size = options_.head_size();
        if (options_.query_key_value == QueryKeyValue::apart) {
            const auto project = [&](std::size_t which) {
                return in_heads(query_key_value_[which]->forward(x), heads, size);
            };
            return {project(0), project(1), project(2)};
        }
        const bool is_whole = options_.query_key_value == QueryKeyValue::whole;
        const at::Tensor all = query_key_value_[0]->forward(x);
        const at::Tensor each = is_whole ? all.unflatten(-1, {3, heads, size}) : all.unflatten(-1, {heads, 3, size});
        const auto part = [&](std::int64_t which) { return each.select(is_whole ? 2 : 3, which).transpose(1, 2); };
        return {part(0), part(1), part(2)};
    }

    GptLayerOptions options_;
    std::vector<std::shared_ptr<Projection>> query_key_value_;
    std::shared_ptr<Projection> output_;
};

/// Out to more elements, through a function, and back.
class GptMlp : public torch::nn::Module {
public:
    GptMlp(const Weights& weights, const GptLayerOptions& options) : activation_(activation(options.activation)) {
        const auto add = [&](const std::string& name, std::int64_t from, std::int64_t to) {
            return register_module(
                name, std::make_shared<Projection>(weights / name, from, to, /*has_bias=*/true, options.order));
        };
        widen_ = add(options.names.widen, options.width, options.inner);
        narrow_ = add(options.names.narrow, options.inner, options.width);
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        return narrow_->forward(activation_(widen_->forward(x)));
    }

private:
    std::shared_ptr<Projection> widen_, narrow_;
    Activation activation_;
};

class GptLayer : public torch::nn::Module {
public:
    GptLayer(const Weights& weights, const GptLayerOptions& options, std::size_t layer)
        : layer_(layer), second_half_(options.second_half) {
        const auto add_norm = [&](const std::string& name) {
            return register_module(name, std::make_shared<LayerNorm>(weights / name, options.width, options.epsilon));
        };
        const GptLayerNames& names = options.names;
        first_norm_ = add_norm(names.first_norm);
        if (second_half_ != SecondHalf::shares_norm) second_norm_ = add_norm(names.second_norm);
        attention_ =
            register_module(names.attention, std::make_shared<GptAttention>(weights / names.attention, options));
        mlp_ = register_module(names.mlp, std::make_shared<GptMlp>(weights / names.mlp, options));
    }

    template <class Cache>
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const Rotary::Turns& turns, const Sight& sight,
                                     Cache& cache) const {
        const at::Tensor normal = first_norm_->forward(x);
        const at::Tensor found = attention_->forward(normal, turns, sight, cache, layer_);
        if (second_half_ == SecondHalf::behind_attention) {
            const at::Tensor sum = x + found;
            return sum + mlp_->forward(second_norm_->forward(sum));
        }
        return x + found + mlp_->forward(second_norm_ ? second_norm_->forward(x) : normal);
    }

private:
    std::size_t layer_;
    SecondHalf second_half_;
    std::shared_ptr<LayerNorm> first_norm_, second_norm_;
    std::shared_ptr<GptAttention> attention_;
    std::shared_ptr<GptMlp> mlp_;
};

}  // namespace ferry::models
