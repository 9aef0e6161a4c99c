#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/image_features.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::models {

FERRY_INLINE ImageFeatureOptions ImageFeatureOptions::read(ConfigReader& config) {
    ImageFeatureOptions made;
    ConfigReader vision = config.section("vision_config");
    const std::string type = vision.text("model_type", "clip_vision_model");
    if (type == "clip_vision_model")
        made.tower = ClipVisionOptions::read(vision);
    else if (type == "siglip_vision_model")
        made.tower = SiglipVisionOptions::read(vision);
    else
        throw Error(ErrorKind::unsupported, "config.json: an encoder of the type '" + type + "' cannot be inside",
                    {.hint = "there are: clip_vision_model, siglip_vision_model"});
    vision.finish();
    const tree::Context* layers = config.find("vision_feature_layer");
    if (layers != nullptr)
        made.layers = layers->is_list() ? config.integers("vision_feature_layer")
                                        : std::vector{config.integer("vision_feature_layer")};
    const std::string strategy = config.text("vision_feature_select_strategy", "default");
    if (strategy != "default" && strategy != "full")
        throw Error(ErrorKind::unsupported,
                    "config.json: there is no vision_feature_select_strategy '" + strategy + "'",
                    {.hint = "there are: default, full"});
    made.drops_first = strategy == "default";
    return made;
}

FERRY_INLINE std::int64_t ImageFeatureOptions::width() const {
    const std::int64_t one = std::visit([](const auto& each) { return each.encoder.layer.width; }, tower);
    return one * static_cast<std::int64_t>(layers.size());
}

FERRY_INLINE ImageFeatures::ImageFeatures(const Weights& weights, const ImageFeatureOptions& options)
    : layers_(options.layers), drops_first_(options.drops_first) {
    const bool has_name = (weights / "vision_model").has("embeddings.patch_embedding.weight");
    const Weights inside = has_name ? weights / "vision_model" : weights;
    std::visit(
        [&](const auto& tower) {
            using Options = std::remove_cvref_t<decltype(tower)>;
            using Tower = std::conditional_t<std::is_same_v<Options, ClipVisionOptions>, ClipVision, SiglipVision>;
            tower_ = register_module("vision_model", std::make_shared<Tower>(inside, tower));
        },
        options.tower);
}

FERRY_INLINE at::Tensor ImageFeatures::forward(const at::Tensor& pixel_values) const {
    return std::visit(
        [&](const auto& tower) {
            if (layers_.size() == 1) {
                const at::Tensor state = tower->hidden_state(pixel_values, layers_[0]);
                return drops_first_ ? state.slice(1, 1) : state;
            }
            const std::vector<at::Tensor> all = tower->hidden_states(pixel_values);
            std::vector<at::Tensor> chosen;
            for (const std::int64_t layer : layers_) {
                const at::Tensor& state =
                    all.at(layer < 0 ? all.size() - static_cast<std::size_t>(-layer) : static_cast<std::size_t>(layer));
                chosen.push_back(drops_first_ ? state.slice(1, 1) : state);
            }
            return at::cat(chosen, -1);
        },
        tower_);
}

}  // namespace ferry::models
