#pragma once

#include <ferry/capture/submodule.hpp>
#include <ferry/core/names.hpp>
#include <ferry/generation/encoder_decoder_cache.hpp>
#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/relative_bias.hpp>
#include <ferry/models/blocks/source_attention.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/outputs.hpp>
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

struct T5Options {
    std::int64_t vocabulary = 0, width = 0, inner = 0, encoder_layers = 0, decoder_layers = 0;
    SourceAttentionOptions attention{};
    std::int64_t buckets = 32, max_distance = 128;  ///< of distances between tokens
    std::string activation = "relu";
    bool is_gated = false;
    bool scales_output = true;  ///< of the decoder, before the matrix behind it
    double epsilon = 1e-6;

    [[nodiscard]] static T5Options read(ConfigReader& config);
};

/// Through a function and back, maybe with a gate.
class T5FeedForward : public torch::nn::Module {
public:
    T5FeedForward(const Weights& weights, const T5Options& options);
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const;

private:
    std::shared_ptr<Linear> in_, gated_, out_;
    Activation activation_;
};

class T5Block : public torch::nn::Module {
public:
    T5Block(const Weights& weights, const T5Options& options, bool is_decoder);

    /// Of the encoder. `bias` is added to the scores.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const at::Tensor& bias) const;

    /// What the decoder's blocks look at.
    struct Sources {
        at::Tensor places;                       ///< of the new tokens among all
        at::Tensor bias;                         ///< of all tokens' scores
        at::Tensor encoded;                      ///< what the encoder gave
        std::optional<at::Tensor> encoded_seen;  ///< which of that is no padding
    };
    template <class Cache>
    [[nodiscard]] at::Tensor forward(at::Tensor x, const Sources& sources, Cache& cache, std::size_t layer) const;

private:
    [[nodiscard]] at::Tensor fed_forward(const at::Tensor& x) const;

    std::shared_ptr<SourceAttention> self_, cross_;
    std::shared_ptr<T5FeedForward> feed_forward_;
    std::shared_ptr<RmsNorm> before_self_, before_cross_, before_feed_forward_;
};

/// Blocks of an encoder or a decoder, with what is around them. The first block's bias is that of all.
class T5Stack : public torch::nn::Module {
public:
    /// From a checkpoint's weights as a whole: embeddings may stand outside of the stack.
    T5Stack(const Weights& weights, const T5Options& options, bool is_decoder);

protected:
    std::shared_ptr<Embedding> tokens_;
    std::shared_ptr<RelativeBias> bias_;
    std::vector<std::shared_ptr<T5Block>> blocks_;
    std::shared_ptr<RmsNorm> norm_;
};

class T5Encoder : public T5Stack {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask");

    T5Encoder(const Weights& weights, const T5Options& options) : T5Stack(weights, options, /*is_decoder=*/false) {}

    [[nodiscard]] HiddenOutput forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) const;
};

class T5Decoder : public T5Stack {
public:
    T5Decoder(const Weights& weights, const T5Options& options) : T5Stack(weights, options, /*is_decoder=*/true) {}

    template <class Cache>
    [[nodiscard]] at::Tensor forward(const at::Tensor& ids, const at::Tensor& encoded, const at::Tensor& attention_mask,
                                     Cache& cache) const;
    [[nodiscard]] const at::Tensor& embeddings() const { return tokens_->weight; }
};

/// An encoder, and the language model that goes by what it has read.
class T5 : public torch::nn::Module {
public:
    static constexpr auto forward_parameters =
        names("decoder_input_ids", "encoder_hidden_states", "attention_mask", "past_key_values");

    T5(const Weights& weights, const T5Options& options);

    /// The mask is that of the encoder's tokens. With a cache that is not empty, `encoder_hidden_states` is no longer looked at.
    [[nodiscard]] EncoderDecoderOutput forward(const at::Tensor& decoder_input_ids,
                                               const at::Tensor& encoder_hidden_states,
                                               const at::Tensor& attention_mask,
                                               AnyEncoderDecoderCache past_key_values) const;

    [[nodiscard]] StaticEncoderDecoderCache static_cache(std::int64_t batch, std::int64_t length) const;

    ferry::submodule<T5Encoder> encoder;

private:
    T5Options options_;
    std::shared_ptr<T5Decoder> decoder_;
    at::Tensor head_;
};

struct T5ForConditionalGeneration {
    using Model = T5;
    static constexpr std::string_view architecture = "T5ForConditionalGeneration";

    [[nodiscard]] static T5Options options(ConfigReader& config) {
        config.expect("is_encoder_decoder", true);
        return T5Options::read(config);
    }
};

struct T5EncoderModel {
    using Model = T5Encoder;
    static constexpr std::string_view architecture = "T5EncoderModel";

    [[nodiscard]] static T5Options options(ConfigReader& config) {
        config.ignore({"is_encoder_decoder"});
        return T5Options::read(config);
    }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/t5-inl.hpp>
#endif
