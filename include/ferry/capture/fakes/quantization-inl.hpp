#pragma once

#include <ferry/capture/fakes/quantization.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty_like.h>

#include <cstdint>
#include <tuple>

namespace ferry::fake_ops {

[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> rounded(const at::Tensor& self) {
    return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kBool))};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> fake_quantize::fake(const at::Tensor& self, double, std::int64_t,
                                                                    std::int64_t, std::int64_t) {
    return rounded(self);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> fake_quantize_by_channel::fake(const at::Tensor& self,
                                                                               const at::Tensor& scale,
                                                                               const at::Tensor&, std::int64_t axis,
                                                                               std::int64_t, std::int64_t) {
    TORCH_CHECK(scale.dim() == 1 && scale.size(0) == self.size(axis), "fake_quantize: scales of ", scale.sizes(),
                " along dimension ", axis, " of ", self.sizes());
    return rounded(self);
}

}  // namespace ferry::fake_ops
