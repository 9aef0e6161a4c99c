#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <c10/core/Scalar.h>

/// Numbers put in by index along one dimension, and reduced where several meet.
namespace ferry::onnx {
namespace translated {

struct scatter {
    static constexpr auto target = op("aten::scatter.src", "aten::scatter_add");
    static Ref translate(Translation& t);
};
struct scatter_value {
    static constexpr auto target = op("aten::scatter.value");
    static Ref translate(Translation& t);
};
struct scatter_reduce {
    static constexpr auto target = op("aten::scatter_reduce.two");
    static Ref translate(Translation& t);
};
struct scatter_reduce_old {
    static constexpr auto target = op("aten::scatter.reduce", "aten::scatter.value_reduce");
    static Ref translate(Translation& t);
};
struct index_reduce {
    static constexpr auto target = op("aten::index_reduce");
    static Ref translate(Translation& t);
};
struct index_add {
    static constexpr auto target = op("aten::index_add");
    static Ref translate(Translation& t);
};
struct put {
    static constexpr auto target = op("aten::put");
    static Ref translate(Translation& t);
};

}  // namespace translated

using scatter_translations =
    translations<translated::scatter, translated::scatter_value, translated::scatter_reduce,
                 translated::scatter_reduce_old, translated::index_reduce, translated::index_add, translated::put>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/scatter-inl.hpp>
#endif
