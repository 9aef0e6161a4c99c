#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/portable_kernels.hpp>
#include <ferry/graph/find_op.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>

#include <cstddef>
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

}  // namespace detail

FERRY_INLINE const Kernel* Kernels::find(std::string_view op) {
    auto known = known_.find(op);
    if (known == known_.end()) known = known_.emplace(std::string(op), detail::find_kernel(op)).first;
    return known->second.schema != nullptr ? &known->second : nullptr;
}

}  // namespace ferry::executorch
