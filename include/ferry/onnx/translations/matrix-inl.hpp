#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/arithmetic-inl.hpp>
#include <ferry/onnx/translations/matrix.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::onnx::translated {

/// beta * added + alpha * (a x b): one node for two dimensions of floating-point numbers, else several.
inline Ref product_added(Translation& t, std::string_view first, std::string_view second) {
    const DType dtype = t.result_dtype();
    const Ref a = t.operand(first, dtype), b = t.operand(second, dtype), added = t.operand("self", dtype);
    if (t.rank(a) == 2 && t.rank(b) == 2 && is_floating_point(dtype) && t.argument("beta") != Argument(0)) {
        std::vector<Attribute> attributes;
        if (const double alpha = t.real("alpha"); alpha != 1) attributes.emplace_back("alpha", alpha);
        if (const double beta = t.real("beta"); beta != 1) attributes.emplace_back("beta", beta);
        return t.add("Gemm", {a, b, added}, std::move(attributes));
    }
    const Ref product = scaled(t, t.add("MatMul", {a, b}), "alpha");
    if (t.argument("beta") == Argument(0)) return t.with_sizes(product, t.result_sizes());  // then NaNs do not spread
    return t.add("Add", {scaled(t, added, "beta"), product});
}

FERRY_INLINE Ref matmul::translate(Translation& t) {
    const bool by_name = t.node().op() == "aten::mv", is_dot = t.node().op() == "aten::dot";
    const DType dtype = t.result_dtype();
    return t.add("MatMul", {t.operand("self", dtype), t.operand(by_name ? "vec" : is_dot ? "tensor" : "other", dtype)});
}
FERRY_INLINE Ref mm::translate(Translation& t) { return t.add("MatMul", {t.tensor("self"), t.tensor("mat2")}); }
FERRY_INLINE Ref linear::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    const Ref input = t.operand("input", dtype), weight = t.operand("weight", dtype);
    const Ref bias = t.has("bias") ? t.operand("bias", dtype) : Ref();
    if (t.rank(input) == 2 && t.rank(weight) == 2 && is_floating_point(dtype)) {
        std::vector<Ref> inputs{input, weight};
        if (bias) inputs.push_back(bias);
        return t.add("Gemm", std::move(inputs), {{"transB", 1}});
    }
    const Ref turned = t.rank(weight) < 2 ? weight : t.transpose(weight, 0, 1);
    const Ref product = t.add("MatMul", {input, turned});
    return bias ? t.add("Add", {product, bias}) : product;
}
FERRY_INLINE Ref addmm::translate(Translation& t) { return product_added(t, "mat1", "mat2"); }
FERRY_INLINE Ref baddbmm::translate(Translation& t) { return product_added(t, "batch1", "batch2"); }
FERRY_INLINE Ref addbmm::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    const Ref products = t.add("MatMul", {t.operand("batch1", dtype), t.operand("batch2", dtype)});
    const Ref sum = t.add("ReduceSum", {products, t.ints({0})}, {{"keepdims", 0}});
    return t.add("Add", {scaled(t, t.operand("self", dtype), "beta"), scaled(t, sum, "alpha")});
}
FERRY_INLINE Ref addmv::translate(Translation& t) { return product_added(t, "mat", "vec"); }
FERRY_INLINE Ref outer::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    return t.add("Mul", {t.unsqueeze(t.operand("self", dtype), {1}), t.operand("vec2", dtype)});
}
/// libtorch lets a size of one stand for the size that another operand has under the same letter.
inline void grow_ones(Translation& t, std::vector<Ref>& operands, std::string_view equation) {
    std::vector<std::string> labels(1);
    for (const char each : equation.substr(0, equation.find('-')))
        if (each == ',')
            labels.emplace_back();
        else if (each != ' ')
            labels.back() += each;
    if (labels.size() != operands.size() || equation.find('.') != equation.npos) return;
    std::map<char, SymExpr> sizes;
    for (std::size_t i = 0; i < operands.size(); ++i)
        for (std::size_t dim = 0; dim < labels[i].size(); ++dim)
            if (const SymExpr& size = t.sizes(operands[i]).at(dim); !size.is_constant(1))
                sizes.try_emplace(labels[i][dim], size);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        Sizes grown = t.sizes(operands[i]);
        for (std::size_t dim = 0; dim < grown.size(); ++dim)
            if (const auto found = sizes.find(labels[i][dim]); found != sizes.end()) grown[dim] = found->second;
        if (grown != t.sizes(operands[i])) operands[i] = t.expand(operands[i], grown);
    }
}
/// Whole: libtorch's own parts of it depend on which sizes are one.
FERRY_INLINE Ref einsum::translate(Translation& t) { return of(t, t.tensors("tensors")); }
FERRY_INLINE Ref einsum::of(Translation& t, std::vector<Ref> operands) {
    for (Ref& each : operands) each = t.cast(each, t.result_dtype());
    const std::string equation = t.text("equation");
    grow_ones(t, operands, equation);
    return t.add("Einsum", std::move(operands), {{"equation", equation}});
}
FERRY_INLINE void determinant::translate(Translation& t) {
    if (t.is_wanted(1) || t.is_wanted(2)) t.refuse("the factors that a determinant is computed by are used");
    t.result(t.add("Det", {t.tensor("A")}), 0);
}

/// Row by row input1 * matrix * input2, for each of several matrices: two products, the first with all matrices side by side.
FERRY_INLINE Ref bilinear::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    const Ref weight = t.operand("weight", dtype), second = t.operand("input2", dtype);
    const Sizes& sizes = t.sizes(weight);
    const Ref beside = t.reshape(t.transpose(weight, 0, 1), {sizes[1], sizes[0] * sizes[2]});
    const Ref first = t.add("MatMul", {t.operand("input1", dtype), beside});
    Sizes apart = t.result_sizes();
    apart.push_back(sizes[2]);
    const Ref column = t.unsqueeze(second, {t.rank(second)});
    const Ref made = t.add("Squeeze", {t.add("MatMul", {t.reshape(first, apart), column}), t.ints({-1})});
    return t.has("bias") ? t.add("Add", {made, t.operand("bias", dtype)}) : made;
}

}  // namespace ferry::onnx::translated
