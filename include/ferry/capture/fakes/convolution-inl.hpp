#pragma once

#include <ferry/capture/fakes/convolution.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::fake_ops {

struct ConvolutionShape {
    const at::Tensor& input;
    const at::Tensor& weight;
    const std::optional<at::Tensor>& bias;
    c10::SymIntArrayRef stride;
    c10::SymIntArrayRef dilation;
    std::int64_t groups;

    [[nodiscard]] static std::int64_t item(c10::SymIntArrayRef list, std::int64_t dim) {
        return list[list.size() == 1 ? 0 : static_cast<std::size_t>(dim)].expect_int();
    }

    /// `size(d, in, kernel)` is the output's size in spatial dimension d.
    template <class Size>
    [[nodiscard]] at::Tensor output(bool transposed, Size&& size) const {
        const std::int64_t spatial = weight.dim() - 2;
        const bool batched = input.dim() == weight.dim();
        TORCH_CHECK(batched || input.dim() == weight.dim() - 1, "convolution: an input of ", input.dim(),
                    " dimensions for a weight of ", weight.dim());
        TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "convolution: an input of ", input.scalar_type(),
                    " for a weight of ", weight.scalar_type());
        const std::int64_t channels = input.size(batched ? 1 : 0);
        const std::int64_t taken = transposed ? weight.size(0) : weight.size(1) * groups;
        TORCH_CHECK(channels == taken, "convolution: an input of ", channels, " channels for a weight that takes ",
                    taken);
        const std::int64_t made = transposed ? weight.size(1) * groups : weight.size(0);
        TORCH_CHECK(!bias || !bias->defined() || (bias->dim() == 1 && bias->size(0) == made),
                    "convolution: a bias that is no vector of ", made);
        std::vector<std::int64_t> sizes;
        if (batched) sizes.push_back(input.size(0));
        sizes.push_back(made);
        for (std::int64_t d = 0; d < spatial; ++d) {
            const std::int64_t out = size(d, input.size(d - spatial), item(dilation, d) * (weight.size(d + 2) - 1) + 1);
            TORCH_CHECK(out > 0, "convolution: an input of ", input.sizes(), " is too small for a kernel of ",
                        weight.sizes());
            sizes.push_back(out);
        }
        return at::empty(sizes, input.options(),
                         batched && spatial > 1 ? input.suggest_memory_format() : at::MemoryFormat::Contiguous);
    }
    [[nodiscard]] at::Tensor forward(c10::SymIntArrayRef padding) const {
        return output(false, [&](std::int64_t d, std::int64_t in, std::int64_t kernel) {
            const std::int64_t room = in + 2 * item(padding, d) - kernel;
            return room < 0 ? 0 : room / item(stride, d) + 1;
        });
    }
    [[nodiscard]] at::Tensor transposed(c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding) const {
        return output(true, [&](std::int64_t d, std::int64_t in, std::int64_t kernel) {
            return (in - 1) * item(stride, d) - 2 * item(padding, d) + kernel + item(output_padding, d);
        });
    }
};

FERRY_INLINE at::Tensor conv::fake(const at::Tensor& input, const at::Tensor& weight,
                                   const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
                                   c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation, std::int64_t groups) {
    return ConvolutionShape{input, weight, bias, stride, dilation, groups}.forward(padding);
}

/// Padding by name: "valid" or "same".
FERRY_INLINE at::Tensor conv_padding::fake(const at::Tensor& input, const at::Tensor& weight,
                                           const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
                                           std::string_view padding, c10::SymIntArrayRef dilation,
                                           std::int64_t groups) {
    const ConvolutionShape shape{input, weight, bias, stride, dilation, groups};
    const bool same = padding == "same";
    TORCH_CHECK(same || padding == "valid", "convolution: padding is neither same nor valid but ", padding);
    return shape.output(false, [&](std::int64_t d, std::int64_t in, std::int64_t kernel) {
        TORCH_CHECK(!same || ConvolutionShape::item(stride, d) == 1,
                    "convolution: padding='same' goes with a stride of 1 only");
        return same ? in : in < kernel ? 0 : (in - kernel) / ConvolutionShape::item(stride, d) + 1;
    });
}

FERRY_INLINE at::Tensor conv_transpose::fake(const at::Tensor& input, const at::Tensor& weight,
                                             const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
                                             c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding,
                                             std::int64_t groups, c10::SymIntArrayRef dilation) {
    return ConvolutionShape{input, weight, bias, stride, dilation, groups}.transposed(padding, output_padding);
}

FERRY_INLINE at::Tensor convolution::fake(const at::Tensor& input, const at::Tensor& weight,
                                          const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
                                          c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation, bool transposed,
                                          c10::SymIntArrayRef output_padding, std::int64_t groups) {
    const ConvolutionShape shape{input, weight, bias, stride, dilation, groups};
    return transposed ? shape.transposed(padding, output_padding) : shape.forward(padding);
}

/// What the others come down to, with settings of cuDNN.
FERRY_INLINE at::Tensor convolution_with_settings::fake(const at::Tensor& input, const at::Tensor& weight,
                                                        const std::optional<at::Tensor>& bias,
                                                        c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                                                        c10::SymIntArrayRef dilation, bool transposed,
                                                        c10::SymIntArrayRef output_padding, const c10::SymInt& groups,
                                                        bool, bool, bool, bool) {
    return convolution::fake(input, weight, bias, stride, padding, dilation, transposed, output_padding,
                             groups.expect_int());
}

}  // namespace ferry::fake_ops
