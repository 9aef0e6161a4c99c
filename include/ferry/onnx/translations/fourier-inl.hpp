#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/fourier.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace ferry::onnx::translated {

struct Transform {
    bool inverse = false;
    bool halved = false;  ///< of real numbers: the other half is its mirror
};
inline Ref transformed(Translation& t, Ref pairs, std::int64_t dim, Transform how) {
    std::vector<Attribute> attributes{{"inverse", how.inverse ? 1 : 0}, {"onesided", how.halved ? 1 : 0}};
    if (t.opset() >= 20) return t.add("DFT", {pairs, Ref(), t.number(dim, DType::int64)}, std::move(attributes));
    attributes.emplace_back("axis", dim);
    return t.add("DFT", {pairs}, std::move(attributes));
}

/// What torch multiplies with, by its number for the way of normalizing, and what DFT has divided by already.
inline Ref normalized(Translation& t, Ref value, const SymExpr& count, bool was_divided) {
    const std::int64_t mode = t.integer("normalization");
    const double power = (was_divided ? 1.0 : 0.0) - (mode == 0 ? 0.0 : mode == 1 ? 0.5 : 1.0);
    if (power == 0) return value;
    if (count.is_constant())
        return t.add("Mul", {value, t.number_like(std::pow(static_cast<double>(count.value()), power), value)});
    const Ref size = t.scalar_of(t.cast(t.size(count), t.dtype(value)));
    return t.add("Mul", {value, t.add("Pow", {size, t.number_like(power, value)})});
}

inline SymExpr count_of(const Sizes& sizes, const std::vector<std::int64_t>& dims) {
    SymExpr count = 1;
    for (const std::int64_t dim : dims) count = count * sizes[static_cast<std::size_t>(dim)];
    return count;
}

FERRY_INLINE Ref fft_r2c::translate(Translation& t) {
    const Ref self = t.operand("self", t.result_dtype());
    const auto dims = t.dims("dim", t.rank(self));
    const bool halved = t.flag("onesided");
    Ref value = transformed(t, t.unsqueeze(self, {t.rank(self)}), dims.back(), {.halved = halved});
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) value = transformed(t, value, dims[i], {});
    return normalized(t, value, count_of(t.sizes(self), dims), false);
}
FERRY_INLINE Ref fft_c2c::translate(Translation& t) {
    Ref value = t.tensor("self");
    const bool inverse = !t.flag("forward");
    const auto dims = t.dims("dim", t.result_rank());
    for (const std::int64_t dim : dims) value = transformed(t, value, dim, {.inverse = inverse});
    return normalized(t, value, count_of(t.result_sizes(), dims), inverse);
}
/// The half that is not there is the mirror of the one that is, conjugate.
FERRY_INLINE Ref fft_c2r::translate(Translation& t) {
    Ref value = t.tensor("self");
    const auto dims = t.dims("dim", t.result_rank());
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) value = transformed(t, value, dims[i], {.inverse = true});
    const std::int64_t last = dims.back();
    const SymExpr size = t.symbolic("last_dim_size");
    const Ref from = t.size(floor_div(size - SymExpr(1), 2));
    const Ref mirror = t.slice(value, last, from, t.ints({0}), -1);
    const Ref conjugate = t.pair(t.real_part(mirror), t.add("Neg", {t.imaginary_part(mirror)}));
    const Ref whole = t.add("Concat", {value, conjugate}, {{"axis", last}});
    const Ref back = t.real_part(transformed(t, whole, last, {.inverse = true}));
    return normalized(t, back, count_of(t.result_sizes(), dims), true);
}

}  // namespace ferry::onnx::translated
