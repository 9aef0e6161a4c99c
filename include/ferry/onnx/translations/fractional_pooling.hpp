#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// The largest numbers in windows that start where a random number says, one for each image, channel and dimension.
namespace ferry::onnx {
namespace translated {

struct fractional_max_pool {
    static constexpr auto target = op("aten::fractional_max_pool2d", "aten::fractional_max_pool3d");
    static void translate(Translation& t);
};

}  // namespace translated

using fractional_pooling_translations = translations<translated::fractional_max_pool>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/fractional_pooling-inl.hpp>
#endif
