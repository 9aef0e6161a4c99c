#pragma once

#include <ferry/capture/fakes/losses.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/sub.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

inline constexpr std::int64_t no_reduction = 0;

[[nodiscard]] inline at::Tensor reduced(const at::Tensor& loss, std::int64_t reduction) {
    return reduction == no_reduction ? loss : at::empty({}, loss.options());
}

FERRY_INLINE at::Tensor huber_loss::fake(const at::Tensor& self, const at::Tensor& other, std::int64_t reduction,
                                         double) {
    return reduced(at::sub(self, other), reduction);
}

FERRY_INLINE at::Tensor binary_cross_entropy::fake(const at::Tensor& self, const at::Tensor&,
                                                   const std::optional<at::Tensor>&, std::int64_t reduction) {
    return reduced(at::empty_like(self), reduction);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> nll_loss2d::fake(const at::Tensor& self, const at::Tensor& classes,
                                                                 const std::optional<at::Tensor>&,
                                                                 std::int64_t reduction, const c10::SymInt&) {
    TORCH_CHECK(self.dim() == 4 && classes.dim() == 3 && self.size(0) == classes.size(0) &&
                    self.sizes().slice(2) == classes.sizes().slice(1),
                "nll_loss2d: classes of ", classes.sizes(), " for an input of ", self.sizes());
    return {reduced(at::empty(classes.sizes(), self.options()), reduction), at::empty({}, self.options())};
}

}  // namespace ferry::fake_ops
