#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <optional>
#include <tuple>

namespace ferry::fake_ops {

/// Batch norm in training, as the capture records it.
struct batch_norm_functional {
    static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> fake(
        const at::Tensor& input, const std::optional<at::Tensor>&, const std::optional<at::Tensor>&,
        const at::Tensor& mean, const at::Tensor& variance, bool training, double, double) {
        TORCH_CHECK(input.dim() >= 2 && input.size(1) == mean.size(0), "batch_norm: ", mean.size(0),
                    " running means for an input of ", input.sizes());
        const auto saved = at::empty({training ? input.size(1) : 0}, mean.options());
        return {at::empty_like(input), saved, at::empty_like(saved), at::empty_like(mean), at::empty_like(variance)};
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using normalization_fakes = fakes<fake_ops::batch_norm_functional>;
}  // namespace ferry
