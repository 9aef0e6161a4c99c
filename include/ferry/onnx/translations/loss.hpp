#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Losses that are not made of smaller ops already.
namespace ferry::onnx {
namespace translated {

struct multi_margin_loss {
    static constexpr auto target = op("aten::multi_margin_loss");
    static Ref translate(Translation& t);
};

}  // namespace translated

using loss_translations = translations<translated::multi_margin_loss>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/loss-inl.hpp>
#endif
