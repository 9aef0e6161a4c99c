#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/embedding.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ferry::onnx::translated {

FERRY_INLINE Ref embedding::translate(Translation& t) {
    return t.add("Gather", {t.tensor("weight"), t.tensor("indices")});
}

inline Ref bag_of_each(Translation& t, Ref indices) {
    Ref starts = t.operand("offsets", DType::int64);
    if (t.flag("include_last_offset"))
        starts = t.with_sizes(t.slice(starts, 0, t.ints({0}), t.ints({-1})), {t.result_sizes()[0]});
    const Ref before = places_among(t, starts, counted(t, t.sizes(indices)[0]), /*right=*/true);
    const Ref bag = t.add("Sub", {before, t.number(1, DType::int64)});
    return t.unsqueeze(t.like(bag, indices), {1});
}
/// Every row goes to the bag whose start is the last one before it, by a ScatterND that adds or takes the largest.
FERRY_INLINE void embedding_bag::translate(Translation& t) {
    constexpr std::int64_t mean = 1, largest = 2;
    for (std::size_t i = 1; i < t.num_results(); ++i)
        if (t.is_wanted(i)) t.refuse("what a bag of embeddings gives beside the embeddings is used");
    const std::int64_t mode = t.integer("mode");
    const DType dtype = t.wide(t.result_dtype());
    const Ref indices = t.operand("indices", DType::int64);
    const Ref bags = bag_of_each(t, indices);
    Ref rows = t.add("Gather", {t.operand("weight", dtype), indices});
    if (t.has("per_sample_weights"))
        rows = t.add("Mul", {rows, t.unsqueeze(t.operand("per_sample_weights", dtype), {1})});
    const Ref padding = t.number(t.integer("padding_idx"), DType::int64);
    const Ref counts = t.unsqueeze(t.like(t.add("Not", {t.add("Equal", {indices, padding})}), indices), {1});
    const Ref nothing = t.number(mode == largest ? -std::numeric_limits<double>::infinity() : 0.0, dtype);
    rows = t.add("Where", {counts, rows, nothing});
    const Ref start = t.expand(nothing, t.result_sizes());
    const Ref made = t.add("ScatterND", {start, bags, rows}, {{"reduction", mode == largest ? "max" : "add"}});
    if (mode != mean && mode != largest) return t.result(made);
    const Ref zeros = t.filled({t.result_sizes()[0], SymExpr(1)}, 0, dtype);
    const Ref count = t.add("ScatterND", {zeros, bags, t.cast(counts, dtype)}, {{"reduction", "add"}});
    if (mode == mean) return t.result(t.add("Div", {made, t.add("Max", {count, t.number(1, dtype)})}));
    const Ref is_empty = t.add("Equal", {count, t.number(0, dtype)});
    t.result(t.add("Where", {is_empty, t.number(0, dtype), made}));
}

}  // namespace ferry::onnx::translated
