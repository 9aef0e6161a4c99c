#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <ATen/core/stack.h>

/// Tensors made from constant numbers alone: libtorch makes them while the model is written.
namespace ferry::onnx {
namespace translated {

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

struct window {
    static constexpr auto target =
        op("aten::hann_window", "aten::hann_window.periodic", "aten::hamming_window", "aten::hamming_window.periodic",
           "aten::hamming_window.periodic_alpha", "aten::hamming_window.periodic_alpha_beta", "aten::blackman_window",
           "aten::blackman_window.periodic", "aten::bartlett_window", "aten::bartlett_window.periodic",
           "aten::kaiser_window", "aten::kaiser_window.periodic", "aten::kaiser_window.beta");
    static Ref translate(Translation& t) { return evaluated(t); }
};
struct constant_numbers {
    static constexpr auto target = op("aten::logspace", "aten::fft_fftfreq", "aten::fft_rfftfreq");
    static Ref translate(Translation& t) { return evaluated(t); }
};

/// Row by row the places of a triangle, as NonZero finds them.
struct triangle_places {
    static constexpr auto target = op("aten::tril_indices", "aten::triu_indices");
    static Ref translate(Translation& t) {
        const SymExpr rows = t.symbolic("row"), columns = t.symbolic("col");
        if (rows.is_constant() && columns.is_constant()) return evaluated(t);
        const Ref row = t.add("Add", {t.unsqueeze(counted(t, rows), {1}), t.number(t.integer("offset"), DType::int64)});
        const bool is_lower = t.node().op() == "aten::tril_indices";
        return t.add("NonZero", {t.add(is_lower ? "GreaterOrEqual" : "LessOrEqual", {row, counted(t, columns)})});
    }
};

}  // namespace translated

using constant_factory_translations =
    translations<translated::window, translated::constant_numbers, translated::triangle_places>;

}  // namespace ferry::onnx
