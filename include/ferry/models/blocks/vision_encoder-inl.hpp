#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/vision_encoder.hpp>
#include <ferry/models/config_reader.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry::models {

FERRY_INLINE VisionEncoderOptions VisionEncoderOptions::read(ConfigReader& config, VisionEncoderOptions otherwise) {
    VisionEncoderOptions made = std::move(otherwise);
    VisionLayerOptions& layer = made.layer;
    made.layers = config.layers("num_hidden_layers", made.layers);
    layer.width = config.integer("hidden_size", layer.width);
    layer.inner = config.integer("intermediate_size", layer.inner);
    layer.heads = config.integer("num_attention_heads", layer.heads);
    if (layer.heads <= 0 || layer.heads > layer.width)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(layer.width) + " elements cannot be in " +
                                             std::to_string(layer.heads) + " heads");
    layer.head_size = layer.width / layer.heads;
    layer.activation = config.text("hidden_act", layer.activation);
    layer.epsilon = config.real("layer_norm_eps", layer.epsilon);
    return made;
}

FERRY_INLINE VisionEncoder::VisionEncoder(const Weights& weights, const VisionLayerNames& names,
                                          const VisionEncoderOptions& options) {
    for (std::int64_t i = 0; i < options.layers; ++i)
        layers_.push_back(register_module("layers_" + std::to_string(i),
                                          std::make_shared<VisionLayer>(weights / i, names, options.layer)));
}

FERRY_INLINE std::vector<at::Tensor> VisionEncoder::hidden_states(const at::Tensor& x) const {
    std::vector<at::Tensor> states{x};
    for (const auto& layer : layers_) states.push_back(layer->forward(states.back()));
    return states;
}

FERRY_INLINE at::Tensor VisionEncoder::hidden_state(at::Tensor x, std::int64_t number) const {
    const auto count = static_cast<std::int64_t>(layers_.size()) + 1;
    if (number < -count || number >= count)
        throw Error(ErrorKind::invalid_input, "there is no hidden state " + std::to_string(number) + ", but " +
                                                  std::to_string(count) + " of them");
    const auto layers = static_cast<std::size_t>(number < 0 ? number + count : number);
    for (std::size_t i = 0; i < layers; ++i) x = layers_[i]->forward(x);
    return x;
}

}  // namespace ferry::models
