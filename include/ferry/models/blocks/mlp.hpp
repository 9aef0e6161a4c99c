#pragma once

#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/feed_forward.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

namespace ferry::models {

struct MlpOptions {
    std::int64_t width = 0, inner = 0;
    bool has_bias = false;
    std::string activation = "silu";
};

/// One projection decides how much of another goes through.
class GatedMlp : public FeedForward {
public:
    GatedMlp(const Weights& weights, const MlpOptions& options) : activation_(activation(options.activation)) {
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to) {
            return register_module(name, std::make_shared<Linear>(weights / name, from, to, options.has_bias));
        };
        gate_ = add("gate_proj", options.width, options.inner);
        up_ = add("up_proj", options.width, options.inner);
        down_ = add("down_proj", options.inner, options.width);
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override {
        return down_->forward(activation_(gate_->forward(x)) * up_->forward(x));
    }

private:
    std::shared_ptr<Linear> gate_, up_, down_;
    Activation activation_;
};

/// The same, with both projections in one matrix.
class FusedGatedMlp : public FeedForward {
public:
    FusedGatedMlp(const Weights& weights, const MlpOptions& options)
        : inner_(options.inner), activation_(activation(options.activation)) {
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to) {
            return register_module(name, std::make_shared<Linear>(weights / name, from, to, options.has_bias));
        };
        gate_up_ = add("gate_up_proj", options.width, 2 * inner_);
        down_ = add("down_proj", inner_, options.width);
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override {
        const at::Tensor both = gate_up_->forward(x);
        return down_->forward(both.slice(-1, inner_, 2 * inner_) * activation_(both.slice(-1, 0, inner_)));
    }

private:
    std::int64_t inner_;
    std::shared_ptr<Linear> gate_up_, down_;
    Activation activation_;
};

/// Out to more elements, through a function, and back. Checkpoints have the two projections under many names.
class Mlp : public FeedForward {
public:
    Mlp(const Weights& out, const Weights& back, const MlpOptions& options)
        : out_(register_module("out", std::make_shared<Linear>(out, options.width, options.inner, options.has_bias))),
          back_(
              register_module("back", std::make_shared<Linear>(back, options.inner, options.width, options.has_bias))),
          activation_(activation(options.activation)) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override {
        return back_->forward(activation_(out_->forward(x)));
    }

private:
    std::shared_ptr<Linear> out_, back_;
    Activation activation_;
};

}  // namespace ferry::models
