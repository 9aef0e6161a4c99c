// Functions over complex numbers and Fourier transforms, for the backends that have pairs of real numbers for them.
#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ferry_test {

/// Of one tensor, whose first size varies.
struct ComplexFunction {
    using Tensors = std::vector<at::Tensor>;
    std::string name;
    std::function<Tensors(const Tensors&)> function;
    std::vector<std::int64_t> sizes;  ///< the first is that of the capture
    std::int64_t columns = 8;
};

[[nodiscard]] inline std::vector<ComplexFunction> complex_functions() {
    using Tensors = ComplexFunction::Tensors;
    std::vector<ComplexFunction> made{
        {"arithmetic",
         [](const Tensors& in) {
             const at::Tensor x = at::view_as_complex(in[0].reshape({-1, 4, 2})),
                              y = at::polar(at::real(x).abs(), at::imag(x));
             const at::Tensor z = (x * y + x / (y + 1.0) - 0.5 * x).conj() + at::real(x);
             return Tensors{at::view_as_real(z), z.abs(), at::angle(z), at::real(at::exp(x * 0.1)), at::imag(x.sum(1))};
         },
         {3, 5}},
        {"complex numbers move as others do",
         [](const Tensors& in) {
             at::Tensor x = at::complex(in[0], in[0] * 2).transpose(0, 1).slice(0, 1, 7).unsqueeze(0);
             x = at::cat({x, x.flip({1})}, 0).expand({2, 6, in[0].size(0)}).reshape({12, -1});
             return Tensors{at::view_as_real(x.index_select(0, at::arange(3))),
                            at::real(at::where(at::real(x) > 0, x, -x))};
         },
         {3, 6}},
        {"products of matrices",
         [](const Tensors& in) {
             const at::Tensor x = at::complex(in[0], in[0].flip({1}));
             return Tensors{at::view_as_real(at::matmul(x, x.transpose(0, 1)))};
         },
         {3, 5}},
        {"transforms of odd sizes, and over several dimensions of real numbers",
         [](const Tensors& in) {
             const at::Tensor half = at::fft_rfft2(in[0]);
             return Tensors{at::view_as_real(half), at::fft_irfft2(half, at::IntArrayRef{in[0].size(0), 7}),
                            at::view_as_real(at::fft_fft(in[0]))};
         },
         {4, 5},
         7},
        {"a spectrogram, and back",
         [](const Tensors& in) {
             const at::Tensor window = at::hann_window(16);
             const at::Tensor made = at::stft(in[0], 16, 4, 16, window, /*center=*/true, "reflect",
                                              /*normalized=*/false, /*onesided=*/true, /*return_complex=*/true);
             return Tensors{made.abs(), at::istft(made * 2.0, 16, 4, 16, window, /*center=*/true, /*normalized=*/false,
                                                  /*onesided=*/true, in[0].size(1))};
         },
         {2, 3},
         64},
        {"numbers made from nothing, and sums over letters",
         [](const Tensors& in) {
             const at::Tensor x = at::complex(in[0], in[0].flip({1})), real = in[0].narrow(1, 0, 4);
             const at::Tensor low = x.narrow(1, 0, 4);
             at::Tensor made = at::zeros({x.size(0), 8}, x.options());
             made.narrow(1, 0, 4).copy_(at::einsum("ni,ij->nj", {low, low.narrow(0, 0, 1).expand({4, 4})}));
             const at::Tensor filled = at::full({x.size(0), 8}, c10::complex<double>(1, -2), x.options()) +
                                       at::ones({x.size(0), 8}, x.options()) + at::full_like(x, 0.5) + at::ones_like(x);
             const at::Tensor three = at::einsum("ni,nj,nk->nijk", {low, real, low});
             return Tensors{at::view_as_real(made * filled), at::view_as_real(three)};
         },
         {3, 5}}};
    for (const char* norm : {"backward", "ortho", "forward"})
        made.push_back(
            {std::string("transforms there and back, normalized ") + norm,
             [norm](const Tensors& in) {
                 const at::Tensor half = at::fft_rfft(in[0], std::nullopt, 1, norm);
                 const at::Tensor whole = at::fft_fft2(at::complex(in[0], in[0] + 1), std::nullopt, {0, 1}, norm);
                 return Tensors{at::view_as_real(half), at::fft_irfft(half * 2.0, 8, 1, norm),
                                at::view_as_real(at::fft_ifft2(whole * 0.5, std::nullopt, {0, 1}, norm)), whole.abs()};
             },
             {4, 6}});
    return made;
}

}  // namespace ferry_test
