#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/encoder_attention.hpp>
#include <ferry/models/blocks/encoder_head.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/encoder_model.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {

/// Tokens of some layers look at all others, those of local ones only around themselves.
struct ModernBertOptions {
    std::int64_t vocabulary = 0, width = 0, inner = 0, heads = 0;
    std::string activation = "gelu";
    double epsilon = 1e-5;
    bool has_norm_bias = false, has_attention_bias = false, has_mlp_bias = false;
    std::vector<bool> is_local{};  ///< layer by layer
    std::int64_t window = 0;       ///< how far local ones look to each side
    RotaryOptions global_rotary{}, local_rotary{};

    [[nodiscard]] static ModernBertOptions read(ConfigReader& config);
};

/// Attention and a gated MLP, each behind a norm; each has one matrix for all that it begins with.
class ModernBertLayer : public torch::nn::Module {
public:
    ModernBertLayer(const Weights& weights, const ModernBertOptions& options, bool is_first);

    [[nodiscard]] at::Tensor forward(at::Tensor x, const Rotary::Turns& turns, const MaybeTensor& seen) const;

private:
    std::int64_t heads_, head_size_;
    Activation activation_;
    std::shared_ptr<LayerNorm> attention_norm_, mlp_norm_;  ///< embeddings are normalized, so the first layer has one
    std::shared_ptr<Linear> attention_in_, attention_out_, mlp_in_, mlp_out_;
};

class ModernBertBackbone : public torch::nn::Module {
public:
    using Options = ModernBertOptions;

    ModernBertBackbone(const Weights& weights, const Options& options);

    [[nodiscard]] const at::Tensor& words() const noexcept { return tokens_->weight; }

    [[nodiscard]] at::Tensor forward(const at::Tensor& input_ids, const MaybeTensor& attention_mask) const;

private:
    std::vector<bool> is_local_;
    std::int64_t window_;
    std::shared_ptr<Embedding> tokens_;
    std::shared_ptr<LayerNorm> first_norm_, last_norm_;
    std::shared_ptr<Rotary> global_rotary_, local_rotary_;
    std::vector<std::shared_ptr<ModernBertLayer>> layers_;
};

struct ModernBert {
    using Backbone = ModernBertBackbone;
    using Base = NoHead;
    using Options = ModernBertOptions;
    static constexpr std::string_view prefix = "model";
    static constexpr bool has_token_types = false;

    [[nodiscard]] static Options options(ConfigReader& config) { return Options::read(config); }

    [[nodiscard]] static NoHead::Options base(const Options&) { return {}; }

    [[nodiscard]] static LogitsHead::Options masked_lm(ConfigReader& config, const Options& backbone) {
        return {.transform = transform(config, backbone),
                .output = "decoder",
                .from = backbone.width,
                .has_bias = config.flag("decoder_bias", true)};
    }

    [[nodiscard]] static LogitsHead::Options sequence_classification(ConfigReader& config, const Options& backbone) {
        const std::string pooling = config.text("classifier_pooling", "cls");
        if (pooling != "cls") config.expect("classifier_pooling", "mean");
        LogitsHead::Options made = token_classification(config, backbone);
        made.pooling = pooling == "cls" ? Pooling::first : Pooling::mean;
        return made;
    }

    [[nodiscard]] static LogitsHead::Options token_classification(ConfigReader& config, const Options& backbone) {
        return {.transform = transform(config, backbone), .output = "classifier", .from = backbone.width};
    }

private:
    [[nodiscard]] static TransformOptions transform(ConfigReader& config, const Options& backbone) {
        return {.dense = "head.dense",
                .norm = "head.norm",
                .from = backbone.width,
                .to = backbone.width,
                .activation = config.text("classifier_activation", "gelu"),
                .epsilon = backbone.epsilon,
                .has_bias = config.flag("classifier_bias", false),
                .has_norm_bias = backbone.has_norm_bias};
    }
};

struct ModernBertModel : EncoderWithoutTask<ModernBert> {
    static constexpr std::string_view architecture = "ModernBertModel";
};
struct ModernBertForMaskedLm : EncoderForMaskedLm<ModernBert> {
    static constexpr std::string_view architecture = "ModernBertForMaskedLM";
};
struct ModernBertForSequenceClassification : EncoderForSequenceClassification<ModernBert> {
    static constexpr std::string_view architecture = "ModernBertForSequenceClassification";
};
struct ModernBertForTokenClassification : EncoderForTokenClassification<ModernBert> {
    static constexpr std::string_view architecture = "ModernBertForTokenClassification";
};

using modernbert_models = type_list<ModernBertModel, ModernBertForMaskedLm, ModernBertForSequenceClassification,
                                    ModernBertForTokenClassification>;

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/modernbert-inl.hpp>
#endif
