#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Fourier transforms. ONNX's DFT is along one dimension, and divides by its size on the way back.
namespace ferry::onnx {
namespace translated {

struct fft_r2c {
    static constexpr auto target = op("complex::_fft_r2c");
    static Ref translate(Translation& t);
};
struct fft_c2c {
    static constexpr auto target = op("complex::_fft_c2c");
    static Ref translate(Translation& t);
};
struct fft_c2r {
    static constexpr auto target = op("complex::_fft_c2r");
    static Ref translate(Translation& t);
};

}  // namespace translated

using fourier_translations = translations<translated::fft_r2c, translated::fft_c2c, translated::fft_c2r>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/fourier-inl.hpp>
#endif
