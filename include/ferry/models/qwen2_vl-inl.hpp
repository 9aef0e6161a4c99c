#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/qwen.hpp>
#include <ferry/models/qwen2_vl.hpp>

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <utility>

namespace ferry::models {
namespace detail {

[[nodiscard]] inline DecoderOptions qwen2_vl_text(ConfigReader& config) {
    DecoderOptions otherwise;
    otherwise.norm.epsilon = 1e-5;
    otherwise.rotary.theta = 1e6;
    otherwise.rotary.sections = {16, 24, 24};
    DecoderOptions made = qwen_options(config, std::move(otherwise));
    made.attention.has_bias = true;
    config.ignore({"vision_start_token_id", "vision_end_token_id", "vision_token_id"});  // of the processor
    return made;
}

}  // namespace detail

FERRY_INLINE Qwen2VlDecoder::Qwen2VlDecoder(const MultimodalWeights& weights, const Qwen2VlOptions& options)
    : MultimodalDecoder(weights, options),
      visual(register_module("visual", std::make_shared<Qwen2VlVision>(weights.tower, options.images))),
      grid_inputs_{.image_token = options.placeholder, .merged = options.images.merged} {}

FERRY_INLINE CausalOutput Qwen2VlDecoder::forward(const at::Tensor& input_ids,
                                                  const std::optional<at::Tensor>& pixel_values,
                                                  const std::optional<at::Tensor>& image_position_ids,
                                                  const std::optional<at::Tensor>& image_cu_seqlens,
                                                  const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                                  Cache past_key_values) const {
    std::optional<at::Tensor> seen;
    if (pixel_values) {
        if (!image_position_ids || !image_cu_seqlens)
            throw Error(ErrorKind::invalid_input, "there are 'pixel_values', but nothing says where their patches are",
                        {.hint = "prepare_inputs() makes it of 'image_grid_thw'"});
        seen = visual(*pixel_values, *image_position_ids, *image_cu_seqlens);
    }
    return answer(input_ids, seen, attention_mask, position_ids, std::move(past_key_values));
}

FERRY_INLINE Qwen2VlOptions Qwen2Vl::options(ConfigReader& config) {
    Qwen2VlOptions made;
    ConfigReader vision = config.section("vision_config");
    made.images = Qwen2VlVisionOptions::read(vision);
    vision.finish();
    if (config.find("text_config") != nullptr) {
        ConfigReader text = config.section("text_config");
        made.text = detail::qwen2_vl_text(text);
        text.finish();
        made.text.ties_embeddings = config.flag("tie_word_embeddings", false) || made.text.ties_embeddings;
        // Some versions of transformers write the text's fields a second time, where none reads them.
        config.ignore({"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                       "num_key_value_heads", "hidden_act", "rms_norm_eps", "rope_theta", "rope_scaling", "layer_types",
                       "sliding_window", "use_sliding_window", "max_window_layers", "vision_start_token_id",
                       "vision_end_token_id", "vision_token_id"});
    } else {  // as the first checkpoints have it
        made.text = detail::qwen2_vl_text(config);
    }
    made.placeholder = config.integer("image_token_id", 151655);
    config.ignore({"video_token_id"});
    if (made.images.feature_width != made.text.width)
        throw Error(ErrorKind::bad_file, "config.json: what the encoder makes of images is not as wide as the text");
    return made;
}

}  // namespace ferry::models
