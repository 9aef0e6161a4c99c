#pragma once

#include <ferry/models/blocks/heads.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/nn/module.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {

struct VisionLayerOptions {
    std::int64_t width = 768, inner = 3072, heads = 12, head_size = 64;
    bool has_bias = true;  ///< of queries, keys and values
    std::string activation = "gelu";
    double epsilon = 1e-6;
};

/// Where a checkpoint has the parts of a layer.
struct VisionLayerNames {
    std::string_view norm_before, query, key, value, output, norm_after, mlp_out, mlp_back;
};

/// Every patch looks at all.
class VisionAttention : public torch::nn::Module {
public:
    VisionAttention(const Weights& weights, const VisionLayerNames& names, const VisionLayerOptions& options)
        : heads_(options.heads), head_size_(options.head_size) {
        const std::int64_t inner = heads_ * head_size_;
        const auto add = [&](const char* name, std::string_view place, std::int64_t from, std::int64_t to,
                             bool biased) {
            return register_module(name, std::make_shared<Linear>(weights / place, from, to, biased));
        };
        query_ = add("q_proj", names.query, options.width, inner, options.has_bias);
        key_ = add("k_proj", names.key, options.width, inner, options.has_bias);
        value_ = add("v_proj", names.value, options.width, inner, options.has_bias);
        output_ = add("o_proj", names.output, inner, options.width, true);
    }

    /// `bias` is added to the scores, if there is one.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const std::optional<at::Tensor>& bias = {}) const {
        const auto heads = [&](const Linear& projection) {
            return in_heads(projection.forward(x), heads_, head_size_);
        };
        const at::Tensor found =
            at::scaled_dot_product_attention(heads(*query_), heads(*key_), heads(*value_), bias, /*dropout_p=*/0,
                                             /*is_causal=*/false, 1 / std::sqrt(static_cast<double>(head_size_)));
        return output_->forward(side_by_side(found));
    }

private:
    std::int64_t heads_, head_size_;
    std::shared_ptr<Linear> query_, key_, value_, output_;
};

/// Attention and an MLP, each behind a norm.
class VisionLayer : public torch::nn::Module {
public:
    VisionLayer(const Weights& weights, const VisionLayerNames& names, const VisionLayerOptions& options) {
        const auto add_norm = [&](const char* name, std::string_view place) {
            return register_module(name, std::make_shared<LayerNorm>(weights / place, options.width, options.epsilon));
        };
        before_ = add_norm("layernorm_before", names.norm_before);
        attention_ = register_module("attention", std::make_shared<VisionAttention>(weights, names, options));
        after_ = add_norm("layernorm_after", names.norm_after);
        const MlpOptions mlp{options.width, options.inner, /*has_bias=*/true, options.activation};
        mlp_ = register_module("mlp", std::make_shared<Mlp>(weights / names.mlp_out, weights / names.mlp_back, mlp));
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        return forward(
            x, [](const VisionAttention& attention, const at::Tensor& normal) { return attention.forward(normal); });
    }
    /// With attention in another way: `attend(attention, x)`.
    template <class Attend>
    [[nodiscard]] at::Tensor forward(at::Tensor x, const Attend& attend) const {
        x = x + attend(*attention_, before_->forward(x));
        return x + mlp_->forward(after_->forward(x));
    }

private:
    std::shared_ptr<LayerNorm> before_, after_;
    std::shared_ptr<VisionAttention> attention_;
    std::shared_ptr<Mlp> mlp_;
};

struct VisionEncoderOptions {
    std::int64_t layers = 12;
    VisionLayerOptions layer{};

    /// The fields that all of them have; what is not given is as in `otherwise`.
    [[nodiscard]] static VisionEncoderOptions read(ConfigReader& config, VisionEncoderOptions otherwise);
};

/// Layers, one behind the other. Hidden states are numbered as in transformers: 0 goes into the first layer, 1 comes out of it, and -1
/// comes out of the last one.
class VisionEncoder : public torch::nn::Module {
public:
    VisionEncoder(const Weights& weights, const VisionLayerNames& names, const VisionEncoderOptions& options);

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const { return hidden_state(x, -1); }
    [[nodiscard]] std::vector<at::Tensor> hidden_states(const at::Tensor& x) const;
    /// Without running the layers behind it.
    [[nodiscard]] at::Tensor hidden_state(at::Tensor x, std::int64_t number) const;

private:
    std::vector<std::shared_ptr<VisionLayer>> layers_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/vision_encoder-inl.hpp>
#endif
