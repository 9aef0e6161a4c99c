#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Convolutions.
namespace ferry::onnx {
namespace translated {

struct conv {
    static constexpr auto target = op("aten::conv1d", "aten::conv2d", "aten::conv3d");
    static Ref translate(Translation& t);
};
struct conv_padding {
    static constexpr auto target = op("aten::conv1d.padding", "aten::conv2d.padding", "aten::conv3d.padding");
    static Ref translate(Translation& t);
};
struct conv_transpose {
    static constexpr auto target =
        op("aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input");
    static Ref translate(Translation& t);
};
struct convolution {
    static constexpr auto target = op("aten::convolution", "aten::_convolution", "aten::_convolution.deprecated");
    static Ref translate(Translation& t);
};

struct col2im {
    static constexpr auto target = op("aten::col2im");
    static Ref translate(Translation& t);
};

}  // namespace translated

using convolution_translations = translations<translated::conv, translated::conv_padding, translated::conv_transpose,
                                              translated::convolution, translated::col2im>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/convolution-inl.hpp>
#endif
