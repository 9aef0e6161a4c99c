// Complex numbers and Fourier transforms: pairs of real numbers in ONNX Runtime, against libtorch.
#include <ferry/verify/run_onnx.hpp>

#include "support.hpp"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using ferry_test::TensorFunction;
using Tensors = std::vector<at::Tensor>;

/// At the sizes of the capture and at others.
void check(const TensorFunction& function, const Tensors& sample, const Tensors& other,
           const ferry::DynamicShapes& shapes = {}) {
    const auto program = ferry_test::capture(function, sample, shapes);
    for (const std::int64_t opset : {18, 20, 23}) {
        const auto model = ferry_test::to_onnx(program, {.opset_version = opset});
        for (const Tensors& inputs : {sample, other}) {
            const Tensors expected = function(inputs);
            const ferry::Tree found = model(ferry::inputs("tensors", inputs));
            REQUIRE(found.leaves.size() == expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                REQUIRE(found.leaves[i].tensor().sizes() == expected[i].sizes());
                CHECK(at::allclose(found.leaves[i].tensor(), expected[i], 1e-4, 1e-4));
            }
        }
    }
}

ferry::DynamicShapes rows() { return {{"tensors.0", {{0, ferry::Dim("n")}}}}; }
Tensors real(std::int64_t n, std::int64_t m = 8) { return {at::randn({n, m})}; }

}  // namespace

TEST_CASE("arithmetic on complex numbers") {
    const auto function = [](const Tensors& in) {
        const at::Tensor x = at::view_as_complex(in[0].reshape({-1, 4, 2})),
                         y = at::polar(at::real(x).abs(), at::imag(x));
        const at::Tensor z = (x * y + x / (y + 1.0) - 0.5 * x).conj() + at::real(x);
        return Tensors{at::view_as_real(z), z.abs(), at::angle(z), at::real(at::exp(x * 0.1)), at::imag(x.sum(1))};
    };
    check(function, real(3), real(5), rows());
}

TEST_CASE("complex numbers move as others do") {
    const auto function = [](const Tensors& in) {
        at::Tensor x = at::complex(in[0], in[0] * 2).transpose(0, 1).slice(0, 1, 7).unsqueeze(0);
        x = at::cat({x, x.flip({1})}, 0).expand({2, 6, in[0].size(0)}).reshape({12, -1});
        return Tensors{at::view_as_real(x.index_select(0, at::arange(3))), at::real(at::where(at::real(x) > 0, x, -x))};
    };
    check(function, real(3), real(6), rows());
}

TEST_CASE("products of complex matrices") {
    const auto function = [](const Tensors& in) {
        const at::Tensor x = at::complex(in[0], in[0].flip({1}));
        return Tensors{at::view_as_real(at::matmul(x, x.transpose(0, 1)))};
    };
    check(function, real(3), real(5), rows());
}

TEST_CASE("Fourier transforms there and back, in all ways of normalizing") {
    for (const char* norm : {"backward", "ortho", "forward"}) {
        CAPTURE(norm);
        const auto function = [&](const Tensors& in) {
            const at::Tensor half = at::fft_rfft(in[0], std::nullopt, 1, norm);
            const at::Tensor whole = at::fft_fft2(at::complex(in[0], in[0] + 1), std::nullopt, {0, 1}, norm);
            return Tensors{at::view_as_real(half), at::fft_irfft(half * 2.0, 8, 1, norm),
                           at::view_as_real(at::fft_ifft2(whole * 0.5, std::nullopt, {0, 1}, norm)), whole.abs()};
        };
        check(function, real(4), real(6), rows());
    }
}

TEST_CASE("transforms of odd sizes, and over several dimensions of real numbers") {
    const auto function = [](const Tensors& in) {
        const at::Tensor half = at::fft_rfft2(in[0]);
        return Tensors{at::view_as_real(half), at::fft_irfft2(half, at::IntArrayRef{in[0].size(0), 7})};
    };
    check(function, real(4, 7), real(5, 7), rows());
}

TEST_CASE("a spectrogram, and back") {
    const auto function = [](const Tensors& in) {
        const at::Tensor window = at::hann_window(16);
        const at::Tensor made = at::stft(in[0], 16, 4, 16, window, /*center=*/true, "reflect", /*normalized=*/false,
                                         /*onesided=*/true, /*return_complex=*/true);
        return Tensors{made.abs(), at::istft(made * 2.0, 16, 4, 16, window, /*center=*/true, /*normalized=*/false,
                                             /*onesided=*/true, in[0].size(1))};
    };
    check(function, real(2, 64), real(3, 64), rows());
}

TEST_CASE("complex numbers made from nothing, and sums over letters") {
    const auto function = [](const Tensors& in) {
        const at::Tensor x = at::complex(in[0], in[0].flip({1})), real = in[0].narrow(1, 0, 4);
        const at::Tensor low = x.narrow(1, 0, 4);
        at::Tensor made = at::zeros({x.size(0), 8}, x.options());
        made.narrow(1, 0, 4).copy_(at::einsum("ni,ij->nj", {low, low.narrow(0, 0, 1).expand({4, 4})}));
        const at::Tensor filled = at::full({x.size(0), 8}, c10::complex<double>(1, -2), x.options()) +
                                  at::ones({x.size(0), 8}, x.options()) + at::full_like(x, 0.5);
        const at::Tensor three = at::einsum("ni,nj,nk->nijk", {low, real, low});
        return Tensors{at::view_as_real(made * filled), at::view_as_real(three)};
    };
    check(function, real(3), real(5), rows());
}
