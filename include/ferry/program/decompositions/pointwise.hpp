#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

/// Activations and arithmetic that core ATen has no op for.
namespace ferry {
namespace decomposed {

struct silu {
    static constexpr auto target = op("aten::silu");
    static at::Tensor decompose(const at::Tensor& self) { return self * self.sigmoid(); }
};
struct mish {
    static constexpr auto target = op("aten::mish");
    static at::Tensor decompose(const at::Tensor& self) { return self * self.exp().log1p().tanh(); }
};
struct hardsigmoid {
    static constexpr auto target = op("aten::hardsigmoid");
    static at::Tensor decompose(const at::Tensor& self) { return (self + 3).clamp(0, 6) / 6; }
};
struct hardswish {
    static constexpr auto target = op("aten::hardswish");
    static at::Tensor decompose(const at::Tensor& self) { return self * (self + 3).clamp(0, 6) / 6; }
};
struct softplus {
    static constexpr auto target = op("aten::softplus");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& beta, const at::Scalar& threshold) {
        const at::Tensor scaled = self * beta;
        return at::where(scaled.gt(threshold), self, scaled.exp().log1p() / beta);
    }
};
struct log_sigmoid {
    static constexpr auto target = op("aten::log_sigmoid");
    static at::Tensor decompose(const at::Tensor& self) {
        return at::minimum(at::full({}, 0, self.scalar_type()), self) - self.abs().neg().exp().log1p();
    }
};
struct glu {
    static constexpr auto target = op("aten::glu");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim) {
        const std::int64_t half = self.size(dim) / 2;
        return self.slice(dim, 0, half) * self.slice(dim, half, 2 * half).sigmoid();
    }
};
struct prelu {
    static constexpr auto target = op("aten::_prelu_kernel");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& weight) {
        return at::where(self.gt(0), self, weight * self);
    }
};
struct threshold {
    static constexpr auto target = op("aten::threshold");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& limit, const at::Scalar& value) {
        return at::where(self.le(limit), at::full({}, value, self.scalar_type()), self);
    }
};
struct clamp_min {
    static constexpr auto target = op("aten::clamp_min");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& min) {
        return at::clamp(self, min, std::nullopt);
    }
};
struct clamp_max {
    static constexpr auto target = op("aten::clamp_max");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& max) {
        return at::clamp(self, std::nullopt, max);
    }
};
struct rsub_scalar {
    static constexpr auto target = op("aten::rsub.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
        return at::scalar_tensor(other, at::TensorOptions().dtype(at::result_type(self, other))).sub(self, alpha);
    }
};
struct rsub_tensor {
    static constexpr auto target = op("aten::rsub.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
        return other.sub(self, alpha);
    }
};
struct masked_fill_scalar {
    static constexpr auto target = op("aten::masked_fill.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& mask, const at::Scalar& value) {
        return at::where(mask, at::full({}, value, self.scalar_type()), self);
    }
};
struct masked_fill_tensor {
    static constexpr auto target = op("aten::masked_fill.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& mask, const at::Tensor& value) {
        return at::where(mask, value.to(self.scalar_type()), self);
    }
};
struct addcmul {
    static constexpr auto target = op("aten::addcmul");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
                                const at::Scalar& value) {
        return self + a * b * value;
    }
};
struct addcdiv {
    static constexpr auto target = op("aten::addcdiv");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
                                const at::Scalar& value) {
        return self + a / b * value;
    }
};
struct lerp_scalar {
    static constexpr auto target = op("aten::lerp.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& end, const at::Scalar& weight) {
        return self + (end - self) * weight;
    }
};
struct lerp_tensor {
    static constexpr auto target = op("aten::lerp.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& end, const at::Tensor& weight) {
        return self + (end - self) * weight;
    }
};
struct floor_divide {
    static constexpr auto target = op("aten::floor_divide");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) { return self.div(other, "floor"); }
};

}  // namespace decomposed

using pointwise_decompositions =
    decompositions<decomposed::silu, decomposed::mish, decomposed::hardsigmoid, decomposed::hardswish,
                   decomposed::softplus, decomposed::log_sigmoid, decomposed::glu, decomposed::prelu,
                   decomposed::threshold, decomposed::clamp_min, decomposed::clamp_max, decomposed::rsub_scalar,
                   decomposed::rsub_tensor, decomposed::masked_fill_scalar, decomposed::masked_fill_tensor,
                   decomposed::addcmul, decomposed::addcdiv, decomposed::lerp_scalar, decomposed::lerp_tensor,
                   decomposed::floor_divide>;

}  // namespace ferry
