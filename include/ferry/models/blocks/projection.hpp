#pragma once

#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

/// How a checkpoint holds a matrix.
enum class MatrixOrder { to_from, from_to };

/// x times a matrix that is held either way, plus a bias if there is one.
class Projection : public torch::nn::Module {
public:
    Projection(const Weights& weights, std::int64_t from, std::int64_t to, bool has_bias,
               MatrixOrder order = MatrixOrder::to_from)
        : order_(order) {
        weight_ = register_parameter(
            "weight",
            order == MatrixOrder::to_from ? weights.take("weight", {to, from}) : weights.take("weight", {from, to}),
            /*requires_grad=*/false);
        if (has_bias) bias_ = register_parameter("bias", weights.take("bias", {to}), false);
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        if (order_ == MatrixOrder::to_from) return at::linear(x, weight_, bias_);
        const at::Tensor product = at::matmul(x, weight_);
        return bias_.defined() ? product + bias_ : product;
    }

private:
    MatrixOrder order_;
    at::Tensor weight_, bias_;
};

}  // namespace ferry::models
