#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/onnx/translation.hpp>

#include <ATen/core/stack.h>

/// Tensors made from constant numbers alone: libtorch makes them while the model is written.
namespace ferry::onnx {
namespace translated {

/// On the CPU, wherever the program has its tensors.
inline Ref evaluated(Translation& t) {
    const auto op = find_op(t.node().op());
    const auto no_tensor = [&](Value) -> c10::IValue { t.refuse("a number that only a run gives"); };
    torch::jit::Stack stack;
    for (const c10::Argument& each : op->schema().arguments()) {
        const Argument given = each.name() == "device" ? Argument() : t.argument(each.name());
        stack.push_back(to_ivalue(given, *each.real_type(), no_tensor));
    }
    op->callBoxed(stack);
    return t.constant(stack.front().toTensor());
}

struct window {
    static constexpr auto target =
        op("aten::hann_window", "aten::hann_window.periodic", "aten::hamming_window", "aten::hamming_window.periodic",
           "aten::hamming_window.periodic_alpha", "aten::hamming_window.periodic_alpha_beta", "aten::blackman_window",
           "aten::blackman_window.periodic", "aten::bartlett_window", "aten::bartlett_window.periodic",
           "aten::kaiser_window", "aten::kaiser_window.periodic", "aten::kaiser_window.beta");
    static Ref translate(Translation& t) { return evaluated(t); }
};
struct constant_numbers {
    static constexpr auto target =
        op("aten::tril_indices", "aten::triu_indices", "aten::logspace", "aten::fft_fftfreq", "aten::fft_rfftfreq");
    static Ref translate(Translation& t) { return evaluated(t); }
};

}  // namespace translated

using constant_factory_translations = translations<translated::window, translated::constant_numbers>;

}  // namespace ferry::onnx
