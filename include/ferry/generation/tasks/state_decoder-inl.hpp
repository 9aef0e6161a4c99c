#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/tasks/samples.hpp>
#include <ferry/generation/tasks/state_decoder.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::generation {

FERRY_INLINE StateDecoder::StateDecoder(AnyModel model) : model_(std::move(model)) {
    register_module("model", model_.module());
    const at::NoGradGuard no_grad;
    const at::Tensor token = sample_ids(1, 1);
    States first;
    for (const std::string_view parameter : model_.parameters())
        if (std::optional<Tree> value = model_.initial(parameter)) first.emplace_back(parameter, *std::move(value));
    const Inputs begun = run(token, first);
    states_ = states_of(begun);
    const States next = states_of(run(token, states_));
    for (std::size_t i = 0; i < states_.size(); ++i)
        for (std::size_t j = 0; j < states_[i].second.leaves.size(); ++j) {
            Leaf& leaf = states_[i].second.leaves[j];
            if (!leaf.is_tensor() || leaf.tensor().sizes() != next[i].second.leaves.at(j).tensor().sizes())
                throw Error(ErrorKind::unsupported,
                            std::string(model_.type()) +
                                " has neither a static cache nor states that never grow, and a program that keeps its "
                                "cache needs one of them",
                            {.hint = "export it without a task: its cache is then an input and an output"});
            leaf =
                register_buffer("state_" + std::to_string(i) + "_" + std::to_string(j), at::zeros_like(leaf.tensor()));
        }
    if (!at::allclose(run(token, states_).get<at::Tensor>("logits"), begun.get<at::Tensor>("logits"), 1e-3, 1e-4))
        throw Error(
            ErrorKind::unsupported,
            std::string(model_.type()) + " does not begin with states of zeros, and a program that keeps them does",
            {.hint = "export it without a task: its states are then inputs and outputs"});
}

FERRY_INLINE StateDecoder::States StateDecoder::states_of(const Inputs& outputs) const {
    States made;
    for (const std::string_view parameter : model_.parameters())
        if (model_.initial(parameter)) made.emplace_back(parameter, outputs.at(parameter));
    return made;
}

FERRY_INLINE Inputs StateDecoder::run(const at::Tensor& input_ids, const States& states) const {
    Inputs given = inputs("input_ids", input_ids);
    for (const auto& [name, state] : states) given.set(name, state);
    return tree::unflatten<Inputs>(model_(given));
}

FERRY_INLINE at::Tensor StateDecoder::forward(const at::Tensor& input_ids, const at::Tensor& cache_position) const {
    const at::Tensor is_first = cache_position == 0;
    States before = states_;
    for (auto& [name, state] : before)
        for (Leaf& leaf : state.leaves) leaf = at::where(is_first, at::zeros_like(leaf.tensor()), leaf.tensor());
    const Inputs outputs = run(input_ids, before);
    const States after = states_of(outputs);
    for (std::size_t i = 0; i < states_.size(); ++i)
        for (std::size_t j = 0; j < states_[i].second.leaves.size(); ++j)
            states_[i].second.leaves[j].tensor().copy_(after[i].second.leaves[j].tensor());
    return outputs.get<at::Tensor>("logits");
}

}  // namespace ferry::generation
