#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/distance.hpp>
#include <ferry/onnx/translations/indexing-inl.hpp>
#include <ferry/onnx/translations/reduction-inl.hpp>

#include <cstdint>
#include <vector>

namespace ferry::onnx::translated {

/// All pairs of rows, by their differences: exact where the points are close.
inline Ref distances(Translation& t, Ref from, Ref to, double order) {
    const Ref row = t.unsqueeze(from, {t.rank(from) - 1}), column = t.unsqueeze(to, {t.rank(to) - 2});
    const Ref apart = t.with_sizes(t.add("Sub", {row, column}), broadcast(t.sizes(row), t.sizes(column)));
    return norm_of(t, apart, order, {{t.rank(apart) - 1}, false, false});
}
FERRY_INLINE Ref cdist::translate(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    return distances(t, t.operand("x1", dtype), t.operand("x2", dtype), t.real("p"));
}
/// Each pair once: what is above the diagonal.
FERRY_INLINE Ref pdist::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    const Ref all = distances(t, self, self, t.real("p"));
    const Ref row = counted(t, t.sizes(self)[0]);
    const Ref pairs = t.add("NonZero", {t.add("Less", {t.unsqueeze(row, {1}), row})});
    return t.add("GatherND", {all, t.add("Transpose", {pairs}, {{"perm", std::vector<std::int64_t>{1, 0}}})});
}
FERRY_INLINE Ref dist::translate(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref self = t.operand("self", dtype), other = t.operand("other", dtype);
    const Ref apart = t.with_sizes(t.add("Sub", {self, other}), broadcast(t.sizes(self), t.sizes(other)));
    return norm_of(t, apart, t.real("p"), {});
}
/// Parts along one dimension that are longer than the limit are made that long.
FERRY_INLINE Ref renorm::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    const std::int64_t dim = t.dim("dim", t.rank(self));
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < t.rank(self); ++i)
        if (i != dim) others.push_back(i);
    const Ref length = norm_of(t, self, t.real("p"), {others, false, true});
    const Ref limit = t.number_like(t.real("maxnorm"), self);
    constexpr double torch_has = 1e-7;
    const Ref shorter = t.add("Div", {limit, t.add("Add", {length, t.number_like(torch_has, self)})});
    const Ref is_long = t.add("Greater", {length, limit});
    return t.add("Mul", {self, t.add("Where", {is_long, shorter, t.number_like(1, self)})});
}

}  // namespace ferry::onnx::translated
