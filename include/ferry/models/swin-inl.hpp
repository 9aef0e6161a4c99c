#pragma once

#include <ferry/capture/module_calls.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/labels.hpp>
#include <ferry/models/swin.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry::models {
namespace detail {

inline constexpr VisionLayerNames swin_layer_names{.norm_before = "layernorm_before",
                                                   .query = "attention.self.query",
                                                   .key = "attention.self.key",
                                                   .value = "attention.self.value",
                                                   .output = "attention.output.dense",
                                                   .norm_after = "layernorm_after",
                                                   .mlp_out = "intermediate.dense",
                                                   .mlp_back = "output.dense"};

inline constexpr double swin_epsilon = 1e-5;  // of the norms that config.json does not speak of

}  // namespace detail

FERRY_INLINE SwinOptions SwinOptions::read(ConfigReader& config) {
    SwinOptions made;
    made.patches = PatchOptions::read(config, made.patches);
    VisionLayerOptions& layer = made.layer;
    layer.width = config.integer("embed_dim", layer.width);
    layer.has_bias = config.flag("qkv_bias", true);
    layer.activation = config.text("hidden_act", layer.activation);
    layer.epsilon = config.real("layer_norm_eps", layer.epsilon);
    if (config.find("depths") != nullptr) made.depths = config.integers("depths");
    if (config.find("num_heads") != nullptr) made.heads = config.integers("num_heads");
    made.mlp_ratio = config.real("mlp_ratio", made.mlp_ratio);
    made.window = config.integer("window_size", made.window);
    made.has_positions = config.flag("use_absolute_embeddings", false);
    made.labels = label_count(config);
    constexpr std::size_t most_stages = 32;  // of widths that are numbers
    if (made.depths.empty() || made.depths.size() > std::min(made.heads.size(), most_stages))
        throw Error(ErrorKind::bad_file, "config.json: every stage of 'depths' needs heads in 'num_heads'");
    constexpr std::int64_t widest = 64;  // every two places of a window have an entry in a table
    if (made.window <= 0 || made.window > widest)
        throw Error(ErrorKind::bad_file,
                    "config.json: a window of " + std::to_string(made.window) + " is none, or too large");
    for (std::size_t i = 0; i < made.depths.size(); ++i) {
        const std::int64_t width = layer.width << i;
        if (made.heads[i] <= 0 || width % made.heads[i] != 0)
            throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(width) + " elements cannot be in " +
                                                 std::to_string(made.heads[i]) + " heads");
    }
    // What follows from others, a part of training, and what other heads read.
    config.ignore({"num_layers", "hidden_size", "stage_names", "drop_path_rate", "path_norm", "encoder_stride",
                   "out_features", "out_indices", "_out_features", "_out_indices"});
    return made;
}

FERRY_INLINE VisionLayerOptions SwinOptions::of_stage(std::size_t stage) const {
    VisionLayerOptions made = layer;
    made.width = layer.width << stage;
    made.inner = static_cast<std::int64_t>(mlp_ratio * static_cast<double>(made.width));
    made.heads = heads[stage];
    made.head_size = made.width / made.heads;
    return made;
}

FERRY_INLINE SwinLayer::SwinLayer(const Weights& weights, const VisionLayerOptions& options, std::int64_t window,
                                  bool is_shifted)
    : layer_(register_module("layer", std::make_shared<VisionLayer>(weights, detail::swin_layer_names, options))),
      windows_(register_module("windows",
                               std::make_shared<WindowAttention>(weights, "attention.self.relative_position_bias_table",
                                                                 options.heads, window, is_shifted))) {
    weights.ignore("attention.self.relative_position_index");  // follows from the window
}

FERRY_INLINE PatchMerging::PatchMerging(const Weights& weights, std::int64_t width)
    : norm_(register_module("norm", std::make_shared<LayerNorm>(weights / "norm", 4 * width, detail::swin_epsilon))),
      reduction_(register_module("reduction", std::make_shared<Linear>(weights / "reduction", 4 * width, 2 * width))) {}

FERRY_INLINE at::Tensor PatchMerging::forward(const at::Tensor& x, PatchGrid grid) const {
    at::Tensor image = x.unflatten(1, {grid.rows, grid.columns});
    if (grid.rows % 2 != 0 || grid.columns % 2 != 0)
        image = at::constant_pad_nd(image, {0, 0, 0, grid.columns % 2, 0, grid.rows % 2});
    std::vector<at::Tensor> neighbours;
    for (const std::int64_t column : {0, 1})
        for (const std::int64_t row : {0, 1})
            neighbours.push_back(image.slice(1, row, std::nullopt, 2).slice(2, column, std::nullopt, 2));
    return reduction_->forward(norm_->forward(at::cat(neighbours, -1).flatten(1, 2)));
}

FERRY_INLINE Swin::Swin(const Weights& weights, const SwinOptions& options)
    : patches_(options.patches), width_(options.of_stage(options.depths.size() - 1).width) {
    const Weights embeddings = weights / "embeddings";
    const std::int64_t first = options.layer.width;
    embeddings.ignore("mask_token");  // of training
    embedding_ = register_module(
        "patch_embeddings", std::make_shared<PatchEmbedding>(embeddings / "patch_embeddings" / "projection", patches_,
                                                             first, /*has_bias=*/true));
    first_norm_ =
        register_module("norm", std::make_shared<LayerNorm>(embeddings / "norm", first, detail::swin_epsilon));
    if (options.has_positions)
        positions_ = register_parameter("position_embeddings",
                                        embeddings.take("position_embeddings", {1, patches_.count(), first}), false);
    for (std::size_t i = 0; i < options.depths.size(); ++i) {
        const Weights of_stage = weights / "encoder" / "layers" / static_cast<std::int64_t>(i);
        const VisionLayerOptions layer = options.of_stage(i);
        const std::string name = "stages_" + std::to_string(i) + "_";
        Stage& stage = stages_.emplace_back();
        for (std::int64_t j = 0; j < options.depths[i]; ++j)
            stage.layers.push_back(
                register_module(name + "blocks_" + std::to_string(j),
                                std::make_shared<SwinLayer>(of_stage / "blocks" / j, layer, options.window,
                                                            /*is_shifted=*/j % 2 == 1)));
        if (i + 1 < options.depths.size())
            stage.merging = register_module(name + "downsample",
                                            std::make_shared<PatchMerging>(of_stage / "downsample", layer.width));
    }
    last_norm_ =
        register_module("layernorm", std::make_shared<LayerNorm>(weights / "layernorm", width_, options.layer.epsilon));
}

FERRY_INLINE PooledOutput Swin::forward(const at::Tensor& pixel_values) const {
    check_channels(pixel_values, patches_);
    // Sizes decide where windows end and which are filled up: what is exported is for those of config.json.
    if (capture::module_calls() != nullptr) check_image_size(pixel_values, patches_);
    const auto [patch_rows, patch_columns] = patches_.patch;
    const std::int64_t below = (patch_rows - pixel_values.size(2) % patch_rows) % patch_rows,
                       right = (patch_columns - pixel_values.size(3) % patch_columns) % patch_columns;
    const bool is_padded = below > 0 || right > 0;
    const at::Tensor image =
        embedding_->in_rows(is_padded ? at::constant_pad_nd(pixel_values, {0, right, 0, below}) : pixel_values);
    PatchGrid grid{image.size(2), image.size(3)};
    at::Tensor x = first_norm_->forward(image.flatten(2).transpose(1, 2));
    if (positions_.defined()) {
        if (grid.rows * grid.columns != patches_.count()) check_image_size(pixel_values, patches_);
        x = x + positions_;
    }
    for (const Stage& stage : stages_) {
        for (const auto& layer : stage.layers) x = layer->forward(x, grid);
        if (!stage.merging) continue;
        x = stage.merging->forward(x, grid);
        grid = {(grid.rows + 1) / 2, (grid.columns + 1) / 2};
    }
    x = last_norm_->forward(x);
    return {x, x.mean(1)};
}

}  // namespace ferry::models
