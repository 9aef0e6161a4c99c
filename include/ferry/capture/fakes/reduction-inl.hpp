#pragma once

#include <ferry/capture/fakes/reduction.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

FERRY_INLINE at::Tensor extreme::fake(const at::Tensor& self) {
    TORCH_CHECK(self.numel() > 0, "max or min of a tensor without elements");
    return at::empty({}, self.options());
}

FERRY_INLINE at::Tensor median::fake(const at::Tensor& self) { return at::empty({}, self.options()); }

FERRY_INLINE at::Tensor prod::fake(const at::Tensor& self, std::optional<at::ScalarType> dtype) {
    return at::sum(self, dtype);
}

FERRY_INLINE at::Tensor nansum::fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
                                     std::optional<at::ScalarType> dtype) {
    return at::sum(self, dim, keepdim, dtype);
}

FERRY_INLINE at::Tensor trace::fake(const at::Tensor& self) {
    TORCH_CHECK(self.dim() == 2, "trace: a matrix is expected, not ", self.sizes());
    return at::sum(self);
}

FERRY_INLINE at::Tensor histc::fake(const at::Tensor& self, std::int64_t bins, const at::Scalar&, const at::Scalar&) {
    TORCH_CHECK(bins > 0, "histc: ", bins, " bins");
    return at::empty({bins}, self.options());
}

/// One element along a dimension, and where it is.
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> picked(const at::Tensor& self, std::int64_t dim, bool keepdim) {
    const at::Tensor shape = at::sum(self, dim, keepdim, self.scalar_type());
    return {at::empty(shape.sizes(), self.options()), at::empty(shape.sizes(), self.options().dtype(at::kLong))};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> pick::fake(const at::Tensor& self, std::int64_t dim, bool keepdim) {
    TORCH_CHECK(self.numel() > 0, "median or mode of a tensor without elements");
    return picked(self, dim, keepdim);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> kthvalue::fake(const at::Tensor& self, const c10::SymInt& k,
                                                               std::int64_t dim, bool keepdim) {
    TORCH_CHECK(self.dim() == 0 || (k.expect_int() >= 1 && k.expect_int() <= self.size(dim)), "kthvalue: no ",
                k.expect_int(), "th among ", self.sizes());
    return picked(self, dim, keepdim);
}

FERRY_INLINE at::Tensor count_nonzero::fake(const at::Tensor& self, at::IntArrayRef dim) {
    return at::sum(self, dim, false, at::kLong);
}

/// Of complex numbers they are real.
[[nodiscard]] inline at::Tensor spread(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim) {
    const at::Tensor mean = at::mean(self, dim, keepdim);
    return at::empty(mean.sizes(), mean.options().dtype(c10::toRealValueType(mean.scalar_type())));
}

FERRY_INLINE at::Tensor variance::fake(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                       const std::optional<at::Scalar>&, bool keepdim) {
    return spread(self, dim, keepdim);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> variance_and_mean::fake(const at::Tensor& self,
                                                                        at::OptionalIntArrayRef dim,
                                                                        const std::optional<at::Scalar>&,
                                                                        bool keepdim) {
    return {spread(self, dim, keepdim), at::mean(self, dim, keepdim)};
}

}  // namespace ferry::fake_ops
