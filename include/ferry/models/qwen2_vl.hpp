#pragma once

#include <ferry/capture/submodule.hpp>
#include <ferry/core/names.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/causal_output.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/image_grid_inputs.hpp>
#include <ferry/models/multimodal_decoder.hpp>
#include <ferry/models/qwen2_vl_vision.hpp>
#include <ferry/models/weights.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <optional>
#include <string_view>
#include <utility>

namespace ferry::models {

struct Qwen2VlOptions : MultimodalOptions {
    Qwen2VlVisionOptions images{};
};

/// A language model that sees images of any sizes, and knows where in them a token is.
class Qwen2VlDecoder : public MultimodalDecoder {
public:
    static constexpr auto forward_parameters =
        names("input_ids", "pixel_values", "image_position_ids", "image_cu_seqlens", "attention_mask", "position_ids",
              "past_key_values");

    Qwen2VlDecoder(const Weights& weights, const Qwen2VlOptions& options)
        : Qwen2VlDecoder(MultimodalWeights::find(weights, "visual"), options) {}

    /// As Decoder, with positions of three axes, and patches as the encoder takes them where the text has tokens for images.
    [[nodiscard]] CausalOutput forward(const at::Tensor& input_ids, const std::optional<at::Tensor>& pixel_values,
                                       const std::optional<at::Tensor>& image_position_ids,
                                       const std::optional<at::Tensor>& image_cu_seqlens,
                                       const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                       Cache past_key_values) const;

    /// What forward takes, of what a processor of transformers gives.
    [[nodiscard]] Inputs prepare_inputs(Inputs inputs) const { return grid_inputs_(std::move(inputs)); }
    /// The same without the model, for its exported parts.
    [[nodiscard]] const ImageGridInputs& grid_inputs() const noexcept { return grid_inputs_; }

    submodule<Qwen2VlVision> visual;

private:
    Qwen2VlDecoder(const MultimodalWeights& weights, const Qwen2VlOptions& options);

    ImageGridInputs grid_inputs_;
};

struct Qwen2Vl {
    using Model = Qwen2VlDecoder;
    static constexpr std::string_view architecture = "Qwen2VLForConditionalGeneration";

    [[nodiscard]] static Qwen2VlOptions options(ConfigReader& config);
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/qwen2_vl-inl.hpp>
#endif
