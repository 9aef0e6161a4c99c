#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/multimodal_decoder.hpp>
#include <ferry/models/text_options.hpp>
#include <ferry/models/weights.hpp>
#include <ferry/models/whisper.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace ferry::models {

struct VoxtralOptions : MultimodalOptions {
    WhisperOptions audio{};
};

/// Whisper's encoder, with neighbouring moments of the sound side by side: [sounds, features, width].
class SoundFeatures : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input_features");

    SoundFeatures(const Weights& weights, const WhisperOptions& options)
        : width_(options.encoder.inner),
          count_(options.encoder.positions * options.width / width_),
          encoder_(register_module("encoder", std::make_shared<WhisperEncoder>(weights, options))) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& input_features) const {
        return encoder_->forward(input_features).last_hidden_state.flatten(1).unflatten(1, {count_, width_});
    }

private:
    std::int64_t width_, count_;
    std::shared_ptr<WhisperEncoder> encoder_;
};

/// A language model that hears.
class VoxtralDecoder : public MultimodalDecoder {
public:
    static constexpr auto forward_parameters =
        names("input_ids", "input_features", "attention_mask", "position_ids", "past_key_values");

    VoxtralDecoder(const Weights& weights, const VoxtralOptions& options)
        : VoxtralDecoder(MultimodalWeights::find(weights, "audio_tower"), options) {}

    /// As Decoder, and [sounds, bins, frames] where the text has tokens for them.
    [[nodiscard]] CausalOutput forward(const at::Tensor& input_ids, const std::optional<at::Tensor>& input_features,
                                       const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                       Cache past_key_values) const {
        std::optional<at::Tensor> heard;
        if (input_features) heard = audio_tower(*input_features);
        return answer(input_ids, heard, attention_mask, position_ids, std::move(past_key_values));
    }

    submodule<SoundFeatures> audio_tower;

private:
    VoxtralDecoder(const MultimodalWeights& weights, const VoxtralOptions& options)
        : MultimodalDecoder(weights, options),
          audio_tower(register_module("audio_tower", std::make_shared<SoundFeatures>(weights.tower, options.audio))) {}
};

struct Voxtral {
    using Model = VoxtralDecoder;
    static constexpr std::string_view architecture = "VoxtralForConditionalGeneration";

    [[nodiscard]] static VoxtralOptions options(ConfigReader& config);
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/voxtral-inl.hpp>
#endif
