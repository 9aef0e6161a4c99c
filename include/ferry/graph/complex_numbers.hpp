#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/scalar_types.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// ONNX Runtime has no complex numbers, and ExecuTorch's few kernels: they lie in a model as pairs of real ones, along a last dimension
/// of two. An entry for an op on them has the op's name in the namespace `complex`: `complex::mul.Tensor`. Ops that do the same to either
/// part need none.
namespace ferry {

/// What the numbers of a tensor are in a model.
[[nodiscard]] constexpr DType stored_dtype(DType dtype) noexcept {
    switch (dtype) {
        case DType::complex32: return DType::float16;
        case DType::complex64: return DType::float32;
        case DType::complex128: return DType::float64;
        default: return dtype;
    }
}

[[nodiscard]] inline std::vector<SymExpr> stored_sizes(const TensorMeta& meta) {
    std::vector<SymExpr> sizes = meta.sizes;
    if (is_complex(meta.dtype)) sizes.emplace_back(2);
    return sizes;
}

[[nodiscard]] inline bool is_complex_value(const Graph& graph, Value value) {
    const ValueInfo& info = graph.info(value);
    return info.kind == ValueKind::tensor && is_complex(info.tensor.dtype);
}

[[nodiscard]] inline bool is_on_complex(const Graph& graph, const Node& node) {
    bool found = false;
    for (const NamedArgument& argument : node.arguments())
        for_each_value(argument.value, [&](Value value) { found = found || is_complex_value(graph, value); });
    for (const Output& output : node.outputs())
        for (const Value value : output.values) found = found || (value && is_complex_value(graph, value));
    return found;
}

[[nodiscard]] inline bool has_complex_values(const Graph& graph) {
    for (std::uint32_t i = 0; i < graph.num_values(); ++i)
        if (is_complex_value(graph, {i})) return true;
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        if (has_complex_values(graph.subgraph({i}))) return true;
    return false;
}

[[nodiscard]] inline std::string complex_name(std::string_view op) {
    return "complex::" + std::string(op.substr(op.find("::") + 2));
}

/// To the real parts what to the imaginary ones: sums, and all that only moves numbers.
[[nodiscard]] inline bool acts_on_parts(std::string_view op) {
    static constexpr auto ops = std::to_array<std::string_view>({"aten::add.Tensor",
                                                                 "aten::add.Scalar",
                                                                 "aten::sub.Tensor",
                                                                 "aten::sub.Scalar",
                                                                 "aten::neg",
                                                                 "aten::sum",
                                                                 "aten::sum.dim_IntList",
                                                                 "aten::mean",
                                                                 "aten::mean.dim",
                                                                 "aten::cumsum",
                                                                 "aten::clone",
                                                                 "aten::contiguous",
                                                                 "aten::alias",
                                                                 "aten::detach",
                                                                 "aten::lift_fresh_copy",
                                                                 "aten::view",
                                                                 "aten::reshape",
                                                                 "aten::_unsafe_view",
                                                                 "aten::flatten.using_ints",
                                                                 "aten::unsqueeze",
                                                                 "aten::squeeze",
                                                                 "aten::squeeze.dim",
                                                                 "aten::squeeze.dims",
                                                                 "aten::expand",
                                                                 "aten::permute",
                                                                 "aten::transpose.int",
                                                                 "aten::t",
                                                                 "aten::slice.Tensor",
                                                                 "aten::narrow",
                                                                 "aten::select.int",
                                                                 "aten::cat",
                                                                 "aten::stack",
                                                                 "aten::split.Tensor",
                                                                 "aten::split_with_sizes",
                                                                 "aten::chunk",
                                                                 "aten::unbind.int",
                                                                 "aten::repeat",
                                                                 "aten::flip",
                                                                 "aten::roll",
                                                                 "aten::index.Tensor",
                                                                 "aten::index_select",
                                                                 "aten::gather",
                                                                 "aten::where.self",
                                                                 "aten::constant_pad_nd",
                                                                 "aten::pad",
                                                                 "aten::index_add",
                                                                 "aten::as_strided",
                                                                 "aten::unfold",
                                                                 "aten::select_scatter",
                                                                 "aten::slice_scatter",
                                                                 "aten::copy",
                                                                 "aten::zeros",
                                                                 "aten::zeros_like",
                                                                 "aten::new_zeros",
                                                                 "aten::zero",
                                                                 "aten::empty.memory_format",
                                                                 "aten::empty_like",
                                                                 "aten::new_empty",
                                                                 "aten::empty_permuted",
                                                                 "aten::empty_strided"});
    return algo::contains(ops, op);
}

}  // namespace ferry
