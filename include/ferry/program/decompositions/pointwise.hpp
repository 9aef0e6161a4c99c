#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

/// Activations and arithmetic that core ATen has no op for.
namespace ferry {
namespace decomposed {

[[nodiscard]] inline std::pair<double, double> finite_range(at::ScalarType dtype) {
    const double most = dtype == at::kHalf       ? 65504.0
                        : dtype == at::kBFloat16 ? 3.3895313892515355e38
                        : dtype == at::kDouble   ? std::numeric_limits<double>::max()
                                                 : static_cast<double>(std::numeric_limits<float>::max());
    return {-most, most};
}

/// log(exp(a) + exp(b)) to the base of which `unit` is the natural logarithm.
[[nodiscard]] inline at::Tensor add_in_logarithm(const at::Tensor& a, const at::Tensor& b, double unit) {
    const at::Tensor x = wide(a), y = wide(b), most = at::maximum(x, y), less = at::minimum(x, y);
    const at::Tensor sum = most + ((less - most) * unit).exp().log1p() / unit;
    const at::Tensor same = most.eq(less).logical_and(most.abs().eq(std::numeric_limits<double>::infinity()));
    return cast(at::where(same, most, sum), at::result_type(a, b));
}

struct silu {
    static constexpr auto target = op("aten::silu");
    static at::Tensor decompose(const at::Tensor& self) {
        return widely(self, [](const at::Tensor& x) { return x * x.sigmoid(); });
    }
};
struct mish {
    static constexpr auto target = op("aten::mish");
    static at::Tensor decompose(const at::Tensor& self) {
        return widely(self, [](const at::Tensor& x) { return x * x.exp().log1p().tanh(); });
    }
};
struct hardsigmoid {
    static constexpr auto target = op("aten::hardsigmoid");
    static at::Tensor decompose(const at::Tensor& self) {
        return widely(self, [](const at::Tensor& x) { return (x + 3).clamp(0, 6) / 6; });
    }
};
struct hardswish {
    static constexpr auto target = op("aten::hardswish");
    static at::Tensor decompose(const at::Tensor& self) {
        return widely(self, [](const at::Tensor& x) { return x * (x + 3).clamp(0, 6) / 6; });
    }
};
struct celu {
    static constexpr auto target = op("aten::celu");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& alpha) {
        return at::elu(self, alpha, 1, 1.0 / alpha.toDouble());
    }
};
struct softplus {
    static constexpr auto target = op("aten::softplus");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& beta, const at::Scalar& threshold) {
        return widely(self, [&](const at::Tensor& x) {
            const at::Tensor scaled = x * beta;
            return at::where(scaled.gt(threshold), x, scaled.exp().log1p() / beta);
        });
    }
};
struct hardshrink {
    static constexpr auto target = op("aten::hardshrink");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& limit) {
        return at::where(self.abs().le(limit), number_like(self, 0), self);
    }
};
struct softshrink {
    static constexpr auto target = op("aten::softshrink");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& limit) {
        return widely(self, [&](const at::Tensor& x) {
            return at::where(x.abs().gt(limit), x - x.sign() * limit, x * 0);  // a NaN stays one
        });
    }
};
struct log_sigmoid {
    static constexpr auto target = op("aten::log_sigmoid");
    static at::Tensor decompose(const at::Tensor& self) {
        return widely(
            self, [](const at::Tensor& x) { return at::minimum(number_like(x, 0), x) - x.abs().neg().exp().log1p(); });
    }
};
struct glu {
    static constexpr auto target = op("aten::glu");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim) {
        const std::int64_t half = self.size(dim) / 2;
        return widely(
            self, [&](const at::Tensor& x) { return x.slice(dim, 0, half) * x.slice(dim, half, 2 * half).sigmoid(); });
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
        return at::where(wide(self).le(limit), number_like(self, value), self);
    }
};
struct clamp_min {
    static constexpr auto target = op("aten::clamp_min");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& min) {
        return at::clamp(self, min, std::nullopt);
    }
};
struct clamp_min_tensor {
    static constexpr auto target = op("aten::clamp_min.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& min) { return at::maximum(self, min); }
};
struct clamp_max_tensor {
    static constexpr auto target = op("aten::clamp_max.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& max) { return at::minimum(self, max); }
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
        return number_like(self, other, at::result_type(self, other)).sub(self, alpha);
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
        return at::where(mask, number_like(self, value), self);
    }
};
struct masked_fill_tensor {
    static constexpr auto target = op("aten::masked_fill.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& mask, const at::Tensor& value) {
        return at::where(mask, cast(value, self.scalar_type()), self);
    }
};
/// Of whole numbers `value` stays whole, as it does in the kernel.
struct addcmul {
    static constexpr auto target = op("aten::addcmul");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
                                const at::Scalar& value) {
        return widely(self, [&](const at::Tensor& x) { return x + wide(a) * wide(b) * factor_of(self, value); });
    }
};
struct addcdiv {
    static constexpr auto target = op("aten::addcdiv");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
                                const at::Scalar& value) {
        return widely(self, [&](const at::Tensor& x) { return x + wide(a) / wide(b) * value; });
    }
};
/// From the nearer end, as the kernel does: exact at both.
struct lerp_tensor {
    static constexpr auto target = op("aten::lerp.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& end, const at::Tensor& weight) {
        const at::Tensor from = wide(self), to = wide(end), share = wide(weight), way = to - from;
        return cast(at::where(share.abs().lt(0.5), from + way * share, to - way * (share * -1 + 1)),
                    self.scalar_type());
    }
};
struct lerp_scalar {
    static constexpr auto target = op("aten::lerp.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& end, const at::Scalar& weight) {
        const at::Tensor from = wide(self), to = wide(end);
        const double share = weight.toDouble();
        return cast(std::abs(share) < 0.5 ? from + (to - from) * share : to - (to - from) * (1 - share),
                    self.scalar_type());
    }
};
struct floor_divide {
    static constexpr auto target = op("aten::floor_divide");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) { return self.div(other, "floor"); }
};
struct floor_divide_scalar {
    static constexpr auto target = op("aten::floor_divide.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& other) {
        return self.div(number_like(self, other, at::result_type(self, other)), "floor");
    }
};
struct frac {
    static constexpr auto target = op("aten::frac");
    static at::Tensor decompose(const at::Tensor& self) { return self - self.trunc(); }
};
struct sgn {
    static constexpr auto target = op("aten::sgn");
    static at::Tensor decompose(const at::Tensor& self) {
        if (!self.is_complex()) return self.sign();
        const at::Tensor size = self.abs();
        return at::where(size.eq(0), number_like(self, 0), self / size);
    }
};
struct sinc {
    static constexpr auto target = op("aten::sinc");
    static at::Tensor decompose(const at::Tensor& self) {
        const at::Tensor angle = as_float(self) * std::numbers::pi;
        return at::where(angle.eq(0), number_like(angle, 1), angle.sin() / angle);
    }
};
struct deg2rad {
    static constexpr auto target = op("aten::deg2rad");
    static at::Tensor decompose(const at::Tensor& self) { return as_float(self) * 0.017453292519943295; }
};
struct rad2deg {
    static constexpr auto target = op("aten::rad2deg");
    static at::Tensor decompose(const at::Tensor& self) { return as_float(self) * 57.29577951308232; }
};
struct heaviside {
    static constexpr auto target = op("aten::heaviside");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& values) {
        const at::Tensor step = at::where(self.lt(0), number_like(self, 0), number_like(self, 1));
        return at::where(self.eq(0), values, step);
    }
};
struct logit {
    static constexpr auto target = op("aten::logit");
    static at::Tensor decompose(const at::Tensor& self, std::optional<double> epsilon) {
        at::Tensor x = wide(as_float(self));
        if (epsilon) x = x.clamp(*epsilon, 1 - *epsilon);
        return cast((x / (x * -1 + 1)).log(), as_float_type(self));
    }
};
struct logaddexp {
    static constexpr auto target = op("aten::logaddexp");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
        return add_in_logarithm(self, other, 1.0);
    }
};
struct logaddexp2 {
    static constexpr auto target = op("aten::logaddexp2");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
        return add_in_logarithm(self, other, std::numbers::ln2);
    }
};
struct nan_to_num {
    static constexpr auto target = op("aten::nan_to_num");
    static at::Tensor decompose(const at::Tensor& self, std::optional<double> nan, std::optional<double> above,
                                std::optional<double> below) {
        if (!self.is_floating_point())
            return self.is_complex() ? at::nan_to_num(self, nan, above, below) : self.clone();
        const auto [least, most] = finite_range(self.scalar_type());
        const double infinity = std::numeric_limits<double>::infinity();
        at::Tensor x = at::where(self.isnan(), number_like(self, nan.value_or(0)), self);
        x = at::where(self.eq(infinity), number_like(self, above.value_or(most)), x);
        return at::where(self.eq(-infinity), number_like(self, below.value_or(least)), x);
    }
};
struct xlogy {
    static constexpr auto target = op("aten::xlogy.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
        const at::Tensor x = as_float(self), y = as_float(other);
        const at::Tensor product = at::where(x.eq(0), number_like(x, 0), x * y.log());
        return at::where(y.isnan(), number_like(x, std::numeric_limits<double>::quiet_NaN()), product);
    }
};
struct entropy {
    static constexpr auto target = op("aten::special_entr");
    static at::Tensor decompose(const at::Tensor& self) {
        const at::Tensor x = as_float(self);
        const at::Tensor below =
            at::where(x.eq(0), number_like(x, 0), number_like(x, -std::numeric_limits<double>::infinity()));
        return at::where(x.isnan(), x, at::where(x.gt(0), x.neg() * x.log(), below));
    }
};
struct is_positive_infinity {
    static constexpr auto target = op("aten::isposinf");
    static at::Tensor decompose(const at::Tensor& self) { return self.eq(std::numeric_limits<double>::infinity()); }
};
struct is_negative_infinity {
    static constexpr auto target = op("aten::isneginf");
    static at::Tensor decompose(const at::Tensor& self) { return self.eq(-std::numeric_limits<double>::infinity()); }
};

}  // namespace decomposed

using pointwise_decompositions = decompositions<
    decomposed::silu, decomposed::mish, decomposed::hardsigmoid, decomposed::hardswish, decomposed::celu,
    decomposed::softplus, decomposed::hardshrink, decomposed::softshrink, decomposed::log_sigmoid, decomposed::glu,
    decomposed::prelu, decomposed::threshold, decomposed::clamp_min, decomposed::clamp_min_tensor,
    decomposed::clamp_max_tensor, decomposed::clamp_max, decomposed::rsub_scalar, decomposed::rsub_tensor,
    decomposed::masked_fill_scalar, decomposed::masked_fill_tensor, decomposed::addcmul, decomposed::addcdiv,
    decomposed::lerp_tensor, decomposed::lerp_scalar, decomposed::floor_divide, decomposed::floor_divide_scalar,
    decomposed::frac, decomposed::sgn, decomposed::sinc, decomposed::deg2rad, decomposed::rad2deg,
    decomposed::heaviside, decomposed::logit, decomposed::logaddexp, decomposed::logaddexp2, decomposed::nan_to_num,
    decomposed::xlogy, decomposed::entropy, decomposed::is_positive_infinity, decomposed::is_negative_infinity>;

}  // namespace ferry
