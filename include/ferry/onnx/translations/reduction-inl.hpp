#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/fixed_string.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/reduction.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// Which dimensions go, and whether they stay as ones. Ops without such arguments reduce all.
struct Reduced {
    std::vector<std::int64_t> dims;
    bool all = true;
    bool keep = false;
};
inline Reduced reduced_dims(Translation& t, Ref self, bool has_dims) {
    Reduced how;
    if (!has_dims) return how;
    how.keep = t.flag("keepdim");
    how.dims = t.dims("dim", t.rank(self));
    how.all = how.dims.empty() || static_cast<std::int64_t>(how.dims.size()) == t.rank(self);
    return how;
}
inline Ref reduce(Translation& t, std::string_view op, Ref self, const Reduced& how) {
    if (t.rank(self) == 0) return self;
    std::vector<Attribute> attributes{{"keepdims", std::int64_t{how.keep}}};
    if (how.all) return t.add(op, {self}, std::move(attributes));
    if (t.opset() < 18 && op != "ReduceSum") {
        attributes.emplace_back("axes", how.dims);
        return t.add(op, {self}, std::move(attributes));
    }
    return t.add(op, {self, t.ints(how.dims)}, std::move(attributes));
}
[[nodiscard]] inline SymExpr count_of(Translation& t, Ref self, const Reduced& how) {
    SymExpr count = 1;
    for (std::int64_t dim = 0; dim < t.rank(self); ++dim)
        if (how.all || algo::contains(how.dims, dim)) count = count * t.sizes(self)[static_cast<std::size_t>(dim)];
    return count;
}

/// In the result's dtype: sums of small integers are int64. The mean of nothing is no number.
FERRY_INLINE Ref reduced(Translation& t, std::string_view op, bool has_dims) {
    const Ref self = t.wide_operand("self");
    const Reduced how = reduced_dims(t, self, has_dims);
    if (op == "ReduceMean" && count_of(t, self, how).is_constant(0))
        return t.filled(t.result_sizes(), std::numeric_limits<double>::quiet_NaN(), t.dtype(self));
    return reduce(t, op, self, how);
}

/// By counting: it holds for no numbers at all too.
inline Ref any_of(Translation& t, Ref condition, bool has_dims) {
    const Ref counted = t.cast(condition, DType::int32);
    return t.cast(reduce(t, "ReduceSum", counted, reduced_dims(t, counted, has_dims)), DType::boolean);
}
FERRY_INLINE Ref any::translate(Translation& t) {
    return any_of(t, t.operand("self", DType::boolean), t.node().op() != "aten::any");
}
FERRY_INLINE Ref all::translate(Translation& t) {
    const bool has_dims = t.node().op() != "aten::all" && t.node().op() != "aten::_is_all_true";
    const Ref self = t.operand("self", DType::boolean);
    return t.add("Not", {any_of(t, t.like(t.add("Not", {self}), self), has_dims)});
}

inline void extreme_and_place(Translation& t, std::string_view extreme, std::string_view place) {
    const Ref self = t.tensor("self");
    if (t.rank(self) == 0) {
        t.result(self, 0);
        return t.result(t.number(0, DType::int64), 1);
    }
    const Reduced how = reduced_dims(t, self, true);
    if (t.is_wanted(0)) t.result(reduce(t, extreme, self, {how.dims, false, how.keep}), 0);
    if (t.is_wanted(1))
        t.result(t.add(place, {self}, {{"axis", how.dims[0]}, {"keepdims", std::int64_t{how.keep}}}), 1);
}
FERRY_INLINE void max_dim::translate(Translation& t) { extreme_and_place(t, "ReduceMax", "ArgMax"); }
FERRY_INLINE void min_dim::translate(Translation& t) { extreme_and_place(t, "ReduceMin", "ArgMin"); }
inline Ref place_of(Translation& t, std::string_view op) {
    const Ref self = t.tensor("self");
    if (t.rank(self) == 0) return t.number(0, DType::int64);
    if (t.has("dim"))
        return t.add(op, {self}, {{"axis", t.dim("dim", t.rank(self))}, {"keepdims", std::int64_t{t.flag("keepdim")}}});
    const Ref flat = t.add("Reshape", {self, t.ints({-1})});
    return t.reshape(t.with_sizes(t.add(op, {flat}, {{"axis", 0}, {"keepdims", 0}}), {}), t.result_sizes());
}
FERRY_INLINE Ref argmax::translate(Translation& t) { return place_of(t, "ArgMax"); }
FERRY_INLINE Ref argmin::translate(Translation& t) { return place_of(t, "ArgMin"); }

inline Ref variance(Translation& t) {
    const Ref self = t.wide_operand("self");
    const Reduced how = reduced_dims(t, self, true);
    const double correction = t.has("correction") ? t.real("correction") : 1;
    const Ref mean = reduce(t, "ReduceMean", self, {how.dims, how.all, true});
    const Ref apart = t.like(t.add("Sub", {self, mean}), self);
    const Ref total = reduce(t, "ReduceSumSquare", apart, how);
    const Ref count = t.cast(t.scalar_of(t.size(count_of(t, self, how))), t.dtype(self));
    const Ref left = t.add("Sub", {count, t.number_like(correction, self)});
    return t.add("Div", {total, t.add("Max", {left, t.number_like(0, self)})});
}
FERRY_INLINE Ref var::translate(Translation& t) { return variance(t); }
FERRY_INLINE Ref std_dev::translate(Translation& t) { return t.add("Sqrt", {variance(t)}); }
inline Ref norm_of(Translation& t, Ref self, double order, const Reduced& how) {
    const auto abs = [&] { return t.like(t.add("Abs", {self}), self); };
    if (t.rank(self) == 0 && order != 0) return abs();
    if (order == 2) return reduce(t, "ReduceL2", self, how);
    if (order == 1) return reduce(t, "ReduceL1", self, how);
    if (std::isinf(order)) return reduce(t, order > 0 ? "ReduceMax" : "ReduceMin", abs(), how);
    if (order == 0) {
        const Ref differs = t.add("Not", {t.add("Equal", {self, t.number_like(0, self)})});
        return reduce(t, "ReduceSum", t.like(t.cast(differs, t.dtype(self)), self), how);
    }
    const Ref powers = t.like(t.add("Pow", {abs(), t.number_like(order, self)}), self);
    return t.add("Pow", {reduce(t, "ReduceSum", powers, how), t.number_like(1 / order, self)});
}
FERRY_INLINE Ref vector_norm::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    return norm_of(t, self, t.real("ord"), reduced_dims(t, self, true));
}
/// ONNX Runtime's ReduceLogSumExp makes a NaN of infinite numbers.
FERRY_INLINE Ref logsumexp::translate(Translation& t) {
    const Ref self = t.wide_operand("self");
    const Reduced how = reduced_dims(t, self, true), kept{how.dims, how.all, true};
    const Ref largest = reduce(t, "ReduceMax", self, kept);
    const Ref offset = t.add("Where", {t.add("IsInf", {largest}), t.number_like(0, self), largest});
    const Ref powers = t.like(t.add("Exp", {t.add("Sub", {self, offset})}), self);
    const Ref made = t.add("Add", {t.add("Log", {reduce(t, "ReduceSum", powers, kept)}), offset});
    return how.keep ? made : t.reshape(made, t.result_sizes());
}
inline Ref softened(Translation& t, std::string_view op) {
    const Ref self = t.wide_operand("self");
    const bool is_single = t.rank(self) == 0;
    const Ref given = is_single ? t.unsqueeze(self, {0}) : self;
    const Ref made = t.add(op, {given}, {{"axis", t.dim("dim", t.rank(given))}});
    return is_single ? t.add("Squeeze", {made}) : made;
}
FERRY_INLINE Ref softmax::translate(Translation& t) { return softened(t, "Softmax"); }
FERRY_INLINE Ref log_softmax::translate(Translation& t) { return softened(t, "LogSoftmax"); }

}  // namespace ferry::onnx::translated
