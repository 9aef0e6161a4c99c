#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/unfold_backward.h>

#include <cstdint>
#include <optional>

namespace ferry {
namespace decomposed {

/// From a spectrogram back to the signal: frames are added where they overlap. libtorch's own looks at the window's values, for zeros
/// that it would divide by; a window that is a buffer has none before the program runs.
struct istft {
    static constexpr auto target = op("aten::istft");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                                std::optional<std::int64_t> win_length, const std::optional<at::Tensor>& given_window,
                                bool center, bool normalized, std::optional<bool> onesided,
                                std::optional<std::int64_t> length, bool return_complex) {
        const bool is_batch = self.dim() == 3;
        at::Tensor frames = (is_batch ? self : self.unsqueeze(0)).transpose(1, 2);
        const std::int64_t hop = hop_length.value_or(n_fft / 4), count = frames.size(1);
        const std::int64_t by_root = 1, by_count = 2, normalization = normalized ? by_root : by_count;
        const at::Tensor window = padded_window(self, n_fft, win_length.value_or(n_fft), given_window);
        if (return_complex) {
            frames = at::_fft_c2c(frames, {2}, normalization, /*forward=*/false);
        } else {
            if (!onesided.value_or(frames.size(2) != n_fft)) frames = frames.slice(2, 0, n_fft / 2 + 1);
            frames = at::_fft_c2r(frames, {2}, normalization, n_fft);
        }
        const std::int64_t whole = n_fft + hop * (count - 1), start = center ? n_fft / 2 : 0;
        const std::int64_t end = length ? start + *length : whole - start;
        const auto added = [&](const at::Tensor& each) {
            return at::unfold_backward(each, {each.size(0), whole}, 1, n_fft, hop).slice(1, start, end);
        };
        at::Tensor made = added(frames * window) / added((window * window).expand({1, count, n_fft}));
        if (end > whole) made = at::constant_pad_nd(made, {0, end - whole});
        return is_batch ? made : made.squeeze(0);
    }

private:
    static at::Tensor padded_window(const at::Tensor& self, std::int64_t n_fft, std::int64_t win_length,
                                    const std::optional<at::Tensor>& given) {
        const auto options =
            at::TensorOptions().dtype(c10::toRealValueType(self.scalar_type())).device(decomposed::real_device(self));
        const at::Tensor window = given && given->defined() ? *given : at::ones({win_length}, options);
        const std::int64_t left = (n_fft - win_length) / 2;
        return win_length == n_fft ? window : at::constant_pad_nd(window, {left, n_fft - win_length - left});
    }
};

}  // namespace decomposed

using spectral_decompositions = decompositions<decomposed::istft>;

}  // namespace ferry
