#pragma once

#include <ferry/capture/fakes/pointwise.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/add.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sigmoid.h>

#include <optional>
#include <tuple>

namespace ferry::fake_ops {

FERRY_INLINE at::Tensor like_self::fake(const at::Tensor& self) { return at::empty_like(self); }

FERRY_INLINE at::Tensor hardtanh::fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&) {
    return at::empty_like(self);
}

FERRY_INLINE at::Tensor logit::fake(const at::Tensor& self, std::optional<double>) { return at::sigmoid(self); }

FERRY_INLINE at::Tensor nan_to_num::fake(const at::Tensor& self, std::optional<double>, std::optional<double>,
                                         std::optional<double>) {
    return at::empty_like(self);
}

FERRY_INLINE at::Tensor test::fake(const at::Tensor& self) { return at::ne(self, 0); }

FERRY_INLINE at::Tensor logical::fake(const at::Tensor& self, const at::Tensor& other) { return at::ne(self, other); }

FERRY_INLINE at::Tensor shift::fake(const at::Tensor& self, const at::Tensor& other) { return at::add(self, other); }

FERRY_INLINE at::Tensor shift_by_number::fake(const at::Tensor& self, const at::Scalar& other) {
    return at::add(self, other);
}

FERRY_INLINE at::Tensor sum_with_factor::fake(const at::Tensor& self, const at::Tensor& other,
                                              const at::Scalar& alpha) {
    return at::add(self, other, alpha);
}

FERRY_INLINE at::Tensor remainder_of_number::fake(const at::Scalar& self, const at::Tensor& other) {
    return at::remainder(other, self);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> mantissa_and_exponent::fake(const at::Tensor& self) {
    return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kInt))};
}

/// Of complex numbers they are real.
FERRY_INLINE at::Tensor magnitude::fake(const at::Tensor& self) {
    return at::empty_like(self, self.options().dtype(c10::toRealValueType(self.scalar_type())));
}

/// Of integers they are floating-point numbers.
FERRY_INLINE at::Tensor angle::fake(const at::Tensor& self) {
    return self.is_complex() ? magnitude::fake(self) : at::sigmoid(self);
}

FERRY_INLINE at::Tensor complex::fake(const at::Tensor& first, const at::Tensor& second) {
    TORCH_CHECK(first.scalar_type() == second.scalar_type(), "complex: parts of type ", first.scalar_type(), " and ",
                second.scalar_type());
    const at::Tensor both = at::add(first, second);
    return at::empty_like(both, both.options().dtype(c10::toComplexType(both.scalar_type())));
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> log_sigmoid_forward::fake(const at::Tensor& self) {
    return {at::empty_like(self), at::empty_like(self)};
}

FERRY_INLINE at::Tensor floor_divide::fake(const at::Tensor& self, const at::Tensor& other) {
    return at::remainder(self, other);
}

/// Broadcasts three, and has the type that the last two promote to.
FERRY_INLINE at::Tensor where::fake(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other) {
    return at::add(at::add(self, other), at::ne(condition, 0));
}

FERRY_INLINE at::Tensor prelu_kernel::fake(const at::Tensor& self, const at::Tensor& weight) {
    return at::add(self, weight);
}

}  // namespace ferry::fake_ops
