#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/bert.hpp>
#include <ferry/models/blocks/encoder_head.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/encoder_model.hpp>

#include <cstdint>
#include <string_view>

namespace ferry::models {

/// BERT whose positions count no padding, with other heads.
struct Roberta : Bert {
    static constexpr std::string_view prefix = "roberta";

    [[nodiscard]] static Options options(ConfigReader& config) {
        Options made = Bert::options(config);
        made.embeddings.padding = config.integer("pad_token_id", 1);
        return made;
    }

    [[nodiscard]] static LogitsHead::Options masked_lm(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {.transform = TransformOptions{.dense = "lm_head.dense",
                                              .norm = "lm_head.layer_norm",
                                              .from = width,
                                              .to = width,
                                              .activation = "gelu",
                                              .epsilon = backbone.layer.epsilon},
                .output = "lm_head.decoder",
                .other_bias = "lm_head.bias",
                .from = width,
                .unused = {"roberta.pooler.dense"}};
    }

    [[nodiscard]] static LogitsHead::Options sequence_classification(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {.pooling = Pooling::first,
                .transform = TransformOptions{.dense = "classifier.dense", .from = width, .to = width},
                .output = "classifier.out_proj",
                .from = width,
                .unused = {"roberta.pooler.dense"}};
    }

    [[nodiscard]] static LogitsHead::Options token_classification(ConfigReader&, const Options& backbone) {
        return {.output = "classifier", .from = backbone.layer.width, .unused = {"roberta.pooler.dense"}};
    }
};

struct RobertaModel : EncoderWithoutTask<Roberta> {
    static constexpr std::string_view architecture = "RobertaModel";
};
struct RobertaForMaskedLm : EncoderForMaskedLm<Roberta> {
    static constexpr std::string_view architecture = "RobertaForMaskedLM";
};
struct RobertaForSequenceClassification : EncoderForSequenceClassification<Roberta> {
    static constexpr std::string_view architecture = "RobertaForSequenceClassification";
};
struct RobertaForTokenClassification : EncoderForTokenClassification<Roberta> {
    static constexpr std::string_view architecture = "RobertaForTokenClassification";
};

using roberta_models =
    type_list<RobertaModel, RobertaForMaskedLm, RobertaForSequenceClassification, RobertaForTokenClassification>;

}  // namespace ferry::models
