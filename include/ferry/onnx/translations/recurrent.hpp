#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// LSTM, GRU and RNN over whole sequences. ONNX has them layer by layer, with the gates of the weights in another order.
namespace ferry::onnx {
namespace translated {

void translate_plain_rnn(Translation& t, std::string_view activation);

struct lstm {
    static constexpr auto target = op("aten::lstm.input");
    static void translate(Translation& t);
};
struct gru {
    static constexpr auto target = op("aten::gru.input");
    static void translate(Translation& t);
};
template <fixed_string Aten, fixed_string Activation>
struct plain_rnn {
    static constexpr auto target = op(Aten.text);
    static void translate(Translation& t) { translate_plain_rnn(t, Activation); }
};

}  // namespace translated

using recurrent_translations =
    translations<translated::lstm, translated::gru, translated::plain_rnn<"aten::rnn_tanh.input", "Tanh">,
                 translated::plain_rnn<"aten::rnn_relu.input", "Relu">>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/recurrent-inl.hpp>
#endif
