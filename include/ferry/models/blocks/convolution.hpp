#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

struct ConvolutionOptions {
    std::int64_t from = 0, to = 0;  ///< channels
    std::int64_t size = 1, stride = 1, padding = 0;
};

/// Along one dimension, with a bias.
class Convolution1d : public torch::nn::Module {
public:
    Convolution1d(const Weights& weights, const ConvolutionOptions& options)
        : weight(register_parameter("weight", weights.take("weight", {options.to, options.from, options.size}), false)),
          bias(register_parameter("bias", weights.take("bias", {options.to}), false)),
          options_(options) {}
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        return at::conv1d(x, weight, bias, options_.stride, options_.padding);
    }

    at::Tensor weight, bias;

private:
    ConvolutionOptions options_;
};

}  // namespace ferry::models
