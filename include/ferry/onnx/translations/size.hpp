#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// Numbers that a program computes with beside its tensors. Whole ones are expressions over sizes already, however the graph got them.
namespace ferry::onnx {
namespace translated {

Ref computed(Translation& t, std::string_view op);
template <fixed_string Name, fixed_string Onnx>
struct number_op {
    static constexpr auto target = op(Name.text);
    static Ref translate(Translation& t) { return computed(t, Onnx); }
};
struct true_division {
    static constexpr auto target = op("_operator::truediv");
    static Ref translate(Translation& t);
};
struct to_float {
    static constexpr auto target = op("torch::sym_float");
    static Ref translate(Translation& t);
};
struct not_equal_numbers {
    static constexpr auto target = op("_operator::ne");
    static Ref translate(Translation& t);
};
struct square_root {
    static constexpr auto target = op("torch::sym_sqrt", "torch::_sym_sqrt", "math::sqrt");
    static Ref translate(Translation& t);
};
struct whole_number {
    static constexpr auto target =
        op("aten::sym_size.int", "aten::sym_numel", "aten::sym_stride.int", "_operator::floordiv", "_operator::mod",
           "_operator::pos", "torch::sym_int", "torch::sym_ite", "math::ceil", "math::floor", "math::trunc");
    static Ref translate(Translation& t);
};
struct item {
    static constexpr auto target = op("aten::item", "aten::_local_scalar_dense");
    static Ref translate(Translation& t);
};
struct range_of_number {
    static constexpr auto target = op("aten::sym_constrain_range", "aten::sym_constrain_range_for_size");
    static void translate(Translation&);
};

}  // namespace translated

using size_translations =
    translations<translated::number_op<"_operator::add", "Add">, translated::number_op<"_operator::sub", "Sub">,
                 translated::number_op<"_operator::mul", "Mul">, translated::number_op<"_operator::neg", "Neg">,
                 translated::number_op<"_operator::pow", "Pow">, translated::number_op<"_operator::eq", "Equal">,
                 translated::number_op<"_operator::lt", "Less">, translated::number_op<"_operator::le", "LessOrEqual">,
                 translated::number_op<"_operator::gt", "Greater">,
                 translated::number_op<"_operator::ge", "GreaterOrEqual">,
                 translated::number_op<"torch::sym_max", "Max">, translated::number_op<"torch::sym_min", "Min">,
                 translated::true_division, translated::to_float, translated::not_equal_numbers,
                 translated::square_root, translated::whole_number, translated::item, translated::range_of_number>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/size-inl.hpp>
#endif
