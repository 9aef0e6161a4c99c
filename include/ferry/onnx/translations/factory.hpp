#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <string_view>

/// Tensors made from numbers.
namespace ferry::onnx {
namespace translated {

inline Ref filled_with(Translation& t, const c10::Scalar& value) {
    return t.filled(t.result_sizes(), value, t.result_dtype());
}
struct zeros {
    /// What empty memory holds is nobody's business; zeros are as good as anything.
    static constexpr auto target =
        op("aten::zeros", "aten::zeros_like", "aten::new_zeros", "aten::zero", "aten::empty.memory_format",
           "aten::empty_like", "aten::new_empty", "aten::empty_permuted", "aten::empty_strided");
    static Ref translate(Translation& t) { return filled_with(t, 0); }
};
struct ones {
    static constexpr auto target = op("aten::ones", "aten::ones_like", "aten::new_ones");
    static Ref translate(Translation& t) { return filled_with(t, 1); }
};
inline Ref filled_by(Translation& t, std::string_view name) {
    const Argument value = t.argument(name);
    if (const auto* number = value.get_if<std::int64_t>()) return filled_with(t, *number);
    if (const auto* number = value.get_if<double>()) return filled_with(t, *number);
    if (const auto* flag = value.get_if<bool>()) return filled_with(t, *flag);
    return t.expand(t.operand(name, t.result_dtype()), t.result_sizes());
}
struct full {
    static constexpr auto target = op("aten::full", "aten::full_like", "aten::new_full");
    static Ref translate(Translation& t) { return filled_by(t, "fill_value"); }
};
struct fill {
    static constexpr auto target = op("aten::fill.Scalar", "aten::fill.Tensor");
    static Ref translate(Translation& t) { return filled_by(t, "value"); }
};
struct scalar_tensor {
    static constexpr auto target = op("aten::scalar_tensor");
    static Ref translate(Translation& t) { return t.operand("s", t.result_dtype()); }
};

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
struct arange {
    static constexpr auto target = op("aten::arange", "aten::arange.start", "aten::arange.start_step");
    static Ref translate(Translation& t) {
        const bool from_zero = t.node().op() == "aten::arange";
        return numbers(t, from_zero ? "" : "start", t.node().op() == "aten::arange.start_step" ? "step" : "");
    }
};

}  // namespace translated

using factory_translations = translations<translated::zeros, translated::ones, translated::full, translated::fill,
                                          translated::scalar_tensor, translated::arange>;

}  // namespace ferry::onnx
