#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Numbers on a diagonal.
namespace ferry::onnx {
namespace translated {

struct diagonal {
    static constexpr auto target = op("aten::diagonal", "aten::diagonal_copy");
    static Ref translate(Translation& t);
};
struct diagonal_scatter {
    static constexpr auto target = op("aten::diagonal_scatter");
    static Ref translate(Translation& t);
};

struct block_diag {
    static constexpr auto target = op("aten::block_diag");
    static Ref translate(Translation& t);
};

}  // namespace translated

using diagonal_translations = translations<translated::diagonal, translated::diagonal_scatter, translated::block_diag>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/diagonal-inl.hpp>
#endif
