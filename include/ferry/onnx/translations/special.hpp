#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// Functions that ONNX has no op for: by series and rational approximations that are exact to the precision of float32 or more.
namespace ferry::onnx {
namespace translated {

struct erfinv {
    static constexpr auto target = op("aten::erfinv");
    static Ref translate(Translation& t);
};
struct erfc {
    static constexpr auto target = op("aten::erfc");
    static Ref translate(Translation& t);
};
struct lgamma {
    static constexpr auto target = op("aten::lgamma");
    static Ref translate(Translation& t);
};
struct digamma {
    static constexpr auto target = op("aten::digamma");
    static Ref translate(Translation& t);
};
struct xlogy {
    static constexpr auto target = op("aten::xlogy.Scalar_Other", "aten::xlogy.Scalar_Self");
    static Ref translate(Translation& t);
};
struct xlog1py {
    static constexpr auto target =
        op("aten::special_xlog1py", "aten::special_xlog1py.other_scalar", "aten::special_xlog1py.self_scalar");
    static Ref translate(Translation& t);
};

struct hypot {
    static constexpr auto target = op("aten::hypot");
    static Ref translate(Translation& t);
};
struct signbit {
    static constexpr auto target = op("aten::signbit");
    static Ref translate(Translation& t);
};
struct copysign {
    static constexpr auto target = op("aten::copysign.Tensor", "aten::copysign.Scalar");
    static Ref translate(Translation& t);
};
Ref extreme(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct extreme_number {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return extreme(t, Onnx); }
};
struct ldexp {
    static constexpr auto target = op("aten::ldexp.Tensor");
    static Ref translate(Translation& t);
};

}  // namespace translated

using special_translations =
    translations<translated::erfinv, translated::erfc, translated::lgamma, translated::digamma, translated::xlogy,
                 translated::xlog1py, translated::hypot, translated::signbit, translated::copysign,
                 translated::extreme_number<"aten::fmax", "Max">, translated::extreme_number<"aten::fmin", "Min">,
                 translated::ldexp>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/special-inl.hpp>
#endif
