#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/onnx/ir/dtypes.hpp>
#include <ferry/onnx/ir/model.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

/// What a node computes, by libtorch: for the ops that shapes, masks and positions are made of.
namespace ferry::onnx {

namespace detail {

struct Evaluation {
    const Node& node;
    const std::vector<at::Tensor>& inputs;

    [[nodiscard]] const at::Tensor& operator[](std::size_t i) const { return inputs.at(i); }
    [[nodiscard]] bool has(std::size_t i) const { return i < inputs.size() && inputs[i].defined(); }
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise = 0) const {
        const auto* found = node.find(name);
        return found != nullptr ? std::get<std::int64_t>(*found) : otherwise;
    }
    [[nodiscard]] std::vector<std::int64_t> integers(std::size_t i) const {
        const at::Tensor dense = inputs.at(i).to(at::kLong).contiguous();
        const auto* data = static_cast<const std::int64_t*>(dense.const_data_ptr());
        return {data, data + dense.numel()};
    }
    /// Negative dimensions count from the end of `rank`.
    [[nodiscard]] std::vector<std::int64_t> dims(std::size_t i, std::int64_t rank) const {
        std::vector<std::int64_t> all = integers(i);
        for (std::int64_t& each : all) each += each < 0 ? rank : 0;
        return all;
    }
};

using Evaluate = at::Tensor (*)(const Evaluation&);

struct EvaluatedOp {
    std::string_view op;
    Evaluate run;
};

[[nodiscard]] inline at::Tensor reshaped(const Evaluation& of) {
    std::vector<std::int64_t> sizes = of.integers(1);
    if (of.integer("allowzero") == 0)
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (sizes[i] == 0) sizes[i] = of[0].size(static_cast<std::int64_t>(i));
    return of[0].reshape(sizes);
}

[[nodiscard]] inline at::Tensor unsqueezed(const Evaluation& of) {
    const std::vector<std::int64_t> added = of.integers(1);
    std::vector<std::int64_t> dims = of.dims(1, of[0].dim() + static_cast<std::int64_t>(added.size()));
    algo::sort(dims);
    at::Tensor made = of[0];
    for (const std::int64_t dim : dims) made = made.unsqueeze(dim);
    return made;
}

[[nodiscard]] inline at::Tensor sliced(const Evaluation& of) {
    const std::vector<std::int64_t> starts = of.integers(1), ends = of.integers(2);
    at::Tensor made = of[0];
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::int64_t dim = of.has(3) ? of.dims(3, made.dim())[i] : static_cast<std::int64_t>(i);
        const std::int64_t step = of.has(4) ? of.integers(4)[i] : 1;
        if (step <= 0) return {};  // libtorch has no such slices
        made = made.slice(dim, starts[i], ends[i], step);
    }
    return made;
}

[[nodiscard]] inline at::Tensor gathered(const Evaluation& of) {
    const std::int64_t dim = of.integer("axis") + (of.integer("axis") < 0 ? of[0].dim() : 0);
    const at::Tensor flat = of[1].to(at::kLong).reshape({-1});
    std::vector<std::int64_t> sizes = of[0].sizes().vec();
    sizes.erase(sizes.begin() + dim);
    sizes.insert(sizes.begin() + dim, of[1].sizes().begin(), of[1].sizes().end());
    return of[0].index_select(dim, flat.remainder(of[0].size(dim))).reshape(sizes);
}

[[nodiscard]] inline at::Tensor divided(const Evaluation& of) {
    return at::isIntegralType(of[0].scalar_type(), false) ? of[0].div(of[1], "trunc") : of[0].div(of[1]);
}

/// Both shapes broadcast, as Expand has it.
[[nodiscard]] inline at::Tensor expanded(const Evaluation& of) {
    std::vector<std::int64_t> sizes = of.integers(1);
    const auto own = of[0].sizes();
    if (sizes.size() < own.size()) sizes.insert(sizes.begin(), own.size() - sizes.size(), 1);
    const std::size_t shift = sizes.size() - own.size();
    for (std::size_t i = 0; i < own.size(); ++i)
        if (sizes[shift + i] == 1) sizes[shift + i] = own[i];
    return of[0].expand(sizes);
}

inline constexpr EvaluatedOp evaluated_ops[] = {
    {"Identity", [](const Evaluation& of) { return of[0]; }},
    {"Cast",
     [](const Evaluation& of) {
         return of[0].to(to_c10(dtype_of(static_cast<std::int32_t>(of.integer("to"))).value()));
     }},
    {"Reshape", &reshaped},
    {"Unsqueeze", &unsqueezed},
    {"Squeeze", [](const Evaluation& of) { return of.has(1) ? of[0].squeeze(of.integers(1)) : of[0].squeeze(); }},
    {"Transpose",
     [](const Evaluation& of) {
         const auto* order = of.node.find("perm");
         return order != nullptr ? of[0].permute(std::get<std::vector<std::int64_t>>(*order)) : of[0].t();
     }},
    {"Concat", [](const Evaluation& of) { return at::cat(of.inputs, of.integer("axis")); }},
    {"Slice", &sliced},
    {"Gather", &gathered},
    {"Expand", &expanded},
    {"Range",
     [](const Evaluation& of) { return at::arange(of[0].item(), of[1].item(), of[2].item(), of[0].options()); }},
    {"ConstantOfShape",
     [](const Evaluation& of) {
         const auto& value = std::get<at::Tensor>(*of.node.find("value"));
         return at::full(of.integers(0), value.item(), value.options());
     }},
    {"Add", [](const Evaluation& of) { return of[0].add(of[1]); }},
    {"Sub", [](const Evaluation& of) { return of[0].sub(of[1]); }},
    {"Mul", [](const Evaluation& of) { return of[0].mul(of[1]); }},
    {"Div", &divided},
    {"Neg", [](const Evaluation& of) { return of[0].neg(); }},
    {"Sqrt", [](const Evaluation& of) { return of[0].sqrt(); }},
    {"Reciprocal", [](const Evaluation& of) { return of[0].reciprocal(); }},
    {"Equal", [](const Evaluation& of) { return of[0].eq(of[1]); }},
    {"Less", [](const Evaluation& of) { return of[0].lt(of[1]); }},
    {"LessOrEqual", [](const Evaluation& of) { return of[0].le(of[1]); }},
    {"Greater", [](const Evaluation& of) { return of[0].gt(of[1]); }},
    {"GreaterOrEqual", [](const Evaluation& of) { return of[0].ge(of[1]); }},
    {"And", [](const Evaluation& of) { return of[0].logical_and(of[1]); }},
    {"Or", [](const Evaluation& of) { return of[0].logical_or(of[1]); }},
    {"Not", [](const Evaluation& of) { return of[0].logical_not(); }},
    {"Where", [](const Evaluation& of) { return of[1].where(of[0], of[2]); }},
};

}  // namespace detail

/// Nothing if this op is not among those that are evaluated.
[[nodiscard]] inline std::optional<at::Tensor> evaluate(const Node& node, const std::vector<at::Tensor>& inputs) {
    const auto* found = algo::find(detail::evaluated_ops, node.op, &detail::EvaluatedOp::op);
    if (!node.domain.empty() || found == std::end(detail::evaluated_ops)) return std::nullopt;
    at::Tensor made = found->run({node, inputs});
    if (!made.defined()) return std::nullopt;
    return made.contiguous();
}

}  // namespace ferry::onnx
