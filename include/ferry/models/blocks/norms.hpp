#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

/// By the root mean square, computed in float32.
class RmsNorm : public torch::nn::Module {
public:
    RmsNorm(const Weights& weights, std::int64_t width, double epsilon)
        : weight(register_parameter("weight", weights.take("weight", {width}), false)), epsilon_(epsilon) {}
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        const at::Tensor wide = x.to(at::kFloat);
        const at::Tensor normal = wide * (wide.pow(2).mean(-1, /*keepdim=*/true) + epsilon_).rsqrt();
        return weight * normal.to(x.scalar_type());
    }

    at::Tensor weight;

private:
    double epsilon_;
};

}  // namespace ferry::models
