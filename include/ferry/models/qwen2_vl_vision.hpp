#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/blocks/rotary.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>
#include <ferry/preparers/vision_grid.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::models {

struct Qwen2VlVisionOptions {
    std::int64_t layers = 32, width = 1280, heads = 16, inner = 5120;
    std::int64_t merged = 2;                        ///< patches of each direction that become one feature
    std::int64_t feature_width = 3584;
    std::string activation = "quick_gelu";
    double theta = 10000;
    std::int64_t channels = 3, frames = 2, patch = 14;

    [[nodiscard]] static Qwen2VlVisionOptions read(ConfigReader& config);
    [[nodiscard]] std::int64_t head_size() const { return width / heads; }
};

/// Every patch looks at those of its own image.
class PackedAttention : public torch::nn::Module {
public:
    PackedAttention(const Weights& weights, const Qwen2VlVisionOptions& options)
        : heads_(options.heads),
          head_size_(options.head_size()),
          all_(add("qkv", weights, options.width, 3 * options.width)),
          output_(add("proj", weights, options.width, options.width)) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const Rotary::Turns& turns, const at::Tensor& seen) const;

private:
    [[nodiscard]] std::shared_ptr<Linear> add(const char* name, const Weights& weights, std::int64_t from,
                                              std::int64_t to) {
        return register_module(name, std::make_shared<Linear>(weights / name, from, to, /*has_bias=*/true));
    }

    std::int64_t heads_, head_size_;
    std::shared_ptr<Linear> all_, output_;  ///< `all_` has queries, keys and values
};

class Qwen2VlVisionLayer : public torch::nn::Module {
public:
    Qwen2VlVisionLayer(const Weights& weights, const Qwen2VlVisionOptions& options);

    [[nodiscard]] at::Tensor forward(at::Tensor x, const Rotary::Turns& turns, const at::Tensor& seen) const {
        x = x + attention_->forward(before_attention_->forward(x), turns, seen);
        return x + mlp_->forward(before_mlp_->forward(x));
    }

private:
    std::shared_ptr<LayerNorm> before_attention_, before_mlp_;
    std::shared_ptr<PackedAttention> attention_;
    std::shared_ptr<Mlp> mlp_;
};

/// Patches of neighbouring rows and columns, as one vector that a language model takes for a token.
class PatchMerger : public torch::nn::Module {
public:
    PatchMerger(const Weights& weights, const Qwen2VlVisionOptions& options);

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const;

private:
    std::int64_t count_;
    std::shared_ptr<LayerNorm> norm_;
    std::shared_ptr<Linear> first_, second_;
};

/// Images of any sizes, whose patches come one after the other: [features, width].
class Qwen2VlVision : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("pixel_values", "image_position_ids", "image_cu_seqlens");

    Qwen2VlVision(const Weights& weights, const Qwen2VlVisionOptions& options);

    /// Patches [patches, elements]; the rest as ImageGridInputs has it.
    [[nodiscard]] at::Tensor forward(const at::Tensor& pixel_values, const at::Tensor& image_position_ids,
                                     const at::Tensor& image_cu_seqlens) const;

    /// Of which the input preparer grid_thw makes what forward takes.
    [[nodiscard]] VisionGrid vision_grid() const { return {.spatial_merge_size = merged_}; }

private:
    [[nodiscard]] Rotary::Turns turns_at(const at::Tensor& positions) const;

    std::int64_t merged_;
    at::Tensor patch_weight_, frequencies_;
    std::vector<std::shared_ptr<Qwen2VlVisionLayer>> layers_;
    std::shared_ptr<PatchMerger> merger_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/qwen2_vl_vision-inl.hpp>
#endif
