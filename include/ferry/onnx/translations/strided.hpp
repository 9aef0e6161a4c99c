#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Numbers by their places in memory, which ONNX does not have: as places in a flat tensor.
namespace ferry::onnx {
namespace translated {

struct as_strided {
    static constexpr auto target = op("aten::as_strided", "aten::as_strided_copy");
    static Ref translate(Translation& t);
};
struct as_strided_scatter {
    static constexpr auto target = op("aten::as_strided_scatter");
    static Ref translate(Translation& t);
};

}  // namespace translated

using strided_translations = translations<translated::as_strided, translated::as_strided_scatter>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/strided-inl.hpp>
#endif
