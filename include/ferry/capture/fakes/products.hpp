#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstdint>

/// Products of vectors and matrices that have no Meta kernel in C++.
namespace ferry::fake_ops {

struct dot {
    static constexpr auto target = op("aten::dot", "aten::vdot");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other) {
        TORCH_CHECK(self.dim() == 1 && self.sizes() == other.sizes() && self.scalar_type() == other.scalar_type(),
                    "dot: ", self.scalar_type(), " ", self.sizes(), " and ", other.scalar_type(), " ", other.sizes());
        return at::empty({}, self.options());
    }
};

/// The products of all pairs of a batch, summed.
struct addbmm {
    static constexpr auto target = op("aten::addbmm");
    static at::Tensor fake(const at::Tensor&, const at::Tensor& left, const at::Tensor& right, const at::Scalar&,
                           const at::Scalar&) {
        TORCH_CHECK(
            left.dim() == 3 && right.dim() == 3 && left.size(0) == right.size(0) && left.size(2) == right.size(1),
            "addbmm: ", left.sizes(), " does not go with ", right.sizes());
        return at::empty({left.size(1), right.size(2)}, left.options());
    }
};

struct int_mm {
    static constexpr auto target = op("aten::_int_mm");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other) {
        TORCH_CHECK(self.dim() == 2 && other.dim() == 2 && self.size(1) == other.size(0), "_int_mm: ", self.sizes(),
                    " does not go with ", other.sizes());
        return at::empty({self.size(0), other.size(1)}, self.options().dtype(at::kInt));
    }
};

struct int8_weight_mm {
    static constexpr auto target = op("aten::_weight_int8pack_mm");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& weight, const at::Tensor&) {
        TORCH_CHECK(self.dim() == 2 && weight.dim() == 2 && self.size(1) == weight.size(1),
                    "_weight_int8pack_mm: ", self.sizes(), " does not go with ", weight.sizes());
        return at::empty({self.size(0), weight.size(0)}, self.options());
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using product_fakes = fakes<fake_ops::dot, fake_ops::addbmm, fake_ops::int_mm, fake_ops::int8_weight_mm>;
}  // namespace ferry
