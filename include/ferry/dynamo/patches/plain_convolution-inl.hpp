#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/dynamo/patches/plain_convolution.hpp>

#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/conv_transpose1d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/conv_transpose3d.h>
#include <ATen/ops/convolution.h>

#include <optional>

namespace ferry::patched {

/// What a traced module has for each of its convolutions, with settings of cuDNN among the arguments. In a program it is the op that
/// the model's code has called, which every backend knows.
[[nodiscard]] inline at::Tensor plain_convolution(const at::Tensor& input, const at::Tensor& weight,
                                                  const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
                                                  c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                                                  bool transposed, c10::SymIntArrayRef output_padding,
                                                  const c10::SymInt& groups) {
    const bool padded_after = algo::any_of(output_padding, [](const c10::SymInt& each) { return each != 0; });
    if (transposed) switch (weight.dim()) {
            case 3:
                return at::conv_transpose1d_symint(input, weight, bias, stride, padding, output_padding, groups,
                                                   dilation);
            case 4:
                return at::conv_transpose2d_symint(input, weight, bias, stride, padding, output_padding, groups,
                                                   dilation);
            case 5:
                return at::conv_transpose3d_symint(input, weight, bias, stride, padding, output_padding, groups,
                                                   dilation);
            default: break;
        }
    else if (!padded_after)
        switch (weight.dim()) {
            case 3: return at::conv1d_symint(input, weight, bias, stride, padding, dilation, groups);
            case 4: return at::conv2d_symint(input, weight, bias, stride, padding, dilation, groups);
            case 5: return at::conv3d_symint(input, weight, bias, stride, padding, dilation, groups);
            default: break;
        }
    return at::convolution_symint(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

FERRY_INLINE at::Tensor traced_convolution::call(const at::Tensor& input, const at::Tensor& weight,
                                                 const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
                                                 c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                                                 bool transposed, c10::SymIntArrayRef output_padding,
                                                 const c10::SymInt& groups, bool, bool, bool, bool) {
    return plain_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

/// The same, of files from before torch 1.7.
FERRY_INLINE at::Tensor traced_convolution_deprecated::call(const at::Tensor& input, const at::Tensor& weight,
                                                            const std::optional<at::Tensor>& bias,
                                                            c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                                                            c10::SymIntArrayRef dilation, bool transposed,
                                                            c10::SymIntArrayRef output_padding,
                                                            const c10::SymInt& groups, bool, bool, bool) {
    return plain_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

}  // namespace ferry::patched
