#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/factory.hpp>

#include <string_view>

namespace ferry::onnx::translated {

inline Ref filled_with(Translation& t, const c10::Scalar& value) {
    return t.filled(t.result_sizes(), value, t.result_dtype());
}
/// What empty memory holds is nobody's business; zeros are as good as anything.
FERRY_INLINE Ref zeros::translate(Translation& t) { return filled_with(t, 0); }
FERRY_INLINE Ref ones::translate(Translation& t) { return filled_with(t, 1); }
inline Ref filled_by(Translation& t, std::string_view name) {
    const Argument value = t.argument(name);
    if (const auto* number = value.get_if<std::int64_t>()) return filled_with(t, *number);
    if (const auto* number = value.get_if<double>()) return filled_with(t, *number);
    if (const auto* flag = value.get_if<bool>()) return filled_with(t, *flag);
    return t.expand(t.operand(name, t.result_dtype()), t.result_sizes());
}
FERRY_INLINE Ref full::translate(Translation& t) { return filled_by(t, "fill_value"); }
FERRY_INLINE Ref fill::translate(Translation& t) { return filled_by(t, "value"); }
FERRY_INLINE Ref scalar_tensor::translate(Translation& t) { return t.operand("s", t.result_dtype()); }

/// Whole numbers by Range; others by their number, which rounding of the ends must not change.
inline Ref numbers(Translation& t, std::string_view start, std::string_view step) {
    const SymExpr count = t.result_sizes().at(0);
    const DType dtype = t.result_dtype();
    const Argument first = start.empty() ? Argument(0) : t.argument(start);
    const Argument stride = step.empty() ? Argument(1) : t.argument(step);
    const DType computed = !is_floating_point(dtype) && !first.is<double>() && !stride.is<double>() ? DType::int64
                           : dtype == DType::float64                                                ? DType::float64
                                                                                                    : DType::float32;
    Ref made = t.cast(counted(t, count), computed);
    if (stride != Argument(1) && stride != Argument(1.0)) made = t.add("Mul", {made, t.operand(step, computed)});
    if (first != Argument(0) && first != Argument(0.0)) made = t.add("Add", {made, t.operand(start, computed)});
    return made;
}
FERRY_INLINE Ref arange::translate(Translation& t) {
    const bool from_zero = t.node().op() == "aten::arange";
    return numbers(t, from_zero ? "" : "start", t.node().op() == "aten::arange.start_step" ? "step" : "");
}

}  // namespace ferry::onnx::translated
