#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/causal_output.hpp>
#include <ferry/models/blocks/attention.hpp>
#include <ferry/models/blocks/feed_forward.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/blocks/sight.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry::models {

/// What the norms of a layer are called in a checkpoint; empty: there is none.
struct LayerNorms {
    std::string before_attention = "input_layernorm", after_attention{};
    std::string before_mlp = "post_attention_layernorm", after_mlp{};
};

struct DecoderOptions;

/// What makes the MLP of a layer, from the weights of that layer.
using MakeFeedForward = std::function<std::shared_ptr<FeedForward>(const Weights& layer, const DecoderOptions& options,
                                                                   std::int64_t index)>;
[[nodiscard]] std::shared_ptr<FeedForward> gated_mlp(const Weights& layer, const DecoderOptions& options,
                                                     std::int64_t index);
[[nodiscard]] std::shared_ptr<FeedForward> fused_gated_mlp(const Weights& layer, const DecoderOptions& options,
                                                           std::int64_t index);

/// What the language models have in common that are made of attention and an MLP, with norms around each.
struct DecoderOptions {
    std::int64_t vocabulary = 0, width = 0, layers = 0;
    AttentionOptions attention{};
    RotaryOptions rotary{};
    std::optional<RotaryOptions> sliding_rotary{};  ///< of the sliding layers, if it is another
    MlpOptions mlp = MlpOptions();  ///< not `{}`: g++ 12 would take its string for uninitialized where it optimises
    MakeFeedForward make_feed_forward = &gated_mlp;
    NormOptions norm{};
    LayerNorms layer_norms{};
    bool ties_embeddings = false;          ///< the matrix behind the last layer is the one before the first
    std::optional<std::int64_t> window{};  ///< how many tokens a sliding layer looks back
    std::vector<bool> is_sliding{};        ///< layer by layer; empty: all are, if there is a window
    std::vector<bool> is_turned{};         ///< layer by layer, whether it knows of positions; empty: all do
    double embedding_scale = 1;
    bool rounds_embedding_scale = false;   ///< to the type of the weights
    double residual_scale = 1;             ///< of what attention and MLP add
    double logit_divisor = 1;
    std::optional<double> logit_cap{};     ///< which logits do not exceed

    /// The fields that all of them have; what config.json does not say is as in `defaults`.
    [[nodiscard]] static DecoderOptions read(ConfigReader& config, DecoderOptions defaults);
    [[nodiscard]] static DecoderOptions read(ConfigReader& config) { return read(config, {}); }
    [[nodiscard]] bool slides(std::int64_t layer) const {
        return window && (is_sliding.empty() || is_sliding.at(static_cast<std::size_t>(layer)));
    }
    [[nodiscard]] bool turns(std::int64_t layer) const {
        return is_turned.empty() || is_turned.at(static_cast<std::size_t>(layer));
    }
};

class DecoderLayer : public torch::nn::Module {
public:
    DecoderLayer(const Weights& weights, const DecoderOptions& options, std::int64_t layer)
        : layer_(static_cast<std::size_t>(layer)),
          slides_(options.slides(layer)),
          turns_(options.turns(layer)),
          residual_scale_(options.residual_scale) {
        attention_ =
            register_module("self_attn", std::make_shared<Attention>(weights / "self_attn", options.attention));
        mlp_ = register_module("mlp", options.make_feed_forward(weights, options, layer));
        const auto add_norm = [&](const std::string& name) {
            return name.empty() ? nullptr : register_module(name, options.norm.make(weights / name, options.width));
        };
        before_attention_ = add_norm(options.layer_norms.before_attention);
        after_attention_ = add_norm(options.layer_norms.after_attention);
        before_mlp_ = add_norm(options.layer_norms.before_mlp);
        after_mlp_ = add_norm(options.layer_norms.after_mlp);
    }

    [[nodiscard]] std::size_t index() const noexcept { return layer_; }
    [[nodiscard]] bool slides() const noexcept { return slides_; }

    template <class Cache>
    [[nodiscard]] at::Tensor forward(at::Tensor x, const Rotary::Turns& turns, const Sight& sight, Cache& cache) const {
        const at::Tensor found = attention_->forward(normalized(before_attention_, x), turns_ ? turns : Rotary::Turns{},
                                                     sight, cache, layer_);
        x = x + scaled(normalized(after_attention_, found));
        return x + scaled(normalized(after_mlp_, mlp_->forward(normalized(before_mlp_, x))));
    }

private:
    [[nodiscard]] static at::Tensor normalized(const std::shared_ptr<Norm>& norm, const at::Tensor& x) {
        return norm ? norm->forward(x) : x;
    }
    [[nodiscard]] at::Tensor scaled(const at::Tensor& x) const {
        return residual_scale_ == 1 ? x : x * residual_scale_;
    }

    std::size_t layer_;
    bool slides_, turns_;
    double residual_scale_;
    std::shared_ptr<Attention> attention_;
    std::shared_ptr<FeedForward> mlp_;
    std::shared_ptr<Norm> before_attention_, after_attention_, before_mlp_, after_mlp_;
};

/// All layers of a language model, between the embeddings of tokens and the head.
class DecoderBody : public torch::nn::Module {
public:
    static constexpr auto forward_parameters =
        names("inputs_embeds", "attention_mask", "position_ids", "past_key_values");

    DecoderBody(const Weights& weights, DecoderOptions options);

    [[nodiscard]] const DecoderOptions& options() const noexcept { return options_; }

    /// Vectors of tokens, and the rest as Decoder has it.
    [[nodiscard]] CausalHiddenOutput forward(const at::Tensor& inputs_embeds, const at::Tensor& attention_mask,
                                             const at::Tensor& position_ids, Cache past_key_values) const;

    [[nodiscard]] StaticCache static_cache(std::int64_t batch, std::int64_t length) const;

private:
    template <class Cache>
    [[nodiscard]] at::Tensor hidden(at::Tensor x, const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                    Cache& cache) const;

    DecoderOptions options_;
    std::vector<std::shared_ptr<DecoderLayer>> layers_;
    std::shared_ptr<Norm> norm_;
    std::shared_ptr<Rotary> rotary_, sliding_rotary_;
};

/// A language model of a checkpoint.
class Decoder : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask", "position_ids", "past_key_values");

    Decoder(const Weights& weights, const DecoderOptions& options);

    [[nodiscard]] const DecoderOptions& options() const noexcept { return body_->options(); }

    /// Token ids, 1 where there is a token among those of the cache and these, each token's place in its text, and the cache.
    [[nodiscard]] CausalOutput forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                       const at::Tensor& position_ids, Cache past_key_values);

    [[nodiscard]] StaticCache static_cache(std::int64_t batch, std::int64_t length) const {
        return body_->static_cache(batch, length);
    }

private:
    [[nodiscard]] at::Tensor embedded(const at::Tensor& input_ids) const;
    [[nodiscard]] at::Tensor logits(const at::Tensor& x) const;

    std::shared_ptr<Embedding> tokens_;
    std::shared_ptr<DecoderBody> body_;
    at::Tensor head_;
    double embedding_scale_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/decoder-inl.hpp>
#endif
