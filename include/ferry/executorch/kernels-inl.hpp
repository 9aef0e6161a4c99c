#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/portable_kernels.hpp>
#include <ferry/graph/find_op.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ferry::executorch {
namespace detail {

/// Whether a kernel's arguments can be read from a call of the op.
[[nodiscard]] inline bool computes(const c10::FunctionSchema& kernel, const c10::FunctionSchema& op) {
    std::size_t outputs = 0, taken = 0;
    for (const c10::Argument& argument : kernel.arguments()) {
        if (argument.is_out()) {
            ++outputs;
            continue;
        }
        const auto same = algo::find(op.arguments(), argument.name(), &c10::Argument::name);
        if (same == op.arguments().end() || *same->type() != *argument.type()) return false;
        ++taken;
    }
    std::size_t wanted = 0;
    for (const c10::Argument& argument : op.arguments())
        if (!is_of_the_output(argument.name()) || kernel.argumentIndexWithName(argument.name())) ++wanted;
    return taken == wanted && outputs == op.returns().size();
}

[[nodiscard]] inline Kernel find_kernel(std::string_view op) {
    constexpr std::string_view space = "aten::";
    if (!op.starts_with(space)) return {};
    const auto functional = find_op(op);
    if (!functional || functional->schema().is_mutable()) return {};
    const std::string base(op.substr(space.size(), op.find('.') - space.size()));
    for (const std::string& name : {base, base + "_copy"}) {
        const auto [first, last] = portable_kernels_of(name);
        for (auto kernel = first; kernel != last; ++kernel) {
            std::string full = std::string(space).append(*kernel);
            const auto found = find_op(full);
            if (found && computes(found->schema(), functional->schema())) return {std::move(full), &found->schema()};
        }
    }
    return {};
}

[[nodiscard]] constexpr bool is_usual(DType dtype) {
    switch (dtype) {
        case DType::uint8:
        case DType::int8:
        case DType::int16:
        case DType::int32:
        case DType::int64:
        case DType::float16:
        case DType::bfloat16:
        case DType::float32:
        case DType::float64:
        case DType::boolean: return true;
        default: return false;
    }
}

/// Of complex numbers, arithmetic takes tensors of the same sizes and the same type only, and transforms give the half that is no mirror.
[[nodiscard]] inline bool takes_complex(const Graph& graph, const Node& node, std::string_view kernel) {
    if (!std::binary_search(kernels_for_complex.begin(), kernels_for_complex.end(), kernel)) return false;
    if (kernel == "_fft_r2c.out") {
        const Argument* onesided = node.find("onesided");
        return onesided != nullptr && onesided->is<bool>() && *onesided->get_if<bool>();
    }
    if (kernel != "add.out" && kernel != "mul.out" && kernel != "div.out") return true;
    const TensorMeta& made = graph.info(node.output()).tensor;
    const auto is_alike = [&](std::string_view name) {
        const auto* value = node.find(name)->get_if<Value>();
        if (value == nullptr || graph.info(*value).kind != ValueKind::tensor) return false;
        const TensorMeta& given = graph.info(*value).tensor;
        return given.dtype == made.dtype && given.sizes == made.sizes;
    };
    return is_alike("self") && is_alike("other");
}

}  // namespace detail

FERRY_INLINE std::optional<DType> type_without_kernel(const Graph& graph, const Node& node, const Kernel& kernel) {
    std::optional<DType> found;
    const auto look_at = [&](Value value) {
        const ValueInfo& info = graph.info(value);
        if (info.kind != ValueKind::tensor || detail::is_usual(info.tensor.dtype)) return;
        const std::string_view name = std::string_view(kernel.name).substr(std::string_view("aten::").size());
        if (!is_complex(info.tensor.dtype) || !detail::takes_complex(graph, node, name)) found = info.tensor.dtype;
    };
    for (const NamedArgument& argument : node.arguments()) for_each_value(argument.value, look_at);
    for (const Output& output : node.outputs())
        for (const Value value : output.values) look_at(value);
    return found;
}

FERRY_INLINE const Kernel* Kernels::find(std::string_view op) {
    auto known = known_.find(op);
    if (known == known_.end()) known = known_.emplace(std::string(op), detail::find_kernel(op)).first;
    return known->second.schema != nullptr ? &known->second : nullptr;
}

}  // namespace ferry::executorch
