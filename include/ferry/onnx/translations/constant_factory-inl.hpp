#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/constant_factory.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>

namespace ferry::onnx::translated {

/// On the CPU, wherever the program has its tensors.
inline Ref evaluated(Translation& t) {
    const auto op = find_op(t.node().op());
    const auto no_tensor = [&](Value) -> c10::IValue { t.refuse("a number that only a run gives"); };
    torch::jit::Stack stack;
    for (const c10::Argument& each : op->schema().arguments()) {
        const Argument given = each.name() == "device" ? Argument() : t.argument(each.name());
        stack.push_back(to_ivalue(given, *each.real_type(), no_tensor));
    }
    op->callBoxed(stack);
    return t.constant(stack.front().toTensor());
}

FERRY_INLINE Ref window::translate(Translation& t) { return evaluated(t); }
FERRY_INLINE Ref constant_numbers::translate(Translation& t) { return evaluated(t); }

/// Row by row the places of a triangle, as NonZero finds them.
FERRY_INLINE Ref triangle_places::translate(Translation& t) {
    const SymExpr rows = t.symbolic("row"), columns = t.symbolic("col");
    if (rows.is_constant() && columns.is_constant()) return evaluated(t);
    const Ref row = t.add("Add", {t.unsqueeze(counted(t, rows), {1}), t.number(t.integer("offset"), DType::int64)});
    const bool is_lower = t.node().op() == "aten::tril_indices";
    return t.add("NonZero", {t.add(is_lower ? "GreaterOrEqual" : "LessOrEqual", {row, counted(t, columns)})});
}

}  // namespace ferry::onnx::translated
