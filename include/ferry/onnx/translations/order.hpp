#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Numbers by their order: the largest, the smallest, the one in the middle, the most frequent.
namespace ferry::onnx {
namespace translated {

struct topk {
    static constexpr auto target = op("aten::topk");
    static void translate(Translation& t);
};
struct sort {
    static constexpr auto target = op("aten::sort", "aten::sort.stable");
    static void translate(Translation& t);
};
struct kthvalue {
    static constexpr auto target = op("aten::kthvalue");
    static void translate(Translation& t);
};

struct median {
    static constexpr auto target = op("aten::median", "aten::median.dim");
    static void translate(Translation& t);
};
struct nanmedian {
    static constexpr auto target = op("aten::nanmedian", "aten::nanmedian.dim");
    static void translate(Translation& t);
};

struct mode {
    static constexpr auto target = op("aten::mode");
    static void translate(Translation& t);
};

}  // namespace translated

using order_translations = translations<translated::topk, translated::sort, translated::kthvalue, translated::median,
                                        translated::nanmedian, translated::mode>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/order-inl.hpp>
#endif
