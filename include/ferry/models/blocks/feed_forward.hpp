#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

namespace ferry::models {

/// What a layer does with each token by itself.
class FeedForward : public torch::nn::Module {
public:
    [[nodiscard]] virtual at::Tensor forward(const at::Tensor& x) const = 0;
};

}  // namespace ferry::models
