#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Images made larger and smaller.
namespace ferry::onnx {
namespace translated {

struct upsample_nearest {
    static constexpr auto target =
        op("aten::upsample_nearest1d", "aten::upsample_nearest2d", "aten::upsample_nearest3d",
           "aten::upsample_nearest1d.vec", "aten::upsample_nearest2d.vec", "aten::upsample_nearest3d.vec");
    static Ref translate(Translation& t);
};
struct upsample_linear {
    static constexpr auto target =
        op("aten::upsample_linear1d", "aten::upsample_bilinear2d", "aten::upsample_trilinear3d",
           "aten::upsample_linear1d.vec", "aten::upsample_bilinear2d.vec", "aten::upsample_trilinear3d.vec");
    static Ref translate(Translation& t);
};
struct upsample_bicubic {
    static constexpr auto target = op("aten::upsample_bicubic2d", "aten::upsample_bicubic2d.vec");
    static Ref translate(Translation& t);
};
struct upsample_antialiased {
    static constexpr auto target = op("aten::_upsample_bilinear2d_aa", "aten::_upsample_bilinear2d_aa.vec",
                                      "aten::_upsample_bicubic2d_aa", "aten::_upsample_bicubic2d_aa.vec");
    static Ref translate(Translation& t);
};

struct grid_sampler {
    static constexpr auto target = op("aten::grid_sampler", "aten::grid_sampler_2d", "aten::grid_sampler_3d");
    static Ref translate(Translation& t);
};
struct affine_grid {
    static constexpr auto target = op("aten::affine_grid_generator");
    static Ref translate(Translation& t);
};

}  // namespace translated

using resampling_translations =
    translations<translated::upsample_nearest, translated::upsample_linear, translated::upsample_bicubic,
                 translated::upsample_antialiased, translated::grid_sampler, translated::affine_grid>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/resampling-inl.hpp>
#endif
