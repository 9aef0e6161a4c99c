#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/complex.hpp>
#include <ferry/program/decompositions/of_program.hpp>
#include <ferry/program/retrace/paired_numbers.hpp>

#include <ATen/ScalarOps.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/WrapDimMinimal.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch::parts {
namespace detail {

using ferry::detail::paired;

/// An operand of an op on complex numbers; a real one has no imaginary part.
struct Parts {
    at::Tensor real;
    at::Tensor imaginary{};

    [[nodiscard]] at::Tensor pairs() const {
        return paired(real, imaginary.defined() ? imaginary : at::zeros_like(real));
    }
};

[[nodiscard]] inline Parts parts_of(const c10::Scalar& number) {
    if (!number.isComplex()) return {at::native::wrapped_scalar_tensor(number)};
    const c10::complex<double> whole = number.toComplexDouble();
    return {at::native::wrapped_scalar_tensor(whole.real()), at::native::wrapped_scalar_tensor(whole.imag())};
}
[[nodiscard]] inline Parts parts_of(const at::Tensor& pairs) { return {pairs.select(-1, 0), pairs.select(-1, 1)}; }
/// What the running node has under this name: pairs, real numbers, or a number that was written there.
[[nodiscard]] inline Parts parts_of(const at::Tensor& tensor, std::string_view argument) {
    if (decomposed::is_paired(argument)) return parts_of(tensor);
    return tensor.is_complex() ? parts_of(ferry::detail::written_number(tensor)) : Parts{tensor};
}

/// `times` multiplies real numbers, or matrices of them.
template <class Times>
[[nodiscard]] Parts product(const Parts& a, const Parts& b, const Times& times) {
    if (!b.imaginary.defined()) return {times(a.real, b.real), times(a.imaginary, b.real)};
    if (!a.imaginary.defined()) return {times(a.real, b.real), times(a.real, b.imaginary)};
    return {times(a.real, b.real) - times(a.imaginary, b.imaginary),
            times(a.real, b.imaginary) + times(a.imaginary, b.real)};
}
[[nodiscard]] inline Parts product(const Parts& a, const Parts& b) {
    return product(a, b, [](const at::Tensor& x, const at::Tensor& y) { return x * y; });
}
[[nodiscard]] inline at::Tensor squared_length(const Parts& of) {
    return of.real * of.real + of.imaginary * of.imaginary;
}
[[nodiscard]] inline at::Tensor length(const Parts& of) { return squared_length(of).sqrt(); }
/// The conjugate, over the square of the length.
[[nodiscard]] inline Parts inverse(const Parts& of) {
    const at::Tensor square = squared_length(of);
    return {of.real / square, -of.imaginary / square};
}
[[nodiscard]] inline Parts from_polar(const at::Tensor& length, const at::Tensor& angle) {
    return {length * angle.cos(), length * angle.sin()};
}

/// All waves of real numbers. A kernel gives the first half; the others are their mirror, conjugate.
[[nodiscard]] inline Parts waves_of(const at::Tensor& x, std::int64_t dim, std::int64_t normalization) {
    const Parts half = parts_of(at::view_as_real(at::_fft_r2c(x, {dim}, normalization, /*onesided=*/true)));
    const auto mirror = [&](const at::Tensor& part) { return part.slice(dim, 1, (x.size(dim) + 1) / 2).flip({dim}); };
    return {at::cat({half.real, mirror(half.real)}, dim), at::cat({half.imaginary, -mirror(half.imaginary)}, dim)};
}

/// Forward: those of the real parts, and those of the imaginary ones times i. Backward it is the same with the parts exchanged.
[[nodiscard]] inline Parts transformed(Parts x, std::int64_t dim, std::int64_t normalization, bool forward) {
    const std::int64_t from_front = c10::maybe_wrap_dim(dim, x.real.dim());
    if (!x.imaginary.defined()) return waves_of(x.real, from_front, normalization);
    if (!forward) std::swap(x.real, x.imaginary);
    const Parts a = waves_of(x.real, from_front, normalization), b = waves_of(x.imaginary, from_front, normalization);
    Parts made{a.real - b.imaginary, a.imaginary + b.real};
    if (!forward) std::swap(made.real, made.imaginary);
    return made;
}
[[nodiscard]] inline at::Tensor transformed(Parts x, at::IntArrayRef dims, std::int64_t normalization, bool forward) {
    for (const std::int64_t dim : dims) x = transformed(std::move(x), dim, normalization, forward);
    return x.pairs();
}

}  // namespace detail

FERRY_INLINE at::Tensor view_of_pairs::decompose(const at::Tensor& self) { return self; }
FERRY_INLINE at::Tensor complex_results::decompose(const at::Tensor& self) {
    const at::Tensor real = self.narrow(-1, 0, 1), imaginary = self.narrow(-1, 1, 1), zero = at::zeros_like(real);
    return at::_fft_r2c(at::cat({real, zero, zero, imaginary}, -1), {real.dim() - 1}, 0, /*onesided=*/true)
        .select(-1, 1);
}
FERRY_INLINE at::Tensor conjugate::decompose(const at::Tensor& self) {
    return detail::paired(self.select(-1, 0), -self.select(-1, 1));
}
FERRY_INLINE at::Tensor real_part::decompose(const at::Tensor& self) { return self.select(-1, 0); }
FERRY_INLINE at::Tensor imaginary_part::decompose(const at::Tensor& self) { return self.select(-1, 1); }
FERRY_INLINE at::Tensor cast_complex::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                                                std::optional<at::Layout>, std::optional<at::Device>,
                                                std::optional<bool>, bool, std::optional<at::MemoryFormat>) {
    const bool was_complex = decomposed::is_paired("self"), is_complex = !dtype || c10::isComplexType(*dtype);
    const at::Tensor cast = decomposed::cast(was_complex && !is_complex ? self.select(-1, 0) : self,
                                             c10::toRealValueType(dtype.value_or(self.scalar_type())));
    return is_complex && !was_complex ? detail::Parts{cast}.pairs() : cast;
}

FERRY_INLINE at::Tensor make_complex::decompose(const at::Tensor& real, const at::Tensor& imaginary) {
    const std::vector<at::Tensor> both = at::broadcast_tensors({real, imaginary});
    return detail::paired(both[0], both[1]);
}
FERRY_INLINE at::Tensor polar::decompose(const at::Tensor& length, const at::Tensor& angle) {
    return detail::from_polar(length, angle).pairs();
}
FERRY_INLINE at::Tensor complex_full::decompose(at::IntArrayRef size, const at::Scalar& value,
                                                std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
                                                std::optional<at::Device> device, std::optional<bool> pinned) {
    const c10::complex<double> whole = value.toComplexDouble();
    const at::ScalarType type =
        c10::toRealValueType(dtype.value_or(c10::typeMetaToScalarType(c10::get_default_dtype())));
    return detail::paired(at::full(size, whole.real(), type, layout, device, pinned),
                          at::full(size, whole.imag(), type, layout, device, pinned));
}
FERRY_INLINE at::Tensor complex_ones::decompose(at::IntArrayRef size, std::optional<at::ScalarType> dtype,
                                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                                std::optional<bool> pinned) {
    return complex_full::decompose(size, 1, dtype, layout, device, pinned);
}

FERRY_INLINE at::Tensor complex_fill::decompose(const at::Tensor& self, const at::Scalar& value) {
    const c10::complex<double> whole = value.toComplexDouble();
    const at::Tensor part = decomposed::is_paired("self") ? self.select(-1, 0) : self;
    return detail::paired(at::full_like(part, whole.real()), at::full_like(part, whole.imag()));
}
FERRY_INLINE at::Tensor complex_full_like::decompose(const at::Tensor& self, const at::Scalar& value,
                                                     std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                                                     std::optional<at::Device>, std::optional<bool>,
                                                     std::optional<at::MemoryFormat>) {
    if (dtype && !c10::isComplexType(*dtype)) return at::full_like(self.select(-1, 0), value, *dtype);
    return complex_fill::decompose(dtype ? decomposed::cast(self, c10::toRealValueType(*dtype)) : self, value);
}
FERRY_INLINE at::Tensor complex_ones_like::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                                                     std::optional<at::Layout> layout, std::optional<at::Device> device,
                                                     std::optional<bool> pinned,
                                                     std::optional<at::MemoryFormat> format) {
    return complex_full_like::decompose(self, 1, dtype, layout, device, pinned, format);
}

FERRY_INLINE at::Tensor complex_abs::decompose(const at::Tensor& self) {
    return detail::length(detail::parts_of(self));
}
FERRY_INLINE at::Tensor complex_angle::decompose(const at::Tensor& self) {
    return at::atan2(self.select(-1, 1), self.select(-1, 0));
}
FERRY_INLINE at::Tensor complex_exp::decompose(const at::Tensor& self) {
    return detail::from_polar(self.select(-1, 0).exp(), self.select(-1, 1)).pairs();
}
FERRY_INLINE at::Tensor complex_reciprocal::decompose(const at::Tensor& self) {
    return detail::inverse(detail::parts_of(self)).pairs();
}
FERRY_INLINE at::Tensor complex_power::decompose(const at::Tensor& self, const at::Scalar& exponent) {
    TORCH_CHECK(!exponent.isComplex(), "pow: powers that are complex numbers are not supported");
    const double power = exponent.toDouble();
    const detail::Parts given = detail::parts_of(self);
    if (power == 1 || power == 2 || power == 3) {
        detail::Parts made = given;
        for (int i = 1; i < static_cast<int>(power); ++i) made = detail::product(made, given);
        return made.pairs();
    }
    const at::Tensor angle = at::atan2(given.imaginary, given.real);
    return detail::from_polar(detail::length(given).pow(power), angle * power).pairs();
}
FERRY_INLINE at::Tensor complex_product::decompose(const at::Tensor& self, const at::Tensor& other) {
    return detail::product(detail::parts_of(self, "self"), detail::parts_of(other, "other")).pairs();
}
FERRY_INLINE at::Tensor complex_multiple::decompose(const at::Tensor& self, const at::Scalar& other) {
    return detail::product(detail::parts_of(self, "self"), detail::parts_of(other)).pairs();
}
FERRY_INLINE at::Tensor complex_quotient::decompose(const at::Tensor& self, const at::Tensor& other) {
    const detail::Parts a = detail::parts_of(self, "self"), b = detail::parts_of(other, "other");
    if (!b.imaginary.defined()) return detail::Parts{a.real / b.real, a.imaginary / b.real}.pairs();
    return detail::product(a, detail::inverse(b)).pairs();
}
FERRY_INLINE at::Tensor complex_matrix_product::decompose(const at::Tensor& self, const at::Tensor& other) {
    return detail::product(detail::parts_of(self, "self"), detail::parts_of(other, "mat2"),
                           [](const at::Tensor& x, const at::Tensor& y) { return at::matmul(x, y); })
        .pairs();
}

FERRY_INLINE at::Tensor fourier::decompose(const at::Tensor& self, at::IntArrayRef dims, std::int64_t normalization,
                                           bool forward) {
    return detail::transformed(detail::parts_of(self), dims, normalization, forward);
}
FERRY_INLINE at::Tensor fourier_of_real::decompose(const at::Tensor& self, at::IntArrayRef dims,
                                                   std::int64_t normalization, bool onesided) {
    if (onesided) return at::view_as_real(at::_fft_r2c(self, dims, normalization, onesided));
    return detail::transformed(detail::Parts{self}, dims, normalization, /*forward=*/true);
}

}  // namespace ferry::executorch::parts
