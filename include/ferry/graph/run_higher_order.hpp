#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/autocast_guard.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What higher-order ops do when a graph runs.
namespace ferry {

using BoxedValues = std::vector<c10::IValue>;
/// Runs one of the op's bodies.
using RunSubgraph = std::function<BoxedValues(std::size_t body, const BoxedValues& arguments)>;

namespace detail {

[[nodiscard]] inline bool is_true(const c10::IValue& value) {
    return value.isTensor() ? value.toTensor().item<bool>() : value.toBool();
}

[[nodiscard]] inline BoxedValues joined(BoxedValues first, const BoxedValues& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

[[nodiscard]] inline BoxedValues run_scan(BoxedValues carry, const BoxedValues& sequences,
                                          const BoxedValues& additional, const RunSubgraph& run) {
    const std::size_t carried = carry.size();
    std::vector<std::vector<at::Tensor>> outputs;
    const std::int64_t length = sequences.at(0).toTensor().size(0);
    for (std::int64_t i = 0; i < length; ++i) {
        BoxedValues arguments = carry;
        for (const c10::IValue& each : sequences) arguments.emplace_back(each.toTensor().select(0, i));
        BoxedValues step = run(0, joined(std::move(arguments), additional));
        outputs.resize(step.size() - carried);
        for (std::size_t k = carried; k < step.size(); ++k) outputs[k - carried].push_back(step[k].toTensor());
        step.resize(carried);
        carry = std::move(step);
    }
    if (length == 0)
        throw Error(ErrorKind::invalid_input, "scan over sequences of length zero",
                    {.hint = "its outputs would have no shape", .where = {.op = "higher_order::scan"}});
    for (const auto& parts : outputs) carry.emplace_back(at::stack(parts));
    return carry;
}

[[nodiscard]] inline BoxedValues run_map(const BoxedValues& sequences, const BoxedValues& others,
                                         const RunSubgraph& run) {
    const std::int64_t length = sequences.at(0).toTensor().size(0);
    if (length == 0)
        throw Error(ErrorKind::invalid_input, "map over a sequence of length zero",
                    {.hint = "its outputs would have no shape", .where = {.op = "higher_order::map_impl"}});
    std::vector<std::vector<at::Tensor>> outputs;
    for (std::int64_t i = 0; i < length; ++i) {
        BoxedValues arguments;
        for (const c10::IValue& each : sequences) arguments.emplace_back(each.toTensor().select(0, i));
        const BoxedValues step = run(0, joined(std::move(arguments), others));
        outputs.resize(step.size());
        for (std::size_t k = 0; k < step.size(); ++k) outputs[k].push_back(step[k].toTensor());
    }
    BoxedValues results;
    for (const auto& parts : outputs) results.emplace_back(at::stack(parts));
    return results;
}

/// Operands that come one by one.
[[nodiscard]] inline BoxedValues from(const std::vector<BoxedValues>& arguments, std::size_t first) {
    BoxedValues operands;
    for (std::size_t i = first; i < arguments.size(); ++i)
        operands.insert(operands.end(), arguments[i].begin(), arguments[i].end());
    return operands;
}

}  // namespace detail

/// `arguments` are those of the op without its bodies, lists taken apart.
[[nodiscard]] inline BoxedValues run_higher_order(std::string_view op, const std::vector<BoxedValues>& arguments,
                                                  const RunSubgraph& run) {
    if (op == "higher_order::cond") return run(detail::is_true(arguments.at(0).at(0)) ? 0 : 1, arguments.at(1));
    if (op == "higher_order::while_loop") {
        BoxedValues carried = arguments.at(0);
        while (detail::is_true(run(0, detail::joined(carried, arguments.at(1))).at(0)))
            carried = run(1, detail::joined(carried, arguments.at(1)));
        return carried;
    }
    if (op == "higher_order::scan") return detail::run_scan(arguments.at(0), arguments.at(1), arguments.at(2), run);
    if (op == "higher_order::map_impl") return detail::run_map(arguments.at(0), arguments.at(1), run);
    if (op == "higher_order::invoke_subgraph") return run(0, detail::from(arguments, 1));
    if (op == "higher_order::wrap_with_set_grad_enabled") {
        const c10::AutoGradMode mode(arguments.at(0).at(0).toBool());
        return run(0, detail::from(arguments, 1));
    }
    if (op == "higher_order::wrap_with_autocast") {
        const c10::IValue& dtype = arguments.at(1).at(0);
        const c10::IValue& caches = arguments.at(3).at(0);
        const AutocastGuard mode(
            c10::Device(arguments.at(0).at(0).toStringRef()).type(), arguments.at(2).at(0).toBool(),
            dtype.isNone() ? std::nullopt : std::optional(static_cast<c10::ScalarType>(dtype.toInt())),
            caches.isNone() || caches.toBool());
        return run(0, detail::from(arguments, 4));
    }
    throw Error(ErrorKind::unsupported, "this higher-order op cannot be run", {.where = {.op = std::string(op)}});
}

}  // namespace ferry
