#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

/// Ops on complex numbers, for which pairs of real ones stand: see graph/complex_numbers.hpp.
namespace ferry::executorch::parts {

/// The same numbers, seen as pairs or not.
struct view_of_pairs {
    static constexpr auto target = op("complex::view_as_real", "complex::view_as_complex", "complex::resolve_conj",
                                      "complex::resolve_neg", "complex::lift_fresh");
    static at::Tensor decompose(const at::Tensor& self);
};
/// What a program gives as complex numbers: no kernel makes them of pairs, but one makes them of real signals. Of four samples a, 0, 0, b
/// the wave that goes through them once is a + ib.
struct complex_results {
    static constexpr auto target = op("aten::view_as_complex");
    static at::Tensor decompose(const at::Tensor& self);
};
struct conjugate {
    static constexpr auto target =
        op("complex::conj", "complex::_conj", "complex::conj_physical", "complex::_conj_physical");
    static at::Tensor decompose(const at::Tensor& self);
};
struct real_part {
    static constexpr auto target = op("complex::real");
    static at::Tensor decompose(const at::Tensor& self);
};
struct imaginary_part {
    static constexpr auto target = op("complex::imag");
    static at::Tensor decompose(const at::Tensor& self);
};
/// Only the real part is left where the result is real.
struct cast_complex {
    static constexpr auto target = op("complex::_to_copy");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                std::optional<bool> pinned, bool non_blocking, std::optional<at::MemoryFormat> format);
};

struct make_complex {
    static constexpr auto target = op("complex::complex");
    static at::Tensor decompose(const at::Tensor& real, const at::Tensor& imaginary);
};
struct polar {
    static constexpr auto target = op("complex::polar");
    static at::Tensor decompose(const at::Tensor& length, const at::Tensor& angle);
};
struct complex_full {
    static constexpr auto target = op("complex::full");
    static at::Tensor decompose(at::IntArrayRef size, const at::Scalar& value, std::optional<at::ScalarType> dtype,
                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                std::optional<bool> pinned);
};
struct complex_ones {
    static constexpr auto target = op("complex::ones");
    static at::Tensor decompose(at::IntArrayRef size, std::optional<at::ScalarType> dtype,
                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                std::optional<bool> pinned);
};

struct complex_full_like {
    static constexpr auto target = op("complex::full_like");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& value, std::optional<at::ScalarType> dtype,
                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                std::optional<bool> pinned, std::optional<at::MemoryFormat> format);
};
struct complex_ones_like {
    static constexpr auto target = op("complex::ones_like");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                std::optional<bool> pinned, std::optional<at::MemoryFormat> format);
};
struct complex_fill {
    static constexpr auto target = op("complex::fill.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& value);
};

struct complex_abs {
    static constexpr auto target = op("complex::abs");
    static at::Tensor decompose(const at::Tensor& self);
};
struct complex_angle {
    static constexpr auto target = op("complex::angle");
    static at::Tensor decompose(const at::Tensor& self);
};
struct complex_exp {
    static constexpr auto target = op("complex::exp");
    static at::Tensor decompose(const at::Tensor& self);
};
struct complex_reciprocal {
    static constexpr auto target = op("complex::reciprocal");
    static at::Tensor decompose(const at::Tensor& self);
};
/// To a power that is a whole number, and not large.
struct complex_power {
    static constexpr auto target = op("complex::pow.Tensor_Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& exponent);
};
struct complex_product {
    static constexpr auto target = op("complex::mul.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct complex_multiple {
    static constexpr auto target = op("complex::mul.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& other);
};
struct complex_quotient {
    static constexpr auto target = op("complex::div.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct complex_matrix_product {
    static constexpr auto target = op("complex::mm", "complex::bmm");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};

/// Fourier transforms, along one dimension after the other: kernels are there for those from and to real numbers only.
struct fourier {
    static constexpr auto target = op("complex::_fft_c2c");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, std::int64_t normalization, bool forward);
};
struct fourier_of_real {
    static constexpr auto target = op("complex::_fft_r2c");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, std::int64_t normalization,
                                bool onesided);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_complex_decompositions = decompositions<
    executorch::parts::view_of_pairs, executorch::parts::complex_results, executorch::parts::conjugate,
    executorch::parts::real_part, executorch::parts::imaginary_part, executorch::parts::cast_complex,
    executorch::parts::make_complex, executorch::parts::polar, executorch::parts::complex_full,
    executorch::parts::complex_ones, executorch::parts::complex_full_like, executorch::parts::complex_ones_like,
    executorch::parts::complex_fill, executorch::parts::complex_abs, executorch::parts::complex_angle,
    executorch::parts::complex_exp, executorch::parts::complex_reciprocal, executorch::parts::complex_power,
    executorch::parts::complex_product, executorch::parts::complex_multiple, executorch::parts::complex_quotient,
    executorch::parts::complex_matrix_product, executorch::parts::fourier, executorch::parts::fourier_of_real>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/complex-inl.hpp>
#endif
