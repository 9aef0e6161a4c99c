#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/blocks/encoder_head.hpp>
#include <ferry/models/blocks/encoder_layer.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/encoder_model.hpp>
#include <ferry/models/post_norm_encoder.hpp>

#include <cstdint>
#include <string_view>

namespace ferry::models {

struct DistilBert {
    using Backbone = PostNormEncoder;
    using Base = NoHead;
    using Options = Backbone::Options;
    static constexpr std::string_view prefix = "distilbert";
    static constexpr bool has_token_types = false;

    static constexpr EncoderLayerNames layer_names{.query = "attention.q_lin",
                                                   .key = "attention.k_lin",
                                                   .value = "attention.v_lin",
                                                   .output = "attention.out_lin",
                                                   .attention_norm = "sa_layer_norm",
                                                   .up = "ffn.lin1",
                                                   .down = "ffn.lin2",
                                                   .norm = "output_layer_norm"};

    [[nodiscard]] static Options options(ConfigReader& config) {
        Options made;
        made.layer = {.names = layer_names,
                      .width = config.integer("dim"),
                      .inner = config.integer("hidden_dim"),
                      .heads = config.integer("n_heads"),
                      .activation = config.text("activation", "gelu")};
        made.embeddings = {.vocabulary = config.integer("vocab_size"),
                           .positions = config.integer("max_position_embeddings"),
                           .width = made.layer.width};
        made.add_layers("transformer.layer", config.layers("n_layers"));
        config.ignore({"dropout", "qa_dropout", "seq_classif_dropout", "tie_weights_"});
        config.ignore({"sinusoidal_pos_embds"});  // which weights begin with; a checkpoint has them
        return made;
    }

    [[nodiscard]] static NoHead::Options base(const Options&) { return {}; }

    [[nodiscard]] static LogitsHead::Options masked_lm(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {.transform = TransformOptions{.dense = "vocab_transform",
                                              .norm = "vocab_layer_norm",
                                              .from = width,
                                              .to = width,
                                              .activation = backbone.layer.activation},
                .output = "vocab_projector",
                .from = width};
    }

    [[nodiscard]] static LogitsHead::Options sequence_classification(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {
            .pooling = Pooling::first,
            .transform = TransformOptions{.dense = "pre_classifier", .from = width, .to = width, .activation = "relu"},
            .output = "classifier",
            .from = width};
    }

    [[nodiscard]] static LogitsHead::Options token_classification(ConfigReader&, const Options& backbone) {
        return {.output = "classifier", .from = backbone.layer.width};
    }
};

struct DistilBertModel : EncoderWithoutTask<DistilBert> {
    static constexpr std::string_view architecture = "DistilBertModel";
};
struct DistilBertForMaskedLm : EncoderForMaskedLm<DistilBert> {
    static constexpr std::string_view architecture = "DistilBertForMaskedLM";
};
struct DistilBertForSequenceClassification : EncoderForSequenceClassification<DistilBert> {
    static constexpr std::string_view architecture = "DistilBertForSequenceClassification";
};
struct DistilBertForTokenClassification : EncoderForTokenClassification<DistilBert> {
    static constexpr std::string_view architecture = "DistilBertForTokenClassification";
};

using distilbert_models = type_list<DistilBertModel, DistilBertForMaskedLm, DistilBertForSequenceClassification,
                                    DistilBertForTokenClassification>;

}  // namespace ferry::models
