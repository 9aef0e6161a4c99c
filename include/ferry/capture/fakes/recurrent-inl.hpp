#pragma once

#include <ferry/capture/fakes/recurrent.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace ferry::fake_ops {
namespace detail {

/// What comes out at every step. `state` is the hidden state at the start, of each layer and direction.
[[nodiscard]] inline at::Tensor recurrent_output(const at::Tensor& input, const at::Tensor& state,
                                                 at::TensorList weights, std::int64_t layers, bool bidirectional,
                                                 bool batch_first) {
    const std::int64_t directions = bidirectional ? 2 : 1;
    TORCH_CHECK(input.dim() == 3 && state.dim() == 3, "recurrent layer: input ", input.sizes(), " and state ",
                state.sizes(), ", where both have three dimensions");
    TORCH_CHECK(state.size(0) == layers * directions, "recurrent layer: a state of ", state.sizes(), " for ", layers,
                " layers and ", directions, " directions");
    const std::int64_t batch = input.size(batch_first ? 0 : 1), steps = input.size(batch_first ? 1 : 0);
    TORCH_CHECK(state.size(1) == batch, "recurrent layer: a batch of ", batch, " and a state of ", state.sizes());
    TORCH_CHECK(steps > 0, "recurrent layer: expected a sequence of at least one step");
    TORCH_CHECK(!weights.empty() && weights[0].dim() == 2 && weights[0].size(1) == input.size(2),
                "recurrent layer: its weights do not fit an input of ", input.sizes());
    const at::Tensor output = at::empty({steps, batch, directions * state.size(2)}, input.options());
    return batch_first ? output.transpose(0, 1) : output;
}

}  // namespace detail

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm::fake(const at::Tensor& input, at::TensorList state,
                                                                       at::TensorList weights, bool,
                                                                       std::int64_t layers, double, bool,
                                                                       bool bidirectional, bool batch_first) {
    TORCH_CHECK(state.size() == 2, "lstm: ", state.size(), " states, where a hidden and a cell state are expected");
    return {detail::recurrent_output(input, state[0], weights, layers, bidirectional, batch_first),
            at::empty(state[0].sizes(), input.options()), at::empty(state[1].sizes(), input.options())};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> recurrent::fake(const at::Tensor& input, const at::Tensor& state,
                                                                at::TensorList weights, bool, std::int64_t layers,
                                                                double, bool, bool bidirectional, bool batch_first) {
    return {detail::recurrent_output(input, state, weights, layers, bidirectional, batch_first),
            at::empty(state.sizes(), input.options())};
}

}  // namespace ferry::fake_ops
