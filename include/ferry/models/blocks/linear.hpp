#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace ferry::models {

/// x times a matrix, plus a bias if there is one.
class Linear : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input");

    Linear(const Weights& weights, std::int64_t from, std::int64_t to, bool has_bias = false)
        : weight(register_parameter("weight", weights.take("weight", {to, from}), /*requires_grad=*/false)) {
        if (has_bias) bias = register_parameter("bias", weights.take("bias", {to}), false);
    }
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const { return at::linear(x, weight, bias); }

    at::Tensor weight, bias;
};

/// A vector for each number of a vocabulary.
class Embedding : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input");

    Embedding(const Weights& weights, std::int64_t count, std::int64_t width)
        : weight(register_parameter("weight", weights.take("weight", {count, width}), false)) {}
    [[nodiscard]] at::Tensor forward(const at::Tensor& ids) const { return at::embedding(weight, ids); }

    at::Tensor weight;
};

}  // namespace ferry::models
