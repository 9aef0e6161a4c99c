#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Places and counts of numbers, windows: what ONNX has no ops for, by comparing all with all.
namespace ferry::onnx {
namespace translated {

struct bucketize {
    static constexpr auto target = op("aten::bucketize.Tensor", "aten::bucketize.Scalar");
    static Ref translate(Translation& t);
};
struct searchsorted {
    static constexpr auto target = op("aten::searchsorted.Tensor", "aten::searchsorted.Scalar");
    static Ref translate(Translation& t);
};
struct repeat_interleave_counts {
    static constexpr auto target = op("aten::repeat_interleave.Tensor");
    static Ref translate(Translation& t);
};
struct histc {
    static constexpr auto target = op("aten::histc");
    static Ref translate(Translation& t);
};
struct bincount {
    static constexpr auto target = op("aten::bincount");
    static Ref translate(Translation& t);
};

struct unfold {
    static constexpr auto target = op("aten::unfold");
    static Ref translate(Translation& t);
};
struct masked_scatter {
    static constexpr auto target = op("aten::masked_scatter");
    static Ref translate(Translation& t);
};

}  // namespace translated

using counting_translations =
    translations<translated::bucketize, translated::searchsorted, translated::repeat_interleave_counts,
                 translated::histc, translated::bincount, translated::unfold, translated::masked_scatter>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/counting-inl.hpp>
#endif
