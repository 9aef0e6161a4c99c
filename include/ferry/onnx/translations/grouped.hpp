#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Products of groups of rows with one matrix each, as mixtures of experts have them. Where groups end only shows at run time, how many there
/// are is known: one MatMul for each, of which those of empty groups cost nothing. A Loop would copy each matrix and what it has of the result
/// in every step.
namespace ferry::onnx {
namespace translated {

struct grouped_mm {
    static constexpr auto target = op("aten::_grouped_mm");
    static Ref translate(Translation& t);
};
struct grouped_mm_fallback {
    static constexpr auto target = op("transformers::grouped_mm_fallback");
    static Ref translate(Translation& t);
};

}  // namespace translated

using grouped_translations = translations<translated::grouped_mm, translated::grouped_mm_fallback>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/grouped-inl.hpp>
#endif
