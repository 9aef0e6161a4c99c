#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Distances between points, and tensors brought to a length.
namespace ferry::onnx {
namespace translated {

struct cdist {
    static constexpr auto target = op("aten::_cdist_forward");
    static Ref translate(Translation& t);
};
struct pdist {
    static constexpr auto target = op("aten::_pdist_forward");
    static Ref translate(Translation& t);
};
struct dist {
    static constexpr auto target = op("aten::dist");
    static Ref translate(Translation& t);
};
struct renorm {
    static constexpr auto target = op("aten::renorm");
    static Ref translate(Translation& t);
};

}  // namespace translated

using distance_translations = translations<translated::cdist, translated::pdist, translated::dist, translated::renorm>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/distance-inl.hpp>
#endif
