#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/models/blocks/encoder_head.hpp>
#include <ferry/models/blocks/encoder_layer.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/encoder_model.hpp>
#include <ferry/models/post_norm_encoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::models {

/// A few layers that work again and again, behind narrow embeddings.
struct Albert {
    using Backbone = PostNormEncoder;
    using Base = PoolingHead;
    using Options = Backbone::Options;
    static constexpr std::string_view prefix = "albert";
    static constexpr bool has_token_types = true;

    static constexpr EncoderLayerNames layer_names{.query = "attention.query",
                                                   .key = "attention.key",
                                                   .value = "attention.value",
                                                   .output = "attention.dense",
                                                   .attention_norm = "attention.LayerNorm",
                                                   .up = "ffn",
                                                   .down = "ffn_output",
                                                   .norm = "full_layer_layer_norm"};

    [[nodiscard]] static Options options(ConfigReader& config) {
        Options made = Options::read(config);
        made.layer.names = layer_names;
        made.layer.activation = config.text("hidden_act", "gelu_new");
        made.embeddings.width = config.integer("embedding_size", 128);
        made.widening = "encoder.embedding_hidden_mapping_in";
        const std::int64_t groups = config.layers("num_hidden_groups", 1), size = config.layers("inner_group_num", 1),
                           steps = config.layers("num_hidden_layers");
        if (groups <= 0) throw Error(ErrorKind::bad_file, "config.json: 'num_hidden_groups' must be positive");
        if (size > 0 && std::max(groups, steps) > ConfigReader::most_layers / size)
            throw Error(ErrorKind::bad_file, "config.json: 'inner_group_num' makes too many layers");
        for (std::int64_t group = 0; group < groups; ++group)
            made.add_layers("encoder.albert_layer_groups." + std::to_string(group) + ".albert_layers", size);
        const double steps_of_group = static_cast<double>(steps) / static_cast<double>(groups);
        for (std::int64_t step = 0; step < steps; ++step) {
            const auto group = static_cast<std::int64_t>(static_cast<double>(step) / steps_of_group);
            for (std::int64_t i = 0; i < size; ++i) made.steps.push_back(static_cast<std::size_t>(group * size + i));
        }
        config.ignore({"classifier_dropout_prob"});
        config.ignore({"down_scale_factor", "gap_size", "layers_to_keep", "net_structure_type", "num_memory_blocks"});
        return made;
    }

    [[nodiscard]] static TransformOptions base(const Options& backbone) {
        return {.dense = "pooler", .from = backbone.layer.width, .to = backbone.layer.width};
    }

    [[nodiscard]] static LogitsHead::Options masked_lm(ConfigReader&, const Options& backbone) {
        return {.transform = TransformOptions{.dense = "predictions.dense",
                                              .norm = "predictions.LayerNorm",
                                              .from = backbone.layer.width,
                                              .to = backbone.embeddings.width,
                                              .activation = backbone.layer.activation,
                                              .epsilon = backbone.layer.epsilon},
                .output = "predictions.decoder",
                .other_bias = "predictions.bias",
                .from = backbone.embeddings.width,
                .unused = {"albert.pooler", "sop_classifier.classifier"}};
    }

    [[nodiscard]] static LogitsHead::Options sequence_classification(ConfigReader&, const Options& backbone) {
        const std::int64_t width = backbone.layer.width;
        return {.pooling = Pooling::first,
                .transform = TransformOptions{.dense = "albert.pooler", .from = width, .to = width},
                .output = "classifier",
                .from = width};
    }

    [[nodiscard]] static LogitsHead::Options token_classification(ConfigReader&, const Options& backbone) {
        return {.output = "classifier", .from = backbone.layer.width, .unused = {"albert.pooler"}};
    }
};

struct AlbertModel : EncoderWithoutTask<Albert> {
    static constexpr std::string_view architecture = "AlbertModel";
};
struct AlbertForMaskedLm : EncoderForMaskedLm<Albert> {
    static constexpr std::string_view architecture = "AlbertForMaskedLM";
};
struct AlbertForSequenceClassification : EncoderForSequenceClassification<Albert> {
    static constexpr std::string_view architecture = "AlbertForSequenceClassification";
};
struct AlbertForTokenClassification : EncoderForTokenClassification<Albert> {
    static constexpr std::string_view architecture = "AlbertForTokenClassification";
};

using albert_models =
    type_list<AlbertModel, AlbertForMaskedLm, AlbertForSequenceClassification, AlbertForTokenClassification>;

}  // namespace ferry::models
