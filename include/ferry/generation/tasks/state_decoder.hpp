#pragma once

#include <ferry/core/names.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {

/// A language model that keeps states instead of tokens, such as Mamba: tensors that never grow, here buffers. It takes one token of one
/// text at a call; at the place 0 the states are zeros, as a model without any must take them.
class StateDecoder final : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = names("input_ids", "cache_position");

    explicit StateDecoder(AnyModel model);

    [[nodiscard]] at::Tensor forward(const at::Tensor& input_ids, const at::Tensor& cache_position) const;

private:
    /// By the names of forward's parameters, each as its tensors are: as they come out of the first call.
    using States = std::vector<std::pair<std::string, Tree>>;

    [[nodiscard]] States states_of(const Inputs& outputs) const;
    [[nodiscard]] Inputs run(const at::Tensor& input_ids, const States& states) const;

    AnyModel model_;
    States states_;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/state_decoder-inl.hpp>
#endif
