#pragma once

#include <ferry/capture/submodule.hpp>
#include <ferry/core/names.hpp>
#include <ferry/generation/encoder_decoder_cache.hpp>
#include <ferry/models/blocks/convolution.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/source_attention.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/outputs.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {

/// Of the encoder or the decoder.
struct WhisperStackOptions {
    std::int64_t layers = 0, heads = 0, inner = 0, positions = 0;
};

struct WhisperOptions {
    std::int64_t vocabulary = 0, width = 0, bins = 0;  ///< bins: frequencies in a frame of sound
    WhisperStackOptions encoder{}, decoder{};
    std::string activation = "gelu";
    bool ties_embeddings = true;

    [[nodiscard]] static WhisperOptions read(ConfigReader& config);
};

class WhisperLayer : public torch::nn::Module {
public:
    WhisperLayer(const Weights& weights, const WhisperOptions& options, bool is_decoder);

    /// Of the encoder.
    [[nodiscard]] at::Tensor forward(at::Tensor x) const;

    /// What the decoder's layers look at.
    struct Sources {
        at::Tensor places;   ///< of the new tokens among all
        at::Tensor seen;     ///< which of all tokens each new one looks at
        at::Tensor encoded;  ///< what the encoder gave
    };
    template <class Cache>
    [[nodiscard]] at::Tensor forward(at::Tensor x, const Sources& sources, Cache& cache, std::size_t layer) const;

private:
    std::shared_ptr<SourceAttention> self_, cross_;
    std::shared_ptr<Mlp> mlp_;
    std::shared_ptr<LayerNorm> before_self_, before_cross_, before_mlp_;
};

/// Layers of the encoder or the decoder, with what is around them.
class WhisperStack : public torch::nn::Module {
public:
    WhisperStack(const Weights& weights, const WhisperOptions& options, bool is_decoder);

protected:
    std::shared_ptr<Embedding> positions_;
    std::vector<std::shared_ptr<WhisperLayer>> layers_;
    std::shared_ptr<LayerNorm> norm_;
};

class WhisperEncoder : public WhisperStack {
public:
    static constexpr auto forward_parameters = names("input_features");

    WhisperEncoder(const Weights& weights, const WhisperOptions& options);

    /// [batch, bins, frames], two frames for each position that there is.
    [[nodiscard]] HiddenOutput forward(const at::Tensor& input_features) const;

private:
    std::shared_ptr<Convolution1d> first_, second_;
};

class WhisperDecoder : public WhisperStack {
public:
    WhisperDecoder(const Weights& weights, const WhisperOptions& options);

    template <class Cache>
    [[nodiscard]] at::Tensor forward(const at::Tensor& ids, const at::Tensor& encoded, Cache& cache) const;
    [[nodiscard]] const at::Tensor& embeddings() const { return tokens_->weight; }

private:
    std::shared_ptr<Embedding> tokens_;
};

/// An encoder of sound, and the language model that writes what it heard.
class Whisper : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("decoder_input_ids", "encoder_hidden_states", "past_key_values");

    Whisper(const Weights& weights, const WhisperOptions& options);

    /// With a cache that is not empty, `encoder_hidden_states` is no longer looked at.
    [[nodiscard]] EncoderDecoderOutput forward(const at::Tensor& decoder_input_ids,
                                               const at::Tensor& encoder_hidden_states,
                                               AnyEncoderDecoderCache past_key_values) const;

    [[nodiscard]] StaticEncoderDecoderCache static_cache(std::int64_t batch, std::int64_t length) const;

    ferry::submodule<WhisperEncoder> encoder;

private:
    WhisperOptions options_;
    std::shared_ptr<WhisperDecoder> decoder_;
    at::Tensor head_;
};

struct WhisperForConditionalGeneration {
    using Model = Whisper;
    static constexpr std::string_view architecture = "WhisperForConditionalGeneration";

    [[nodiscard]] static WhisperOptions options(ConfigReader& config) { return WhisperOptions::read(config); }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/whisper-inl.hpp>
#endif
