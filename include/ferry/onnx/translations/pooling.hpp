#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Windows of an image to one number each.
namespace ferry::onnx {
namespace translated {

struct max_pool {
    static constexpr auto target = op("aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d",
                                      "aten::max_pool2d_with_indices", "aten::max_pool3d_with_indices");
    static void translate(Translation& t);
};

struct avg_pool {
    static constexpr auto target = op("aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d");
    static Ref translate(Translation& t);
};

struct max_unpool {
    static constexpr auto target = op("aten::max_unpool2d", "aten::max_unpool3d");
    static Ref translate(Translation& t);
};

}  // namespace translated

using pooling_translations = translations<translated::max_pool, translated::avg_pool, translated::max_unpool>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/pooling-inl.hpp>
#endif
