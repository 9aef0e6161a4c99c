#pragma once

#include <ferry/executorch/portable_kernels.hpp>
#include <ferry/graph/sym_call.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>

/// What a graph computes with numbers that are no tensors, in the words of ExecuTorch's runtime.
namespace ferry::executorch {

/// A number from a tensor.
[[nodiscard]] constexpr bool reads_data(std::string_view op) {
    return op == "aten::_local_scalar_dense" || op == "aten::item";
}

[[nodiscard]] inline bool is_number_op(std::string_view op) {
    return reads_data(op) || op.starts_with("aten::sym_size") || op.starts_with("aten::sym_stride") ||
           op == "aten::sym_numel" || find_sym_call(op) != nullptr;
}

/// A function of one real number that only tensors have: "aten::sqrt.out" of "torch::_sym_sqrt". Empty: it is none.
[[nodiscard]] inline std::string function_of_tensor(std::string_view op) {
    for (const std::string_view space : {"torch::_sym_", "torch::sym_", "math::"})
        if (op.starts_with(space)) {
            std::string kernel = std::string(op.substr(space.size())).append(".out");
            if (has_portable_kernel(kernel)) return "aten::" + kernel;
        }
    return {};
}

/// Empty: there is none.
[[nodiscard]] constexpr std::string_view number_function(std::string_view op) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 18> functions{{
        {"_operator::add", "executorch_prim::add.Scalar"},
        {"_operator::sub", "executorch_prim::sub.Scalar"},
        {"_operator::mul", "executorch_prim::mul.Scalar"},
        {"_operator::floordiv", "executorch_prim::floordiv.Scalar"},
        {"_operator::truediv", "executorch_prim::truediv.Scalar"},
        {"_operator::mod", "executorch_prim::mod.Scalar"},
        {"_operator::neg", "executorch_prim::neg.Scalar"},
        {"_operator::eq", "executorch_prim::eq.Scalar"},
        {"_operator::lt", "executorch_prim::lt.Scalar"},
        {"_operator::le", "executorch_prim::le.Scalar"},
        {"_operator::gt", "executorch_prim::gt.Scalar"},
        {"_operator::ge", "executorch_prim::ge.Scalar"},
        {"torch::sym_float", "executorch_prim::sym_float.Scalar"},
        {"torch::sym_max", "executorch_prim::sym_max.Scalar"},
        {"torch::sym_min", "executorch_prim::sym_min.Scalar"},
        {"math::ceil", "executorch_prim::ceil.Scalar"},
        {"math::trunc", "executorch_prim::trunc.Scalar"},
        {"builtins::round", "executorch_prim::round.Scalar"},
    }};
    for (const auto& [name, function] : functions)
        if (name == op) return function;
    return {};
}

}  // namespace ferry::executorch
