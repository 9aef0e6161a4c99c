#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/layer_norm.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>

namespace ferry::models {

class Norm : public torch::nn::Module {
public:
    [[nodiscard]] virtual at::Tensor forward(const at::Tensor& x) const = 0;
};

/// By the root mean square, computed in float32 and rounded before it meets the weight.
class RmsNorm : public Norm {
public:
    RmsNorm(const Weights& weights, std::int64_t width, double epsilon)
        : weight(register_parameter("weight", weights.take("weight", {width}), false)), epsilon_(epsilon) {}
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override {
        return weight * by_mean_square(x, epsilon_).to(weight.scalar_type());
    }

    /// In float32, without a weight.
    [[nodiscard]] static at::Tensor by_mean_square(const at::Tensor& x, double epsilon) {
        const at::Tensor wide = x.to(at::kFloat);
        return wide * (wide.pow(2).mean(-1, /*keepdim=*/true) + epsilon).rsqrt();
    }

    at::Tensor weight;

private:
    double epsilon_;
};

/// The same, but rounded behind the weight, which may be stored as its distance from 1.
class WideRmsNorm : public Norm {
public:
    WideRmsNorm(const Weights& weights, std::int64_t width, double epsilon, bool is_distance)
        : weight(register_parameter("weight", weights.take("weight", {width}), false)),
          epsilon_(epsilon),
          is_distance_(is_distance) {}
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override {
        const at::Tensor wide = weight.to(at::kFloat);
        return (RmsNorm::by_mean_square(x, epsilon_) * (is_distance_ ? wide + 1.0 : wide)).to(x.scalar_type());
    }

    at::Tensor weight;

private:
    double epsilon_;
    bool is_distance_;
};

/// By mean and variance.
class LayerNorm : public Norm {
public:
    LayerNorm(const Weights& weights, std::int64_t width, double epsilon, bool has_bias = true)
        : weight(register_parameter("weight", taken(weights, "weight", "gamma", width), false)), epsilon_(epsilon) {
        if (has_bias) bias = register_parameter("bias", taken(weights, "bias", "beta", width), false);
    }
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override {
        return at::layer_norm(x, weight.sizes(), weight, bias, epsilon_);
    }

    at::Tensor weight, bias;

private:
    /// The first checkpoints of BERT were made by TensorFlow, and have its names.
    [[nodiscard]] static at::Tensor taken(const Weights& weights, const char* name, const char* older,
                                          std::int64_t width) {
        return weights.take(weights.has(older) ? older : name, {width});
    }

    double epsilon_;
};

enum class NormKind : std::uint8_t { rms, wide_rms, wide_rms_from_one, layer };

struct NormOptions {
    NormKind kind = NormKind::rms;
    double epsilon = 1e-6;

    [[nodiscard]] std::shared_ptr<Norm> make(const Weights& weights, std::int64_t width) const {
        if (kind == NormKind::layer) return std::make_shared<LayerNorm>(weights, width, epsilon);
        if (kind == NormKind::rms) return std::make_shared<RmsNorm>(weights, width, epsilon);
        return std::make_shared<WideRmsNorm>(weights, width, epsilon, kind == NormKind::wide_rms_from_one);
    }
};

}  // namespace ferry::models
