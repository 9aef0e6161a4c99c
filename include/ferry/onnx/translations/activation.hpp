#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// What stands between the layers of networks, and limits.
namespace ferry::onnx {
namespace translated {

struct relu {
    static constexpr auto target = op("aten::relu");
    static Ref translate(Translation& t);
};
struct silu {
    static constexpr auto target = op("aten::silu");
    static Ref translate(Translation& t);
};
struct gelu {
    static constexpr auto target = op("aten::gelu");
    static Ref translate(Translation& t);
};
struct leaky_relu {
    static constexpr auto target = op("aten::leaky_relu");
    static Ref translate(Translation& t);
};
struct elu {
    static constexpr auto target = op("aten::elu");
    static Ref translate(Translation& t);
};
struct softplus {
    static constexpr auto target = op("aten::softplus");
    static Ref translate(Translation& t);
};
struct hardsigmoid {
    static constexpr auto target = op("aten::hardsigmoid");
    static Ref translate(Translation& t);
};
struct hardswish {
    static constexpr auto target = op("aten::hardswish");
    static Ref translate(Translation& t);
};

struct glu {
    static constexpr auto target = op("aten::glu");
    static Ref translate(Translation& t);
};

// Limits.

struct clamp {
    static constexpr auto target = op("aten::clamp", "aten::clamp.Tensor", "aten::clip", "aten::clip.Tensor");
    static Ref translate(Translation& t);
};
struct clamp_min {
    static constexpr auto target = op("aten::clamp_min", "aten::clamp_min.Tensor");
    static Ref translate(Translation& t);
};
struct clamp_max {
    static constexpr auto target = op("aten::clamp_max", "aten::clamp_max.Tensor");
    static Ref translate(Translation& t);
};
struct hardtanh {
    static constexpr auto target = op("aten::hardtanh");
    static Ref translate(Translation& t);
};
struct relu6 {
    static constexpr auto target = op("aten::relu6");
    static Ref translate(Translation& t);
};

}  // namespace translated

using activation_translations =
    translations<translated::relu, translated::silu, translated::gelu, translated::leaky_relu, translated::elu,
                 translated::softplus, translated::hardsigmoid, translated::hardswish, translated::glu,
                 translated::clamp, translated::clamp_min, translated::clamp_max, translated::hardtanh,
                 translated::relu6>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/activation-inl.hpp>
#endif
