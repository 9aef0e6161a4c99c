#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/arithmetic.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace ferry::executorch::parts {

FERRY_INLINE at::Tensor vector_norm::decompose(const at::Tensor& self, const at::Scalar& order,
                                               at::OptionalIntArrayRef dim, bool keep,
                                               std::optional<at::ScalarType> dtype) {
    const at::ScalarType made = dtype.value_or(self.scalar_type());
    const at::Tensor size = decomposed::wide(decomposed::cast(self, made)).abs();
    std::vector<std::int64_t> dims;
    if (dim) dims = dim->vec();
    if (dims.empty())
        for (std::int64_t i = 0; i < self.dim(); ++i) dims.push_back(i);
    const double p = order.toDouble();
    const auto total = [&](const at::Tensor& terms) { return at::sum(terms, dims, keep); };
    const auto norm = [&]() -> at::Tensor {
        if (p == std::numeric_limits<double>::infinity()) return at::amax(size, dims, keep);
        if (p == -std::numeric_limits<double>::infinity()) return at::amin(size, dims, keep);
        if (p == 0) return total(size.ne(0).to(size.scalar_type()));
        if (p == 1) return total(size);
        if (p == 2) return total(size * size).sqrt();
        return total(size.pow(p)).pow(1 / p);
    };
    return decomposed::cast(norm(), made);
}

FERRY_INLINE at::Tensor exp2::decompose(const at::Tensor& self) {
    return decomposed::widely(decomposed::as_float(self),
                              [](const at::Tensor& x) { return (x * std::numbers::ln2).exp(); });
}

/// Far from zero 1 - erf(x) has no digits left; there a continued fraction takes its place.
FERRY_INLINE at::Tensor erfc::decompose(const at::Tensor& self) {
    return decomposed::widely(decomposed::as_float(self), [](const at::Tensor& x) {
        const at::Tensor far = x.clamp_min(2.5), square = far * far;
        // From its inside out.
        at::Tensor fraction = far;
        for (int k = 24; k >= 1; --k) fraction = far + (k / 2.0) / fraction;
        const at::Tensor tail = (-square).exp() / (fraction * std::sqrt(std::numbers::pi));
        return at::where(x.gt(2.5), tail, 1 - x.erf());
    });
}

FERRY_INLINE at::Tensor fmax::decompose(const at::Tensor& self, const at::Tensor& other) {
    at::Tensor most = at::maximum(self, other);
    if (!most.is_floating_point()) return most;
    return at::where(self.isnan(), other, at::where(other.isnan(), self, most));
}
FERRY_INLINE at::Tensor fmin::decompose(const at::Tensor& self, const at::Tensor& other) {
    at::Tensor least = at::minimum(self, other);
    if (!least.is_floating_point()) return least;
    return at::where(self.isnan(), other, at::where(other.isnan(), self, least));
}

FERRY_INLINE at::Tensor hypot::decompose(const at::Tensor& self, const at::Tensor& other) {
    const at::Tensor a = decomposed::wide(self).abs(), b = decomposed::wide(other).abs();
    const at::Tensor most = at::maximum(a, b), safe = at::where(most.eq(0), most + 1, most);
    const at::Tensor ratio = at::minimum(a, b) / safe;
    const at::Tensor length = at::where(most.isinf(), most, most * (ratio * ratio + 1).sqrt());
    return decomposed::cast(length, at::result_type(self, other));
}

}  // namespace ferry::executorch::parts
