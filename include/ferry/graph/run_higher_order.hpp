#pragma once

#include <ferry/core/error.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/stack.h>

#include <cstddef>
#include <cstdint>
#include <functional>
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
    throw Error(ErrorKind::unsupported, "this higher-order op cannot be run", {.where = {.op = std::string(op)}});
}

}  // namespace ferry
