#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Numbers taken out and put in by index.
namespace ferry::onnx {
namespace translated {

struct index {
    static constexpr auto target = op("aten::index.Tensor", "aten::_unsafe_index.Tensor");
    static Ref translate(Translation& t);
};

struct index_put {
    static constexpr auto target = op("aten::index_put", "aten::_unsafe_index_put");
    static Ref translate(Translation& t);
};

struct index_select {
    static constexpr auto target = op("aten::index_select");
    static Ref translate(Translation& t);
};
struct gather {
    static constexpr auto target = op("aten::gather");
    static Ref translate(Translation& t);
};

struct nonzero {
    static constexpr auto target = op("aten::nonzero");
    static Ref translate(Translation& t);
};
struct masked_select {
    static constexpr auto target = op("aten::masked_select");
    static Ref translate(Translation& t);
};

}  // namespace translated

using indexing_translations = translations<translated::index, translated::index_put, translated::index_select,
                                           translated::gather, translated::nonzero, translated::masked_select>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/indexing-inl.hpp>
#endif
