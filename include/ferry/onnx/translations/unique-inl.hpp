#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/unique.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// What was found, where each number is among it, and how often it was there. The last two are empty where they are not asked for.
inline void set_found(Translation& t, Ref values, Ref places, Ref counts) {
    t.result(values, 0);
    for (std::size_t position = 1; position < t.num_results(); ++position) {
        const Ref part = position == 1 ? places : counts;
        const Sizes& wanted = t.result_sizes(position);
        const bool is_vector = wanted.size() == 1;
        if (is_vector && wanted[0].is_constant(0))
            t.result(t.filled(wanted, 0, DType::int64), position);
        else
            t.result(is_vector ? part : t.reshape(part, wanted), position);
    }
}
inline void sorted_unique(Translation& t, Ref self, std::vector<Attribute> attributes) {
    attributes.emplace_back("sorted", 1);
    const auto made = t.add_many("Unique", {self}, std::move(attributes), 4);
    set_found(t, made[0], made[2], made[3]);
}
FERRY_INLINE void unique::translate(Translation& t) { sorted_unique(t, flattened(t, t.tensor("self")), {}); }
FERRY_INLINE void unique_dim::translate(Translation& t) {
    const Ref self = t.tensor("self");
    sorted_unique(t, self, {{"axis", t.dim("dim", t.rank(self))}});
}

/// Where a row differs from the one before it: one condition for each.
inline Ref differs_from_last(Translation& t, Ref self, std::int64_t dim) {
    const Ref rest = t.slice(self, dim, t.ints({0}), t.ints({-1}));
    const Ref shifted = t.add("Concat", {t.slice(self, dim, t.ints({0}), t.ints({1})), rest}, {{"axis", dim}});
    Ref differs = t.add("Not", {t.add("Equal", {self, shifted})});
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < t.rank(self); ++i)
        if (i != dim) others.push_back(i);
    if (!others.empty())
        differs = t.cast(t.add("ReduceMax", {t.cast(differs, DType::int32), t.ints(others)}, {{"keepdims", 0}}),
                         DType::boolean);
    const Ref positions = counted(t, t.sizes(self)[static_cast<std::size_t>(dim)]);
    return t.add("Or", {differs, t.add("Equal", {positions, t.number(0, DType::int64)})});
}
inline void runs_along(Translation& t, Ref self, std::int64_t dim) {
    const SymExpr length = t.sizes(self)[static_cast<std::size_t>(dim)];
    const Ref is_new = differs_from_last(t, self, dim);
    const Ref starts = t.add("Squeeze", {t.add("NonZero", {is_new}), t.ints({0})});
    const Ref ends =
        t.add("Concat", {t.slice(starts, 0, t.ints({1}), t.ints({to_the_end})), t.size(length)}, {{"axis", 0}});
    const Ref sums = t.add("CumSum", {t.cast(is_new, DType::int64), t.number(0, DType::int64)});
    const Ref places = t.add("Sub", {sums, t.number(1, DType::int64)});
    set_found(t, t.add("Gather", {self, starts}, {{"axis", dim}}), places, t.add("Sub", {ends, starts}));
}
FERRY_INLINE void unique_consecutive::translate(Translation& t) {
    const Ref self = t.tensor("self");
    if (!t.has("dim")) return runs_along(t, flattened(t, self), 0);
    runs_along(t, self, t.dim("dim", t.rank(self)));
}

}  // namespace ferry::onnx::translated
