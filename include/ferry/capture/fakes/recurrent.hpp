#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <tuple>

/// Layers that walk along a sequence: libtorch's own Meta path takes every step of a probe's length.
namespace ferry::fake_ops {

struct lstm {
    static constexpr auto target = op("aten::lstm.input");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input, at::TensorList state,
                                                               at::TensorList weights, bool has_biases,
                                                               std::int64_t layers, double, bool, bool bidirectional,
                                                               bool batch_first);
};

struct recurrent {
    static constexpr auto target = op("aten::gru.input", "aten::rnn_tanh.input", "aten::rnn_relu.input");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& input, const at::Tensor& state,
                                                   at::TensorList weights, bool has_biases, std::int64_t layers, double,
                                                   bool, bool bidirectional, bool batch_first);
};

}  // namespace ferry::fake_ops

namespace ferry {

using recurrent_fakes = fakes<fake_ops::lstm, fake_ops::recurrent>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/recurrent-inl.hpp>
#endif
