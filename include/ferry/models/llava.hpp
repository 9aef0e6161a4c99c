#pragma once

#include <ferry/core/names.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/models/blocks/image_features.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/multimodal_decoder.hpp>
#include <ferry/models/text_options.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace ferry::models {

struct LlavaOptions : MultimodalOptions {
    ImageFeatureOptions images{};
};

/// A language model that sees.
class LlavaDecoder : public MultimodalDecoder {
public:
    static constexpr auto forward_parameters =
        names("input_ids", "pixel_values", "attention_mask", "position_ids", "past_key_values");

    LlavaDecoder(const Weights& weights, const LlavaOptions& options)
        : LlavaDecoder(MultimodalWeights::find(weights, "vision_tower"), options) {}

    /// As Decoder, and [images, channels, height, width] where the text has tokens for them.
    [[nodiscard]] CausalOutput forward(const at::Tensor& input_ids, const std::optional<at::Tensor>& pixel_values,
                                       const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                       Cache past_key_values) const {
        std::optional<at::Tensor> seen;
        if (pixel_values) seen = vision_tower(*pixel_values);
        return answer(input_ids, seen, attention_mask, position_ids, std::move(past_key_values));
    }

    submodule<ImageFeatures> vision_tower;

private:
    LlavaDecoder(const MultimodalWeights& weights, const LlavaOptions& options)
        : MultimodalDecoder(weights, options),
          vision_tower(
              register_module("vision_tower", std::make_shared<ImageFeatures>(weights.tower, options.images))) {}
};

struct Llava {
    using Model = LlavaDecoder;
    static constexpr std::string_view architecture = "LlavaForConditionalGeneration";

    [[nodiscard]] static LlavaOptions options(ConfigReader& config) {
        LlavaOptions made;
        made.text = text_options(config);
        made.text.ties_embeddings = config.flag("tie_word_embeddings", false) || made.text.ties_embeddings;
        made.images = ImageFeatureOptions::read(config);
        made.projector = ProjectorOptions{.from = made.images.width(),
                                          .to = made.text.width,
                                          .activation = config.text("projector_hidden_act", "gelu"),
                                          .has_bias = config.flag("multimodal_projector_bias", true)};
        made.placeholder = config.integer("image_token_index", config.integer("image_token_id", 32000));
        config.ignore({"image_seq_length", "ignore_index", "vocab_size"});  // of processors, of training, of the text
        return made;
    }
};

}  // namespace ferry::models
