#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <string_view>

/// Many numbers to one.
namespace ferry::onnx {
namespace translated {

Ref reduced(Translation& t, std::string_view op, bool has_dims);
template <fixed_string Aten, fixed_string Onnx, bool HasDims>
struct reduction_op {
    static constexpr auto target = op(Aten.text);
    static Ref translate(Translation& t) { return reduced(t, Onnx, HasDims); }
};
struct any {
    static constexpr auto target = op("aten::any", "aten::any.dim", "aten::any.dims");
    static Ref translate(Translation& t);
};
struct all {
    static constexpr auto target = op("aten::all", "aten::all.dim", "aten::all.dims", "aten::_is_all_true");
    static Ref translate(Translation& t);
};
struct max_dim {
    static constexpr auto target = op("aten::max.dim");
    static void translate(Translation& t);
};
struct min_dim {
    static constexpr auto target = op("aten::min.dim");
    static void translate(Translation& t);
};
struct argmax {
    static constexpr auto target = op("aten::argmax");
    static Ref translate(Translation& t);
};
struct argmin {
    static constexpr auto target = op("aten::argmin");
    static Ref translate(Translation& t);
};
struct var {
    static constexpr auto target = op("aten::var.correction");
    static Ref translate(Translation& t);
};
struct std_dev {
    static constexpr auto target = op("aten::std.correction");
    static Ref translate(Translation& t);
};
struct vector_norm {
    static constexpr auto target = op("aten::linalg_vector_norm");
    static Ref translate(Translation& t);
};
struct logsumexp {
    static constexpr auto target = op("aten::logsumexp");
    static Ref translate(Translation& t);
};
struct softmax {
    static constexpr auto target = op("aten::softmax.int", "aten::_softmax");
    static Ref translate(Translation& t);
};
struct log_softmax {
    static constexpr auto target = op("aten::log_softmax.int", "aten::_log_softmax");
    static Ref translate(Translation& t);
};

}  // namespace translated

using reduction_translations =
    translations<translated::reduction_op<"aten::sum", "ReduceSum", false>,
                 translated::reduction_op<"aten::sum.dim_IntList", "ReduceSum", true>,
                 translated::reduction_op<"aten::mean", "ReduceMean", false>,
                 translated::reduction_op<"aten::mean.dim", "ReduceMean", true>,
                 translated::reduction_op<"aten::prod", "ReduceProd", false>,
                 translated::reduction_op<"aten::prod.dim_int", "ReduceProd", true>,
                 translated::reduction_op<"aten::amax", "ReduceMax", true>,
                 translated::reduction_op<"aten::amin", "ReduceMin", true>,
                 translated::reduction_op<"aten::max", "ReduceMax", false>,
                 translated::reduction_op<"aten::min", "ReduceMin", false>, translated::any, translated::all,
                 translated::max_dim, translated::min_dim, translated::argmax, translated::argmin, translated::var,
                 translated::std_dev, translated::vector_norm, translated::logsumexp, translated::softmax,
                 translated::log_softmax>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/reduction-inl.hpp>
#endif
