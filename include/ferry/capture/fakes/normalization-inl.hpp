#pragma once

#include <ferry/capture/fakes/normalization.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

/// Batch norm in training, as the capture records it.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> batch_norm_functional::fake(
    const at::Tensor& input, const std::optional<at::Tensor>&, const std::optional<at::Tensor>&, const at::Tensor& mean,
    const at::Tensor& variance, bool training, double, double) {
    TORCH_CHECK(input.dim() >= 2 && input.size(1) == mean.size(0), "batch_norm: ", mean.size(0),
                " running means for an input of ", input.sizes());
    const auto saved = at::empty({training ? input.size(1) : 0}, mean.options());
    return {at::empty_like(input), saved, at::empty_like(saved), at::empty_like(mean), at::empty_like(variance)};
}

/// What layer, group and instance norms come down to as well.
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_normed(
    const at::Tensor& input, std::initializer_list<const std::optional<at::Tensor>*> by_channel, bool training) {
    TORCH_CHECK(input.dim() >= 2, "batch_norm: an input of ", input.dim(), " dimensions");
    const std::int64_t channels = input.size(1);
    auto of_channels = input.options();
    for (const auto* each : by_channel)
        if (*each && (*each)->defined()) {
            TORCH_CHECK((*each)->numel() == channels, "batch_norm: ", (*each)->numel(), " numbers for ", channels,
                        " channels");
            of_channels = (*each)->options();
        }
    const auto saved = at::empty({training ? channels : 0}, of_channels);
    return {at::empty_like(input, at::MemoryFormat(input.suggest_memory_format())), saved, at::empty_like(saved)};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> native_batch_norm::fake(
    const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
    const std::optional<at::Tensor>& mean, const std::optional<at::Tensor>& variance, bool training, double, double) {
    return batch_normed(input, {&weight, &bias, &mean, &variance}, training);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_norm_of_inference::fake(
    const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
    const at::Tensor& mean, const at::Tensor& variance, double, double) {
    const std::optional<at::Tensor> given_mean = mean, given_variance = variance;
    return batch_normed(input, {&weight, &bias, &given_mean, &given_variance}, /*training=*/false);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_norm_without_statistics::fake(
    const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
    bool training, double, double) {
    return batch_normed(input, {&weight, &bias}, training);
}

/// The kernel wants its input in one piece, which zeros that take no memory are not.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> group_norm::fake(
    const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>&,
    std::int64_t batch, std::int64_t channels, std::int64_t, std::int64_t groups, double) {
    TORCH_CHECK(groups > 0 && channels % groups == 0, "group_norm: ", channels, " channels in ", groups, " groups");
    const auto options = weight && weight->defined() ? weight->options() : input.options();
    return {at::empty_like(input, at::MemoryFormat::Contiguous), at::empty({batch, groups}, options),
            at::empty({batch, groups}, options)};
}

/// Without these, the kernel would run on zeros: as much work as the weights are large, for sizes that are known.
FERRY_INLINE at::Tensor weight_norm::fake(const at::Tensor& v, const at::Tensor&, std::int64_t) {
    return at::empty_like(v, at::MemoryFormat::Contiguous);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> weight_norm_kernel::fake(const at::Tensor& v, const at::Tensor& g,
                                                                         std::int64_t) {
    return {at::empty_like(v, at::MemoryFormat::Contiguous), at::empty_like(g)};
}

}  // namespace ferry::fake_ops
