#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/qwen2_vl_vision.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace ferry::models {

FERRY_INLINE Qwen2VlVisionOptions Qwen2VlVisionOptions::read(ConfigReader& config) {
    Qwen2VlVisionOptions made;
    made.layers = config.integer("depth", made.layers);
    made.width = config.integer("embed_dim", made.width);
    made.heads = config.integer("num_heads", made.heads);
    made.inner = config.integer("mlp_ratio", 4) * made.width;
    made.feature_width = config.integer("hidden_size", made.feature_width);
    made.activation = config.text("hidden_act", made.activation);
    made.merged = config.integer("spatial_merge_size", made.merged);
    made.channels = config.integer("in_channels", made.channels);
    made.frames = config.integer("temporal_patch_size", made.frames);
    made.patch = config.integer("patch_size", made.patch);
    if (const tree::Context* parameters = config.find("rope_parameters")) {
        ConfigReader rope(*parameters);
        rope.expect("rope_type", "axial");
        made.theta = rope.real("rope_theta", made.theta);
        rope.finish();
    }
    config.ignore({"in_chans", "spatial_patch_size"});  // older names, which transformers does not read
    if (made.heads <= 0 || made.width % made.heads != 0 || made.head_size() % 4 != 0)
        throw Error(ErrorKind::bad_file, "config.json: rows and columns cannot turn " + std::to_string(made.heads) +
                                             " heads of " + std::to_string(made.width) + " elements together");
    return made;
}

FERRY_INLINE at::Tensor PackedAttention::forward(const at::Tensor& x, const Rotary::Turns& turns,
                                                 const at::Tensor& seen) const {
    const at::Tensor all = all_->forward(x).unflatten(-1, {3, heads_, head_size_});
    const auto heads = [&](std::int64_t which) { return all.select(1, which).transpose(0, 1).unsqueeze(0); };
    const auto turned_heads = [&](std::int64_t which) {
        return turned(heads(which).to(at::kFloat), turns).to(x.scalar_type());
    };
    const at::Tensor found =
        at::scaled_dot_product_attention(turned_heads(0), turned_heads(1), heads(2), seen, /*dropout_p=*/0,
                                         /*is_causal=*/false, 1 / std::sqrt(static_cast<double>(head_size_)));
    return output_->forward(found.squeeze(0).transpose(0, 1).flatten(1));
}

FERRY_INLINE Qwen2VlVisionLayer::Qwen2VlVisionLayer(const Weights& weights, const Qwen2VlVisionOptions& options) {
    const auto add_norm = [&](const char* name) {
        return register_module(name, std::make_shared<LayerNorm>(weights / name, options.width, 1e-6));
    };
    before_attention_ = add_norm("norm1");
    attention_ = register_module("attn", std::make_shared<PackedAttention>(weights / "attn", options));
    before_mlp_ = add_norm("norm2");
    const Weights mlp = weights / "mlp";
    const MlpOptions sizes{options.width, options.inner, /*has_bias=*/true, options.activation};
    mlp_ = register_module("mlp", std::make_shared<Mlp>(mlp / "fc1", mlp / "fc2", sizes));
}

FERRY_INLINE PatchMerger::PatchMerger(const Weights& weights, const Qwen2VlVisionOptions& options)
    : count_(options.merged * options.merged) {
    const std::int64_t width = count_ * options.width;
    const Weights mlp = weights / "mlp";
    norm_ = register_module("ln_q", std::make_shared<LayerNorm>(weights / "ln_q", options.width, 1e-6));
    first_ = register_module("mlp_0", std::make_shared<Linear>(mlp / 0, width, width, true));
    second_ = register_module("mlp_2", std::make_shared<Linear>(mlp / 2, width, options.feature_width, true));
}

FERRY_INLINE at::Tensor PatchMerger::forward(const at::Tensor& x) const {
    const at::Tensor merged = norm_->forward(x).unflatten(0, {-1, count_}).flatten(1);
    return second_->forward(at::gelu(first_->forward(merged)));
}

FERRY_INLINE Qwen2VlVision::Qwen2VlVision(const Weights& weights, const Qwen2VlVisionOptions& options)
    : merged_(options.merged) {
    const at::Tensor patch =
        (weights / "patch_embed")
            .take("proj.weight", {options.width, options.channels, options.frames, options.patch, options.patch});
    patch_weight_ = register_parameter("patch_embed", patch.flatten(1), /*requires_grad=*/false);
    frequencies_ =
        register_buffer("inv_freq", rotary_frequencies({.size = options.head_size() / 2, .theta = options.theta}));
    for (std::int64_t i = 0; i < options.layers; ++i)
        layers_.push_back(register_module("blocks_" + std::to_string(i),
                                          std::make_shared<Qwen2VlVisionLayer>(weights / "blocks" / i, options)));
    merger_ = register_module("merger", std::make_shared<PatchMerger>(weights / "merger", options));
}

/// The first half of what turns together by the row, the second by the column.
FERRY_INLINE Rotary::Turns Qwen2VlVision::turns_at(const at::Tensor& positions) const {
    const at::Tensor half = (positions.unsqueeze(-1).to(at::kFloat) * frequencies_).flatten(1);
    const at::Tensor angles = at::cat({half, half}, -1);
    return {angles.cos(), angles.sin()};
}

FERRY_INLINE at::Tensor Qwen2VlVision::forward(const at::Tensor& pixel_values, const at::Tensor& image_position_ids,
                                               const at::Tensor& image_cu_seqlens) const {
    at::Tensor x = at::linear(pixel_values.to(patch_weight_.scalar_type()), patch_weight_);
    const at::Tensor patches = at::arange(x.size(0), at::TensorOptions(x.device())).unsqueeze(1);
    const at::Tensor image = (patches >= image_cu_seqlens.slice(0, 1)).sum(1);
    const at::Tensor seen = (image.unsqueeze(1) == image).unsqueeze(0).unsqueeze(0);
    const Rotary::Turns turns = turns_at(image_position_ids);
    for (const auto& layer : layers_) x = layer->forward(x, turns, seen);
    return merger_->forward(x);
}

}  // namespace ferry::models
