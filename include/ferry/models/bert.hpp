#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/blocks/encoder_head.hpp>
#include <ferry/models/blocks/encoder_layer.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/encoder_model.hpp>
#include <ferry/models/post_norm_encoder.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::models {

struct Bert {
    using Backbone = PostNormEncoder;
    using Base = PoolingHead;
    using Options = Backbone::Options;
    static constexpr std::string_view prefix = "bert";
    static constexpr bool has_token_types = true;

    static constexpr EncoderLayerNames layer_names{.query = "attention.self.query",
                                                   .key = "attention.self.key",
                                                   .value = "attention.self.value",
                                                   .output = "attention.output.dense",
                                                   .attention_norm = "attention.output.LayerNorm",
                                                   .up = "intermediate.dense",
                                                   .down = "output.dense",
                                                   .norm = "output.LayerNorm"};

    [[nodiscard]] static Options options(ConfigReader& config) {
        Options made = Options::read(config);
        made.layer.names = layer_names;
        made.add_layers("encoder.layer", config.layers("num_hidden_layers"));
        config.expect("is_decoder", false);
        config.expect("add_cross_attention", false);
        // The sizes of a pooler that only the first, multilingual checkpoints speak of.
        config.ignore({"directionality", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
                       "pooler_size_per_head", "pooler_type"});
        return made;
    }

    [[nodiscard]] static TransformOptions base(const Options& backbone) {
        return {.dense = "pooler.dense", .from = backbone.layer.width, .to = backbone.layer.width};
    }

    [[nodiscard]] static LogitsHead::Options masked_lm(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {.transform = TransformOptions{.dense = "cls.predictions.transform.dense",
                                              .norm = "cls.predictions.transform.LayerNorm",
                                              .from = width,
                                              .to = width,
                                              .activation = backbone.layer.activation,
                                              .epsilon = backbone.layer.epsilon},
                .output = "cls.predictions.decoder",
                .other_bias = "cls.predictions.bias",
                .from = width,
                .unused = {"bert.pooler.dense", "cls.seq_relationship"}};
    }

    [[nodiscard]] static LogitsHead::Options sequence_classification(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {.pooling = Pooling::first,
                .transform = TransformOptions{.dense = "bert.pooler.dense", .from = width, .to = width},
                .output = "classifier",
                .from = width};
    }

    [[nodiscard]] static LogitsHead::Options token_classification(ConfigReader&, const Options& backbone) {
        return {.output = "classifier", .from = backbone.layer.width, .unused = {"bert.pooler.dense"}};
    }
};

struct BertModel : EncoderWithoutTask<Bert> {
    static constexpr std::string_view architecture = "BertModel";
};
struct BertForMaskedLm : EncoderForMaskedLm<Bert> {
    static constexpr std::string_view architecture = "BertForMaskedLM";
};
struct BertForSequenceClassification : EncoderForSequenceClassification<Bert> {
    static constexpr std::string_view architecture = "BertForSequenceClassification";
};
struct BertForTokenClassification : EncoderForTokenClassification<Bert> {
    static constexpr std::string_view architecture = "BertForTokenClassification";
};

using bert_models = type_list<BertModel, BertForMaskedLm, BertForSequenceClassification, BertForTokenClassification>;

}  // namespace ferry::models
