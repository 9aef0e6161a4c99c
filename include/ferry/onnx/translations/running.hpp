#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Sums, products and extremes of all numbers up to each.
namespace ferry::onnx {
namespace translated {

struct cumsum {
    static constexpr auto target = op("aten::cumsum");
    static Ref translate(Translation& t);
};
struct cumprod {
    static constexpr auto target = op("aten::cumprod");
    static Ref translate(Translation& t);
};
struct logcumsumexp {
    static constexpr auto target = op("aten::logcumsumexp");
    static Ref translate(Translation& t);
};
struct cummax {
    static constexpr auto target = op("aten::cummax");
    static void translate(Translation& t);
};
struct cummin {
    static constexpr auto target = op("aten::cummin");
    static void translate(Translation& t);
};

}  // namespace translated

using running_translations = translations<translated::cumsum, translated::cumprod, translated::logcumsumexp,
                                          translated::cummax, translated::cummin>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/running-inl.hpp>
#endif
