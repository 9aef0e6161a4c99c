#pragma once

#include <ferry/capture/fakes/products.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <cstdint>

namespace ferry::fake_ops {

FERRY_INLINE at::Tensor dot::fake(const at::Tensor& self, const at::Tensor& other) {
    TORCH_CHECK(self.dim() == 1 && self.sizes() == other.sizes() && self.scalar_type() == other.scalar_type(),
                "dot: ", self.scalar_type(), " ", self.sizes(), " and ", other.scalar_type(), " ", other.sizes());
    return at::empty({}, self.options());
}

/// The products of all pairs of a batch, summed.
FERRY_INLINE at::Tensor addbmm::fake(const at::Tensor&, const at::Tensor& left, const at::Tensor& right,
                                     const at::Scalar&, const at::Scalar&) {
    TORCH_CHECK(left.dim() == 3 && right.dim() == 3 && left.size(0) == right.size(0) && left.size(2) == right.size(1),
                "addbmm: ", left.sizes(), " does not go with ", right.sizes());
    return at::empty({left.size(1), right.size(2)}, left.options());
}

FERRY_INLINE at::Tensor int_mm::fake(const at::Tensor& self, const at::Tensor& other) {
    TORCH_CHECK(self.dim() == 2 && other.dim() == 2 && self.size(1) == other.size(0), "_int_mm: ", self.sizes(),
                " does not go with ", other.sizes());
    return at::empty({self.size(0), other.size(1)}, self.options().dtype(at::kInt));
}

FERRY_INLINE at::Tensor int8_weight_mm::fake(const at::Tensor& self, const at::Tensor& weight, const at::Tensor&) {
    TORCH_CHECK(self.dim() == 2 && weight.dim() == 2 && self.size(1) == weight.size(1),
                "_weight_int8pack_mm: ", self.sizes(), " does not go with ", weight.sizes());
    return at::empty({self.size(0), weight.size(0)}, self.options());
}

}  // namespace ferry::fake_ops
