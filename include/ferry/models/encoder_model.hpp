#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/blocks/encoder_attention.hpp>
#include <ferry/models/blocks/encoder_head.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/labels.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <string_view>

namespace ferry::models {

/// A backbone, which makes vectors of tokens, and a head, which makes something of them.
template <class Backbone, class Head>
class BackboneAndHead : public torch::nn::Module {
public:
    struct Options {
        std::string_view prefix{};  ///< of the backbone's names
        typename Backbone::Options backbone{};
        typename Head::Options head{};
    };

    BackboneAndHead(const Weights& weights, const Options& options)
        : backbone_(register_module(
              "backbone", std::make_shared<Backbone>(options.prefix.empty() ? weights : weights / options.prefix,
                                                     options.backbone))),
          head_(register_module("head", std::make_shared<Head>(weights, options.head, backbone_->words()))) {}

protected:
    template <class... Others>
    [[nodiscard]] auto run(const at::Tensor& input_ids, const MaybeTensor& attention_mask,
                           const Others&... others) const {
        return head_->forward(backbone_->forward(input_ids, attention_mask, others...), attention_mask);
    }

private:
    std::shared_ptr<Backbone> backbone_;
    std::shared_ptr<Head> head_;
};

/// A model of a checkpoint. Without a mask, no token is padding.
template <class Backbone, class Head, bool HasTokenTypes>
class EncoderModel : public BackboneAndHead<Backbone, Head> {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask");

    using BackboneAndHead<Backbone, Head>::BackboneAndHead;

    [[nodiscard]] auto forward(const at::Tensor& input_ids, const MaybeTensor& attention_mask = {}) const {
        return this->run(input_ids, attention_mask);
    }
};

/// Without token types, all are of the first.
template <class Backbone, class Head>
class EncoderModel<Backbone, Head, /*HasTokenTypes=*/true> : public BackboneAndHead<Backbone, Head> {
public:
    static constexpr auto forward_parameters = names("input_ids", "attention_mask", "token_type_ids");

    using BackboneAndHead<Backbone, Head>::BackboneAndHead;

    [[nodiscard]] auto forward(const at::Tensor& input_ids, const MaybeTensor& attention_mask = {},
                               const MaybeTensor& token_type_ids = {}) const {
        return this->run(input_ids, attention_mask, token_type_ids);
    }
};

/// A family has a `Backbone`, the head `Base` of its models for no task, the `prefix` that the backbone has in models for a task,
/// whether it `has_token_types`, and functions that tell a backbone's and each head's options by config.json.
template <class Family, class Head>
using model_of = EncoderModel<typename Family::Backbone, Head, Family::has_token_types>;

/// The backbone's options, with what changes nothing: fields of other tasks, of training and of former versions.
template <class Family>
[[nodiscard]] typename Family::Backbone::Options backbone_options(ConfigReader& config) {
    config.expect("is_encoder_decoder", false);
    config.ignore({"tie_word_embeddings", "num_labels", "_num_labels", "finetuning_task", "gradient_checkpointing",
                   "output_past"});
    return Family::options(config);
}

template <class Family>
struct EncoderWithoutTask {
    using Model = model_of<Family, typename Family::Base>;

    [[nodiscard]] static typename Model::Options options(ConfigReader& config) {
        const auto backbone = backbone_options<Family>(config);
        return {{}, backbone, Family::base(backbone)};
    }
};

template <class Family>
struct EncoderForMaskedLm {
    using Model = model_of<Family, LogitsHead>;

    [[nodiscard]] static typename Model::Options options(ConfigReader& config) {
        const auto backbone = backbone_options<Family>(config);
        LogitsHead::Options head = Family::masked_lm(config, backbone);
        head.to = config.integer("vocab_size");
        head.ties_words = config.flag("tie_word_embeddings", true);
        return {Family::prefix, backbone, head};
    }
};

/// As many numbers as there are labels; `HeadOptions` is a function of the family.
template <class Family, auto HeadOptions>
struct EncoderForClasses {
    using Model = model_of<Family, LogitsHead>;

    [[nodiscard]] static typename Model::Options options(ConfigReader& config) {
        const auto backbone = backbone_options<Family>(config);
        LogitsHead::Options head = HeadOptions(config, backbone);
        head.to = label_count(config);
        return {Family::prefix, backbone, head};
    }
};

template <class Family>
using EncoderForSequenceClassification = EncoderForClasses<Family, &Family::sequence_classification>;
template <class Family>
using EncoderForTokenClassification = EncoderForClasses<Family, &Family::token_classification>;

}  // namespace ferry::models
