#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/complex.hpp>
#include <ferry/program/decompositions/of_program.hpp>
#include <ferry/program/retrace/paired_numbers.hpp>

#include <ATen/ScalarOps.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DefaultDtype.h>

#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>
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
/// The conjugate, over the square of the length.
[[nodiscard]] inline Parts inverse(const Parts& of) {
    const at::Tensor square = of.real * of.real + of.imaginary * of.imaginary;
    return {of.real / square, -of.imaginary / square};
}
[[nodiscard]] inline at::Tensor length(const Parts& of) {
    return (of.real * of.real + of.imaginary * of.imaginary).sqrt();
}
[[nodiscard]] inline Parts from_polar(const at::Tensor& length, const at::Tensor& angle) {
    return {length * angle.cos(), length * angle.sin()};
}
[[nodiscard]] inline std::optional<at::ScalarType> part_type(std::optional<at::ScalarType> dtype) {
    return dtype ? std::optional(c10::toRealValueType(*dtype)) : dtype;
}

/// Numbers of a size, as a tensor: a graph can compute that where it varies.
[[nodiscard]] inline at::Tensor count_like(const at::Tensor& like, std::int64_t count) {
    return at::full({}, count, at::kLong, std::nullopt, decomposed::real_device(like), std::nullopt)
        .to(like.scalar_type());
}

/// Rows are the samples of a period, columns the waves that go through it 0, 1, 2 times and so on. Positions are cut to one period while
/// they are whole, so that none is too large to be exact.
[[nodiscard]] inline Parts waves(std::int64_t samples, std::int64_t count, std::int64_t period,
                                 const at::Tensor& like) {
    const auto whole = at::TensorOptions().dtype(at::kLong).device(decomposed::real_device(like));
    const at::Tensor position =
        (at::arange(samples, whole).unsqueeze(1) * at::arange(count, whole).unsqueeze(0)).remainder(period);
    const at::Tensor angle = position.to(like.scalar_type()) * (2 * std::numbers::pi) / count_like(like, period);
    return {angle.cos(), angle.sin()};
}

/// The matrix product along one dimension.
[[nodiscard]] inline at::Tensor along(const at::Tensor& x, std::int64_t dim, const at::Tensor& matrix) {
    return at::matmul(x.transpose(dim, -1), matrix).transpose(dim, -1);
}
[[nodiscard]] inline Parts transformed(const Parts& x, std::int64_t dim, bool forward) {
    const std::int64_t size = x.real.size(dim);
    const Parts wave = waves(size, size, size, x.real);
    const at::Tensor sine = forward ? wave.imaginary : -wave.imaginary;
    if (!x.imaginary.defined()) return {along(x.real, dim, wave.real), -along(x.real, dim, sine)};
    return {along(x.real, dim, wave.real) + along(x.imaginary, dim, sine),
            along(x.imaginary, dim, wave.real) - along(x.real, dim, sine)};
}

/// By torch's number for the way of doing that: not at all, by the root of how many there are, by how many there are.
[[nodiscard]] inline at::Tensor normalized(const at::Tensor& x, std::int64_t how, std::int64_t count) {
    if (how == 0) return x;
    const at::Tensor size = count_like(x, count);
    return x / (how == 1 ? size.sqrt() : size);
}
[[nodiscard]] inline std::int64_t from_front(std::int64_t dim, const at::Tensor& part) {
    return dim < 0 ? dim + part.dim() : dim;
}

[[nodiscard]] inline at::Tensor transformed(Parts x, at::IntArrayRef dims, std::int64_t normalization, bool forward) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        x = transformed(x, from_front(dim, x.real), forward);
        count *= x.real.size(dim);
    }
    return normalized(x.pairs(), normalization, count);
}

}  // namespace detail

FERRY_INLINE at::Tensor view_of_pairs::decompose(const at::Tensor& self) { return self; }
FERRY_INLINE at::Tensor complex_results::decompose(const at::Tensor& self) {
    const at::Tensor real = self.narrow(-1, 0, 1), imaginary = self.narrow(-1, 1, 1), zero = at::zeros_like(real);
    return at::_fft_r2c(at::cat({real, zero, zero, imaginary}, -1), {-1}, 0, /*onesided=*/true).select(-1, 1);
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
    const at::ScalarType type = detail::part_type(dtype).value_or(c10::typeMetaToScalarType(c10::get_default_dtype()));
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
/// A kernel computes the half that is no mirror.
FERRY_INLINE at::Tensor fourier_of_real::decompose(const at::Tensor& self, at::IntArrayRef dims,
                                                   std::int64_t normalization, bool onesided) {
    if (onesided) return at::view_as_real(at::_fft_r2c(self, dims, normalization, onesided));
    return detail::transformed(detail::Parts{self}, dims, normalization, /*forward=*/true);
}

/// Of a real signal's waves only half are there: the others are their mirror, so that all but those without one count twice.
FERRY_INLINE at::Tensor fourier_to_real::decompose(const at::Tensor& self, at::IntArrayRef dims,
                                                   std::int64_t normalization, std::int64_t last_size) {
    detail::Parts x = detail::parts_of(self);
    std::int64_t count = last_size;
    for (const std::int64_t dim : dims.slice(0, dims.size() - 1)) {
        x = detail::transformed(x, detail::from_front(dim, x.real), /*forward=*/false);
        count *= x.real.size(dim);
    }
    const std::int64_t last = detail::from_front(dims.back(), x.real), waves = x.real.size(last);
    const detail::Parts wave = detail::waves(waves, last_size, last_size, x.real);
    const at::Tensor number =
        at::arange(waves, at::TensorOptions().dtype(at::kLong).device(decomposed::real_device(x.real))).unsqueeze(1);
    const at::Tensor has_no_mirror = number.eq(0).logical_or((number * 2).eq(last_size));
    const at::Tensor weight = 2 - has_no_mirror.to(x.real.scalar_type());
    const at::Tensor made =
        detail::along(x.real, last, wave.real * weight) - detail::along(x.imaginary, last, wave.imaginary * weight);
    return detail::normalized(made, normalization, count);
}

}  // namespace ferry::executorch::parts
