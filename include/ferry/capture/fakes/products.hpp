#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

/// Products of vectors and matrices that have no Meta kernel in C++.
namespace ferry::fake_ops {

struct dot {
    static constexpr auto target = op("aten::dot", "aten::vdot");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};

struct addbmm {
    static constexpr auto target = op("aten::addbmm");
    static at::Tensor fake(const at::Tensor&, const at::Tensor& left, const at::Tensor& right, const at::Scalar&,
                           const at::Scalar&);
};

struct int_mm {
    static constexpr auto target = op("aten::_int_mm");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};

struct int8_weight_mm {
    static constexpr auto target = op("aten::_weight_int8pack_mm");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& weight, const at::Tensor&);
};

}  // namespace ferry::fake_ops

namespace ferry {

using product_fakes = fakes<fake_ops::dot, fake_ops::addbmm, fake_ops::int_mm, fake_ops::int8_weight_mm>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/products-inl.hpp>
#endif
