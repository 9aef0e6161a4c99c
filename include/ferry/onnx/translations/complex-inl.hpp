#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/arithmetic-inl.hpp>
#include <ferry/onnx/translations/complex.hpp>
#include <ferry/onnx/translations/matrix-inl.hpp>

#include <complex>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// An operand of a complex op; a real one has no imaginary part.
struct Parts {
    Ref real;
    Ref imaginary{};
};

inline Parts parts_of(Translation& t, std::string_view name) {
    const Argument given = t.argument(name);
    if (const auto* number = given.get_if<std::complex<double>>())
        return {t.number(number->real(), t.result_dtype()), t.number(number->imag(), t.result_dtype())};
    const auto* value = given.get_if<Value>();
    if (value == nullptr || !is_complex_value(t.graph(), *value)) return {t.operand(name, t.result_dtype())};
    const Ref whole = t.cast(t.tensor(name), t.result_dtype());
    return {t.real_part(whole), t.imaginary_part(whole)};
}
/// Both broadcast to the result's sizes.
inline Ref joined(Translation& t, Ref real, Ref imaginary) {
    return t.pair(t.expand(real, t.result_sizes()), t.expand(imaginary, t.result_sizes()));
}

/// The same numbers, seen as pairs or not.
FERRY_INLINE Ref view_of_pairs::translate(Translation& t) { return t.tensor("self"); }
FERRY_INLINE Ref conj::translate(Translation& t) {
    const Ref self = t.tensor("self");
    return t.pair(t.real_part(self), t.add("Neg", {t.imaginary_part(self)}));
}
FERRY_INLINE Ref real_part::translate(Translation& t) { return t.real_part(t.tensor("self")); }
FERRY_INLINE Ref imaginary_part::translate(Translation& t) { return t.imaginary_part(t.tensor("self")); }
/// Only the real part is left where the result is real.
FERRY_INLINE Ref cast_complex::translate(Translation& t) {
    const Ref self = t.cast(t.tensor("self"), t.result_dtype());
    const bool was = is_complex_value(t.graph(), *t.argument("self").get_if<Value>());
    const bool is = is_complex(t.result_info().tensor.dtype);
    if (was == is) return self;
    return was ? t.real_part(self) : t.pair(self, t.filled(t.result_sizes(), 0, t.result_dtype()));
}

FERRY_INLINE Ref make_complex::translate(Translation& t) {
    return joined(t, t.operand("real", t.result_dtype()), t.operand("imag", t.result_dtype()));
}
FERRY_INLINE Ref polar::translate(Translation& t) {
    const Ref length = t.operand("abs", t.result_dtype()), angle = t.operand("angle", t.result_dtype());
    return t.pair(t.add("Mul", {length, t.add("Cos", {angle})}), t.add("Mul", {length, t.add("Sin", {angle})}));
}
FERRY_INLINE Ref complex_abs::translate(Translation& t) {
    return t.add("ReduceL2", {t.tensor("self"), t.ints({-1})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref complex_angle::translate(Translation& t) {
    const Ref self = t.tensor("self");
    return angle_of(t, t.imaginary_part(self), t.real_part(self));
}
FERRY_INLINE Ref complex_exp::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const Ref length = t.add("Exp", {t.real_part(self)}), angle = t.imaginary_part(self);
    return t.pair(t.add("Mul", {length, t.add("Cos", {angle})}), t.add("Mul", {length, t.add("Sin", {angle})}));
}

/// By the op that multiplies real numbers, or matrices of them.
inline Ref product(Translation& t, std::string_view op, const Parts& a, const Parts& b) {
    const auto times = [&](Ref x, Ref y) { return t.add(op, {x, y}); };
    if (!b.imaginary) return t.pair(times(a.real, b.real), times(a.imaginary, b.real));
    if (!a.imaginary) return t.pair(times(a.real, b.real), times(a.real, b.imaginary));
    return t.pair(t.add("Sub", {times(a.real, b.real), times(a.imaginary, b.imaginary)}),
                  t.add("Add", {times(a.real, b.imaginary), times(a.imaginary, b.real)}));
}
FERRY_INLINE Ref complex_mul::translate(Translation& t) {
    return product(t, "Mul", parts_of(t, "self"), parts_of(t, "other"));
}
FERRY_INLINE Ref complex_matmul::translate(Translation& t) {
    const bool is_matmul = t.node().op() == "aten::matmul";
    return product(t, "MatMul", parts_of(t, "self"), parts_of(t, is_matmul ? "other" : "mat2"));
}
/// a / b is a times the conjugate of b, over the square of b's length.
FERRY_INLINE Ref complex_div::translate(Translation& t) {
    const Parts a = parts_of(t, "self"), b = parts_of(t, "other");
    if (!b.imaginary) return t.pair(t.add("Div", {a.real, b.real}), t.add("Div", {a.imaginary, b.real}));
    const Ref square = t.add("Add", {t.add("Mul", {b.real, b.real}), t.add("Mul", {b.imaginary, b.imaginary})});
    const Parts over{t.add("Div", {b.real, square}), t.add("Div", {t.add("Neg", {b.imaginary}), square})};
    return product(t, "Mul", a, over);
}

FERRY_INLINE Ref complex_ones::translate(Translation& t) {
    return joined(t, t.number(1, t.result_dtype()), t.number(0, t.result_dtype()));
}
inline Ref filled_with_complex(Translation& t, std::string_view name) {
    const Parts filling = parts_of(t, name);
    return joined(t, filling.real, filling.imaginary ? filling.imaginary : t.number(0, t.result_dtype()));
}
FERRY_INLINE Ref complex_full::translate(Translation& t) { return filled_with_complex(t, "fill_value"); }
FERRY_INLINE Ref complex_fill::translate(Translation& t) { return filled_with_complex(t, "value"); }

inline void add_einsum_terms(Translation& t, const std::vector<Parts>& operands, const std::vector<Ref>& chosen,
                             int power, Parts& sums) {
    if (chosen.size() == operands.size()) {
        const Ref term = einsum::of(t, chosen);
        Ref& sum = power % 2 == 0 ? sums.real : sums.imaginary;
        const bool is_negative = power % 4 >= 2;
        sum = sum ? t.add(is_negative ? "Sub" : "Add", {sum, term}) : is_negative ? t.add("Neg", {term}) : term;
        return;
    }
    const Parts& next = operands[chosen.size()];
    for (const Ref part : {next.real, next.imaginary}) {
        if (!part) continue;
        std::vector<Ref> more = chosen;
        more.push_back(part);
        add_einsum_terms(t, operands, more, power + (part == next.imaginary ? 1 : 0), sums);
    }
}

/// The sum over all choices of a part of each operand, of which so many imaginary ones make a power of i.
FERRY_INLINE Ref complex_einsum::translate(Translation& t) {
    std::vector<Parts> operands;
    for_each_value(t.argument("tensors"), [&](Value value) {
        const Ref whole = t.cast(t.ref(value), t.result_dtype());
        const bool is_real = !is_complex_value(t.graph(), value);
        operands.push_back(is_real ? Parts{whole} : Parts{t.real_part(whole), t.imaginary_part(whole)});
    });
    Parts sums;
    add_einsum_terms(t, operands, {}, 0, sums);
    return joined(t, sums.real, sums.imaginary);
}

}  // namespace ferry::onnx::translated
