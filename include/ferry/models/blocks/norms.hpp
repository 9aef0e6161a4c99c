#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

/// By the root mean square, computed in float32. `offset` is what the checkpoint's weights are short of: Gemma's are around zero.
class RmsNorm : public torch::nn::Module {
public:
    RmsNorm(const Weights& weights, std::int64_t width, double epsilon, double offset = 0)
        : weight(register_parameter("weight", weights.take("weight", {width}), false)),
          epsilon_(epsilon),
          offset_(offset) {}
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        const at::Tensor wide = x.to(at::kFloat);
        const at::Tensor normal = wide * (wide.pow(2).mean(-1, /*keepdim=*/true) + epsilon_).rsqrt();
        if (offset_ == 0) return weight * normal.to(x.scalar_type());
        return (normal * (weight.to(at::kFloat) + offset_)).to(x.scalar_type());
    }

    at::Tensor weight;

private:
    double epsilon_, offset_;
};

}  // namespace ferry::models
