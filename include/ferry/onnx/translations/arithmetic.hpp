#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// Arithmetic on two tensors.
namespace ferry::onnx {
namespace translated {

Ref binary(Translation& t, std::string_view op);

template <fixed_string Aten, fixed_string Onnx>
struct binary_op {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return binary(t, Onnx); }
};
struct add {
    static constexpr auto target = op("aten::add.Tensor", "aten::add.Scalar");
    static Ref translate(Translation& t);
};
struct sub {
    static constexpr auto target = op("aten::sub.Tensor", "aten::sub.Scalar");
    static Ref translate(Translation& t);
};
struct rsub {
    static constexpr auto target = op("aten::rsub.Tensor", "aten::rsub.Scalar");
    static Ref translate(Translation& t);
};
struct mul {
    static constexpr auto target = op("aten::mul.Tensor", "aten::mul.Scalar", "aten::multiply.Tensor");
    static Ref translate(Translation& t);
};
struct div {
    static constexpr auto target = op("aten::div.Tensor", "aten::div.Scalar");
    static Ref translate(Translation& t);
};
struct floor_divide {
    static constexpr auto target = op("aten::floor_divide", "aten::floor_divide.Scalar");
    static Ref translate(Translation& t);
};
struct div_mode {
    static constexpr auto target = op("aten::div.Tensor_mode", "aten::div.Scalar_mode");
    static Ref translate(Translation& t);
};
struct remainder {
    static constexpr auto target =
        op("aten::remainder.Tensor", "aten::remainder.Scalar", "aten::remainder.Scalar_Tensor");
    static Ref translate(Translation& t);
};
struct fmod {
    static constexpr auto target = op("aten::fmod.Tensor", "aten::fmod.Scalar");
    static Ref translate(Translation& t);
};
struct pow {
    static constexpr auto target = op("aten::pow.Tensor_Tensor", "aten::pow.Tensor_Scalar", "aten::pow.Scalar");
    static Ref translate(Translation& t);
};
struct atan2 {
    static constexpr auto target = op("aten::atan2");
    static Ref translate(Translation& t);
};
struct addcmul {
    static constexpr auto target = op("aten::addcmul");
    static Ref translate(Translation& t);
};
struct addcdiv {
    static constexpr auto target = op("aten::addcdiv");
    static Ref translate(Translation& t);
};

}  // namespace translated

using arithmetic_translations =
    translations<translated::add, translated::sub, translated::rsub, translated::mul, translated::div,
                 translated::floor_divide, translated::div_mode, translated::remainder, translated::fmod,
                 translated::pow, translated::atan2, translated::binary_op<"aten::maximum", "Max">,
                 translated::binary_op<"aten::minimum", "Min">, translated::binary_op<"aten::max.other", "Max">,
                 translated::binary_op<"aten::min.other", "Min">, translated::addcmul, translated::addcdiv>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/arithmetic-inl.hpp>
#endif
