#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <string_view>

/// Convolutions: on meta tensors libtorch's own find no backend, and on zeros they would compute.
namespace ferry::fake_ops {

struct conv {
    static constexpr auto target = op("aten::conv1d", "aten::conv2d", "aten::conv3d");
    static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                           std::int64_t groups);
};

struct conv_padding {
    static constexpr auto target = op("aten::conv1d.padding", "aten::conv2d.padding", "aten::conv3d.padding");
    static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, std::string_view padding, c10::SymIntArrayRef dilation,
                           std::int64_t groups);
};

struct conv_transpose {
    static constexpr auto target =
        op("aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input");
    static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding,
                           std::int64_t groups, c10::SymIntArrayRef dilation);
};

struct convolution {
    static constexpr auto target = op("aten::convolution");
    static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                           bool transposed, c10::SymIntArrayRef output_padding, std::int64_t groups);
};

struct convolution_with_settings {
    static constexpr auto target = op("aten::_convolution");
    static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                           bool transposed, c10::SymIntArrayRef output_padding, const c10::SymInt& groups, bool, bool,
                           bool, bool);
};

}  // namespace ferry::fake_ops

namespace ferry {

using convolution_fakes = fakes<fake_ops::conv, fake_ops::conv_padding, fake_ops::conv_transpose, fake_ops::convolution,
                                fake_ops::convolution_with_settings>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/convolution-inl.hpp>
#endif
