#pragma once

#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>

#include <cstdint>
#include <memory>
#include <string>

namespace ferry::models {

/// One projection decides how much of another goes through.
class GatedMlp : public torch::nn::Module {
public:
    GatedMlp(const Weights& weights, std::int64_t width, std::int64_t inner, bool has_bias, const std::string& function)
        : gate_(register_module("gate_proj", std::make_shared<Linear>(weights / "gate_proj", width, inner, has_bias))),
          up_(register_module("up_proj", std::make_shared<Linear>(weights / "up_proj", width, inner, has_bias))),
          down_(register_module("down_proj", std::make_shared<Linear>(weights / "down_proj", inner, width, has_bias))),
          activation_(activation(function)) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        return down_->forward(activation_(gate_->forward(x)) * up_->forward(x));
    }

private:
    std::shared_ptr<Linear> gate_, up_, down_;
    Activation activation_;
};

}  // namespace ferry::models
