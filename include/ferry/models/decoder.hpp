#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/causal_output.hpp>
#include <ferry/models/blocks/attention.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry::models {

/// What the language models have in common that are made of attention and a gated MLP, each behind a norm.
struct DecoderOptions {
    std::int64_t vocabulary = 0, width = 0, inner = 0, layers = 0;
    AttentionOptions attention{};
    RotaryOptions rotary{};
    std::string activation = "silu";
    double epsilon = 1e-6;
    bool has_mlp_bias = false;
    bool ties_embeddings = false;           ///< the matrix behind the last layer is the one before the first
    std::optional<std::int64_t> window{};   ///< how many tokens a sliding layer looks back
    std::vector<bool> is_sliding{};         ///< layer by layer; empty: all are, if there is a window

    /// The fields that all of them have.
    [[nodiscard]] static DecoderOptions read(ConfigReader& config);
    [[nodiscard]] bool slides(std::int64_t layer) const {
        return window && (is_sliding.empty() || is_sliding.at(static_cast<std::size_t>(layer)));
    }
};

class DecoderLayer : public torch::nn::Module {
public:
    DecoderLayer(const Weights& weights, const DecoderOptions& options, std::int64_t layer)
        : layer_(static_cast<std::size_t>(layer)), slides_(options.slides(layer)) {
        attention_ =
            register_module("self_attn", std::make_shared<Attention>(weights / "self_attn", options.attention));
        mlp_ = register_module("mlp", std::make_shared<GatedMlp>(weights / "mlp", options.width, options.inner,
                                                                 options.has_mlp_bias, options.activation));
        before_ = register_module(
            "input_layernorm", std::make_shared<RmsNorm>(weights / "input_layernorm", options.width, options.epsilon));
        between_ = register_module(
            "post_attention_layernorm",
            std::make_shared<RmsNorm>(weights / "post_attention_layernorm", options.width, options.epsilon));
    }

    [[nodiscard]] bool slides() const noexcept { return slides_; }

    template <class Cache>
    [[nodiscard]] at::Tensor forward(at::Tensor x, const Rotary::Turns& turns, const at::Tensor& seen,
                                     Cache& cache) const {
        x = x + attention_->forward(before_->forward(x), turns, seen, cache, layer_);
        return x + mlp_->forward(between_->forward(x));
    }

private:
    std::size_t layer_;
    bool slides_;
    std::shared_ptr<Attention> attention_;
    std::shared_ptr<GatedMlp> mlp_;
    std::shared_ptr<RmsNorm> before_, between_;
};

/// Which tokens each new one looks at: those before it and itself, as far as there is a window, and none that is padding.
[[nodiscard]] at::Tensor seen_tokens(const at::Tensor& attention_mask, std::int64_t past, std::int64_t count,
                                     std::optional<std::int64_t> window);

/// A language model of a checkpoint.
class Decoder : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask", "position_ids", "past_key_values");

    Decoder(const Weights& weights, DecoderOptions options);

    [[nodiscard]] const DecoderOptions& options() const noexcept { return options_; }

    /// Token ids, 1 where there is a token among those of the cache and these, each token's place in its text, and the cache.
    [[nodiscard]] CausalOutput<DynamicCache> forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                                     const at::Tensor& position_ids, DynamicCache past_key_values);

private:
    DecoderOptions options_;
    std::shared_ptr<Embedding> tokens_;
    std::vector<std::shared_ptr<DecoderLayer>> layers_;
    std::shared_ptr<RmsNorm> norm_;
    std::shared_ptr<Rotary> rotary_;
    at::Tensor head_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/decoder-inl.hpp>
#endif
