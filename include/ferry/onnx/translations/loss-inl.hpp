#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/loss.hpp>

#include <cstdint>

namespace ferry::onnx::translated {

/// torch's numbers for reductions: none, the mean, the sum.
inline Ref reduced_loss(Translation& t, Ref losses) {
    const std::int64_t reduction = t.integer("reduction");
    if (reduction == 0) return losses;
    return t.add(reduction == 1 ? "ReduceMean" : "ReduceSum", {losses}, {{"keepdims", 0}});
}

/// How far each class comes within the margin of the right one.
FERRY_INLINE Ref multi_margin_loss::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    Ref self = t.operand("self", dtype), right = t.tensor("target");
    const bool is_batch = t.rank(self) == 2;
    if (!is_batch) self = t.unsqueeze(self, {0});
    if (t.rank(right) == 0) right = t.unsqueeze(right, {0});
    const SymExpr classes = t.sizes(self)[1];
    const Ref column = t.unsqueeze(right, {1});
    const Ref score = t.add("GatherElements", {self, column}, {{"axis", 1}});
    const Ref apart = t.add("Sub", {t.add("Add", {self, t.factor("margin", dtype)}), score});
    Ref within = t.add("Max", {apart, t.number(0, dtype)});
    if (t.integer("p") == 2) within = t.add("Mul", {within, within});
    if (t.has("weight")) within = t.add("Mul", {within, t.add("Gather", {t.operand("weight", dtype), column})});
    within = t.add("Where", {t.add("Equal", {column, counted(t, classes)}), t.number(0, dtype), within});
    const Ref sums = t.add("ReduceSum", {within, t.ints({1})}, {{"keepdims", 0}});
    const Ref losses = t.add("Div", {sums, t.cast(t.size(classes), dtype)});
    return reduced_loss(t, is_batch || t.integer("reduction") != 0 ? losses : t.scalar_of(losses));
}

}  // namespace ferry::onnx::translated
