#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Complex numbers, which lie in a model as pairs of real ones: see complex_numbers.hpp.
namespace ferry::onnx {
namespace translated {

struct view_of_pairs {
    static constexpr auto target = op("complex::view_as_real", "complex::view_as_complex", "complex::resolve_conj",
                                      "complex::resolve_neg", "complex::lift_fresh");
    static Ref translate(Translation& t);
};
struct conj {
    static constexpr auto target =
        op("complex::conj", "complex::_conj", "complex::conj_physical", "complex::_conj_physical");
    static Ref translate(Translation& t);
};
struct real_part {
    static constexpr auto target = op("complex::real");
    static Ref translate(Translation& t);
};
struct imaginary_part {
    static constexpr auto target = op("complex::imag");
    static Ref translate(Translation& t);
};
struct cast_complex {
    static constexpr auto target =
        op("complex::_to_copy", "complex::to.dtype", "complex::to.dtype_layout", "complex::to.device");
    static Ref translate(Translation& t);
};

struct make_complex {
    static constexpr auto target = op("complex::complex");
    static Ref translate(Translation& t);
};
struct polar {
    static constexpr auto target = op("complex::polar");
    static Ref translate(Translation& t);
};
struct complex_abs {
    static constexpr auto target = op("complex::abs");
    static Ref translate(Translation& t);
};
struct complex_angle {
    static constexpr auto target = op("complex::angle");
    static Ref translate(Translation& t);
};
struct complex_exp {
    static constexpr auto target = op("complex::exp");
    static Ref translate(Translation& t);
};
struct complex_mul {
    static constexpr auto target = op("complex::mul.Tensor", "complex::mul.Scalar");
    static Ref translate(Translation& t);
};
struct complex_matmul {
    static constexpr auto target = op("complex::matmul", "complex::mm", "complex::bmm");
    static Ref translate(Translation& t);
};
struct complex_div {
    static constexpr auto target = op("complex::div.Tensor", "complex::div.Scalar");
    static Ref translate(Translation& t);
};

struct complex_ones {
    static constexpr auto target = op("complex::ones", "complex::ones_like", "complex::new_ones");
    static Ref translate(Translation& t);
};
struct complex_full {
    static constexpr auto target = op("complex::full", "complex::full_like", "complex::new_full");
    static Ref translate(Translation& t);
};
struct complex_fill {
    static constexpr auto target = op("complex::fill.Scalar", "complex::fill.Tensor");
    static Ref translate(Translation& t);
};

struct complex_einsum {
    static constexpr auto target = op("complex::einsum");
    static Ref translate(Translation& t);
};

}  // namespace translated

using complex_translations =
    translations<translated::view_of_pairs, translated::conj, translated::real_part, translated::imaginary_part,
                 translated::cast_complex, translated::make_complex, translated::polar, translated::complex_abs,
                 translated::complex_angle, translated::complex_exp, translated::complex_mul,
                 translated::complex_matmul, translated::complex_div, translated::complex_ones,
                 translated::complex_full, translated::complex_fill, translated::complex_einsum>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/complex-inl.hpp>
#endif
