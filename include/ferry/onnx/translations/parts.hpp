#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Parts of tensors, and tensors put together.
namespace ferry::onnx {
namespace translated {

struct slice {
    static constexpr auto target = op("aten::slice.Tensor", "aten::slice_copy.Tensor");
    static Ref translate(Translation& t);
};
struct narrow {
    static constexpr auto target = op("aten::narrow");
    static Ref translate(Translation& t);
};
struct select {
    static constexpr auto target = op("aten::select.int", "aten::select_copy.int");
    static Ref translate(Translation& t);
};
struct select_scatter {
    static constexpr auto target = op("aten::select_scatter");
    static Ref translate(Translation& t);
};
struct slice_scatter {
    static constexpr auto target = op("aten::slice_scatter");
    static Ref translate(Translation& t);
};

struct cat {
    static constexpr auto target = op("aten::cat", "aten::concat", "aten::concatenate");
    static Ref translate(Translation& t);
};
struct stack {
    static constexpr auto target = op("aten::stack");
    static Ref translate(Translation& t);
};
struct split {
    static constexpr auto target =
        op("aten::split.Tensor", "aten::split_with_sizes", "aten::chunk", "aten::unsafe_split.Tensor",
           "aten::unsafe_split_with_sizes", "aten::unsafe_chunk", "aten::split.sizes", "aten::split_with_sizes_copy",
           "aten::split_copy.Tensor");
    static void translate(Translation& t);
};
struct unbind {
    static constexpr auto target = op("aten::unbind.int", "aten::unbind_copy.int");
    static void translate(Translation& t);
};

}  // namespace translated

using parts_translations =
    translations<translated::slice, translated::narrow, translated::select, translated::select_scatter,
                 translated::slice_scatter, translated::cat, translated::stack, translated::split, translated::unbind>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/parts-inl.hpp>
#endif
