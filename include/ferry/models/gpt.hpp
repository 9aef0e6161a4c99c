#pragma once

#include <ferry/core/names.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/causal_output.hpp>
#include <ferry/models/blocks/gpt_layer.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry::models {

/// What a model's parts are called in a checkpoint.
struct GptNames {
    std::string base;  ///< before all but the head; checkpoints of the model without a head do not have it
    std::string tokens, positions, layers, norm;
    std::string head, older_head;
};

/// What the language models have in common whose layers are attention and a plain MLP behind LayerNorms.
struct GptOptions {
    std::int64_t vocabulary = 0, layers = 0;
    GptLayerOptions layer{};
    std::int64_t positions = 0;             ///< how many have a vector; 0: none has
    std::optional<RotaryOptions> rotary{};
    bool ties_embeddings = false;           ///< the matrix behind the last layer is the one before the first
    bool has_head_bias = false;
    bool scales_by_layer = false;           ///< the scale of attention is divided by a layer's number, from 1
    GptNames names{};

    /// What config.json has under the names of GPT-2.
    [[nodiscard]] static GptOptions read(ConfigReader& config);
    /// Heads must share the width.
    void require_whole_heads() const;
};

/// A language model of a checkpoint.
class GptDecoder : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask", "position_ids", "past_key_values");

    GptDecoder(const Weights& weights, GptOptions options);

    [[nodiscard]] const GptOptions& options() const noexcept { return options_; }

    /// Token ids, 1 where there is a token among those of the cache and these, each token's place in its text, and the cache.
    [[nodiscard]] CausalOutput forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                       const at::Tensor& position_ids, Cache past_key_values);

    [[nodiscard]] StaticCache static_cache(std::int64_t batch, std::int64_t length) const;

private:
    template <class Cache>
    [[nodiscard]] at::Tensor hidden(at::Tensor x, const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                    Cache& cache) const;

    GptOptions options_;
    std::shared_ptr<Embedding> tokens_, positions_;
    std::vector<std::shared_ptr<GptLayer>> layers_;
    std::shared_ptr<LayerNorm> norm_;
    std::shared_ptr<Rotary> rotary_;
    at::Tensor head_, head_bias_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/gpt-inl.hpp>
#endif
