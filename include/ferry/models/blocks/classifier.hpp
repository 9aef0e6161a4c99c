#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

/// The logits of so many classes; where there are none, what it is given.
class Classifier : public torch::nn::Module {
public:
    Classifier(const Weights& weights, std::int64_t width, std::int64_t labels) {
        if (labels == 0) return;
        weight_ = register_parameter("weight", weights.take("weight", {labels, width}), false);
        bias_ = register_parameter("bias", weights.take("bias", {labels}), false);
    }
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        return weight_.defined() ? at::linear(x, weight_, bias_) : x;
    }

private:
    at::Tensor weight_, bias_;
};

}  // namespace ferry::models
