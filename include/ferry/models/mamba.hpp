#pragma once

#include <ferry/core/names.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/generation/mamba_cache.hpp>
#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {

struct MambaOptions {
    std::int64_t vocabulary = 0, width = 0, layers = 0;
    std::int64_t channels = 0;  ///< between the projections of a layer
    std::int64_t state = 0;     ///< of each channel
    std::int64_t kernel = 0;    ///< how many tokens the convolution sees
    std::int64_t rank = 0;      ///< of what the lengths of the steps are made from
    std::string activation = "silu";
    double epsilon = 1e-5;
    bool has_bias = false;
    bool has_conv_bias = true;
    bool adds_in_float = true;  ///< what goes around the layers is float32
    bool ties_embeddings = true;

    [[nodiscard]] static MambaOptions read(ConfigReader& config);
};

/// A state for each channel, which every token lets fade and writes to, both as it chooses itself.
class MambaMixer : public torch::nn::Module {
public:
    MambaMixer(const Weights& weights, const MambaOptions& options, std::int64_t layer);

    /// `is_token` [batch, tokens, 1] is 0 where there is padding.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const std::optional<at::Tensor>& is_token,
                                     MambaCache& cache) const;

private:
    /// The convolution's result for each token, and its last inputs.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> convolved(const at::Tensor& x, const MambaCache& cache) const;
    /// What each token reads of the states, and the states behind the last.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> selected(const at::Tensor& x, const MambaCache& cache) const;

    MambaOptions options_;
    std::size_t layer_;
    std::shared_ptr<Linear> in_, select_, step_, out_;
    at::Tensor kernel_, kernel_bias_, fading_, around_;
    Activation activation_;
};

class MambaBlock : public torch::nn::Module {
public:
    MambaBlock(const Weights& weights, const MambaOptions& options, std::int64_t layer)
        : adds_in_float_(options.adds_in_float),
          norm_(register_module("norm", std::make_shared<RmsNorm>(weights / "norm", options.width, options.epsilon))),
          mixer_(register_module("mixer", std::make_shared<MambaMixer>(weights / "mixer", options, layer))) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const std::optional<at::Tensor>& is_token,
                                     MambaCache& cache) const {
        const at::Tensor made = mixer_->forward(norm_->forward(x.to(norm_->weight.scalar_type())), is_token, cache);
        return (adds_in_float_ ? x.to(at::kFloat) : x) + made;
    }

private:
    bool adds_in_float_;
    std::shared_ptr<RmsNorm> norm_;
    std::shared_ptr<MambaMixer> mixer_;
};

/// A language model of such layers.
class MambaDecoder : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask", "cache_params");

    MambaDecoder(const Weights& weights, const MambaOptions& options);

    /// Token ids, 1 where there is a token and 0 where there is padding, and the cache. The mask may speak of the tokens before too.
    [[nodiscard]] MambaOutput forward(const at::Tensor& input_ids, const std::optional<at::Tensor>& attention_mask,
                                      MambaCache cache_params) const;

private:
    std::shared_ptr<Embedding> tokens_;
    std::vector<std::shared_ptr<MambaBlock>> layers_;
    std::shared_ptr<RmsNorm> norm_;
    at::Tensor head_;
};

struct Mamba {
    using Model = MambaDecoder;
    static constexpr std::string_view architecture = "MambaForCausalLM";

    [[nodiscard]] static MambaOptions options(ConfigReader& config) { return MambaOptions::read(config); }
};

using state_space_models = type_list<Mamba>;

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/mamba-inl.hpp>
#endif
