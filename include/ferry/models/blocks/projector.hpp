#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>

namespace ferry::models {

struct ProjectorOptions {
    std::int64_t from = 0, to = 0;
    std::string activation = "gelu";
    bool has_bias = true;
};

/// What an encoder saw or heard, as vectors that a language model takes for tokens.
class Projector : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("features");

    Projector(const Weights& weights, const ProjectorOptions& options)
        : first_(register_module(
              "linear_1", std::make_shared<Linear>(weights / "linear_1", options.from, options.to, options.has_bias))),
          second_(register_module(
              "linear_2", std::make_shared<Linear>(weights / "linear_2", options.to, options.to, options.has_bias))),
          activation_(activation(options.activation)) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& features) const {
        return second_->forward(activation_(first_->forward(features)));
    }

private:
    std::shared_ptr<Linear> first_, second_;
    Activation activation_;
};

}  // namespace ferry::models
