#pragma once

#include <ferry/generation/encode.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {

/// An encoder of texts, images or sounds with nothing to be left out, and what makes of its vectors those of a language model.
class SourceEncoder final : public torch::nn::Module {
public:
    explicit SourceEncoder(AnyModel encoder, std::vector<AnyModel> projectors = {})
        : encoder_(std::move(encoder)), projectors_(std::move(projectors)) {
        register_module("encoder", encoder_.module());
        for (std::size_t i = 0; i < projectors_.size(); ++i)
            register_module("projector_" + std::to_string(i), projectors_[i].module());
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& source) const {
        Inputs given;
        given.set(only_input(encoder_), source);
        if (encoder_.takes("attention_mask")) given.set("attention_mask", at::ones_like(source));
        at::Tensor x = first_tensor(encoder_(given), encoder_.type());
        for (const AnyModel& each : projectors_) x = run_on(each, x);
        return x;
    }

private:
    AnyModel encoder_;
    std::vector<AnyModel> projectors_;
};

}  // namespace ferry::generation
