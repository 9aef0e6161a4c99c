#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Casts, and other shapes of the same numbers. Target shapes come from what is known of the result, not from arguments.
namespace ferry::onnx {
namespace translated {

struct same {
    static constexpr auto target =
        op("aten::clone", "aten::contiguous", "aten::alias", "aten::detach", "aten::detach_", "aten::lift_fresh",
           "aten::lift_fresh_copy", "aten::_to_copy", "aten::to.dtype", "aten::to.dtype_layout", "aten::to.device",
           "aten::to.other", "aten::type_as", "aten::positive", "aten::view.dtype");
    static Ref translate(Translation& t);
};
struct copy {
    static constexpr auto target = op("aten::copy");
    static Ref translate(Translation& t);
};

struct reshape {
    static constexpr auto target =
        op("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_as", "aten::reshape_as",
           "aten::flatten.using_ints", "aten::unflatten.int", "aten::_reshape_alias", "aten::view_copy");
    static Ref translate(Translation& t);
};
struct unsqueeze {
    static constexpr auto target = op("aten::unsqueeze");
    static Ref translate(Translation& t);
};
struct squeeze {
    static constexpr auto target = op("aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims");
    static Ref translate(Translation& t);
};
struct expand {
    static constexpr auto target = op("aten::expand", "aten::expand_as", "aten::broadcast_to", "aten::expand_copy");
    static Ref translate(Translation& t);
};
struct permute {
    static constexpr auto target = op("aten::permute");
    static Ref translate(Translation& t);
};
struct transpose {
    static constexpr auto target = op("aten::transpose.int", "aten::swapaxes", "aten::swapdims");
    static Ref translate(Translation& t);
};
struct t_op {
    static constexpr auto target = op("aten::t", "aten::numpy_T", "aten::mT");
    static Ref translate(Translation& t);
};

}  // namespace translated

using view_translations =
    translations<translated::same, translated::copy, translated::reshape, translated::unsqueeze, translated::squeeze,
                 translated::expand, translated::permute, translated::transpose, translated::t_op>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/view-inl.hpp>
#endif
