#pragma once

#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <optional>

namespace ferry::patched {

struct traced_convolution {
    static constexpr auto target = op("aten::_convolution");
    static at::Tensor call(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                           bool transposed, c10::SymIntArrayRef output_padding, const c10::SymInt& groups, bool, bool,
                           bool, bool);
};

struct traced_convolution_deprecated {
    static constexpr auto target = op("aten::_convolution.deprecated");
    static at::Tensor call(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                           c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                           bool transposed, c10::SymIntArrayRef output_padding, const c10::SymInt& groups, bool, bool,
                           bool);
};

}  // namespace ferry::patched

#ifndef FERRY_COMPILED
#include <ferry/dynamo/patches/plain_convolution-inl.hpp>
#endif
