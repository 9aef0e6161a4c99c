#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sum.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Variances and deviations have no Meta kernel in C++. On zeros the CPU's kernel takes another way when its result is a single number,
/// and asks tensors for their values there: a model would differ at a batch of one.
namespace ferry::fake_ops {

[[nodiscard]] inline at::Tensor spread_of(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim) {
    TORCH_CHECK(self.is_floating_point() || self.is_complex(),
                "std and var are for floating-point and complex numbers, not for ", self.scalar_type());
    const at::Tensor sum = at::sum(self, dim, keepdim);
    return at::empty(sum.sizes(), sum.options().dtype(c10::toRealValueType(self.scalar_type())));
}

struct spread {
    static constexpr auto target = op("aten::var", "aten::std");
    static at::Tensor fake(const at::Tensor& self, bool) { return spread_of(self, std::nullopt, false); }
};

struct spread_dim {
    static constexpr auto target = op("aten::var.dim", "aten::std.dim");
    static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool, bool keepdim) {
        return spread_of(self, dim, keepdim);
    }
};

struct spread_correction {
    static constexpr auto target = op("aten::var.correction", "aten::std.correction");
    static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, const std::optional<at::Scalar>&,
                           bool keepdim) {
        return spread_of(self, dim, keepdim);
    }
};

struct spread_and_mean {
    static constexpr auto target = op("aten::var_mean", "aten::std_mean");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, bool) {
        return {spread_of(self, std::nullopt, false), at::sum(self)};
    }
};

struct spread_and_mean_dim {
    static constexpr auto target = op("aten::var_mean.dim", "aten::std_mean.dim");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool,
                                                   bool keepdim) {
        return {spread_of(self, dim, keepdim), at::sum(self, dim, keepdim)};
    }
};

struct spread_and_mean_correction {
    static constexpr auto target = op("aten::var_mean.correction", "aten::std_mean.correction");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                                   const std::optional<at::Scalar>&, bool keepdim) {
        return {spread_of(self, dim, keepdim), at::sum(self, dim, keepdim)};
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using spread_fakes =
    fakes<fake_ops::spread, fake_ops::spread_dim, fake_ops::spread_correction, fake_ops::spread_and_mean,
          fake_ops::spread_and_mean_dim, fake_ops::spread_and_mean_correction>;
}  // namespace ferry
