#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Attention as ONNX's op of opset 23, or in smaller ops. A row of which every score is masked gives zeros, as libtorch does; ONNX's op gives
/// the mean of all values there, and a plain Softmax NaNs.
namespace ferry::onnx {
namespace translated {

struct scaled_dot_product_attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static Ref translate(Translation& t);
};

}  // namespace translated

using attention_translations = translations<translated::scaled_dot_product_attention>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/attention-inl.hpp>
#endif
