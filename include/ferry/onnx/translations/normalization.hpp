#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Numbers scaled by their mean and variance.
namespace ferry::onnx {
namespace translated {

struct layer_norm {
    static constexpr auto target = op("aten::layer_norm", "aten::native_layer_norm");
    static void translate(Translation& t);
};

struct rms_norm {
    static constexpr auto target = op("aten::rms_norm");
    static Ref translate(Translation& t);
};
struct batch_norm {
    static constexpr auto target = op("aten::batch_norm");
    static void translate(Translation& t);
};
struct native_batch_norm {
    static constexpr auto target =
        op("aten::_native_batch_norm_legit_no_training", "aten::_native_batch_norm_legit.no_stats");
    static void translate(Translation& t);
};
struct functional_batch_norm {
    static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
    static void translate(Translation& t);
};
struct group_norm {
    static constexpr auto target = op("aten::group_norm");
    static Ref translate(Translation& t);
};
struct native_group_norm {
    static constexpr auto target = op("aten::native_group_norm");
    static void translate(Translation& t);
};

}  // namespace translated

using normalization_translations =
    translations<translated::layer_norm, translated::rms_norm, translated::batch_norm, translated::native_batch_norm,
                 translated::functional_batch_norm, translated::group_norm, translated::native_group_norm>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/normalization-inl.hpp>
#endif
