#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <ATen/core/stack.h>

/// Tensors made from constant numbers alone: libtorch makes them while the model is written.
namespace ferry::onnx {
namespace translated {

struct window {
    static constexpr auto target =
        op("aten::hann_window", "aten::hann_window.periodic", "aten::hamming_window", "aten::hamming_window.periodic",
           "aten::hamming_window.periodic_alpha", "aten::hamming_window.periodic_alpha_beta", "aten::blackman_window",
           "aten::blackman_window.periodic", "aten::bartlett_window", "aten::bartlett_window.periodic",
           "aten::kaiser_window", "aten::kaiser_window.periodic", "aten::kaiser_window.beta");
    static Ref translate(Translation& t);
};
struct constant_numbers {
    static constexpr auto target = op("aten::logspace", "aten::fft_fftfreq", "aten::fft_rfftfreq");
    static Ref translate(Translation& t);
};

struct triangle_places {
    static constexpr auto target = op("aten::tril_indices", "aten::triu_indices");
    static Ref translate(Translation& t);
};

}  // namespace translated

using constant_factory_translations =
    translations<translated::window, translated::constant_numbers, translated::triangle_places>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/constant_factory-inl.hpp>
#endif
