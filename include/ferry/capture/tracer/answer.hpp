#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/scalar_types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the model is told when it asks for the value of a tensor.
namespace ferry::capture {

/// Of a tensor that forward has made from a number: torch::tensor(n) is scalar_tensor to a capture.
[[nodiscard]] inline std::optional<std::int64_t> known_number(const Trace& trace, Value value) {
    for (std::size_t i = trace.ops.size(); i-- > 0;) {
        const TraceOp& op = trace.ops[i];
        if (op.outputs.size() != 1 || op.outputs[0].is_list || op.outputs[0].values != std::vector<Value>{value})
            continue;
        if (op.name == "aten::scalar_tensor")
            if (const auto* number = op.arguments[0].get_if<std::int64_t>()) return *number;
        if (op.name == "aten::full")
            if (const auto* number = op.arguments[1].get_if<std::int64_t>()) return *number;
        const bool same = op.name == "aten::detach" || op.name == "aten::clone" || op.name == "aten::alias" ||
                          op.name == "aten::lift_fresh";
        if (!same) return std::nullopt;
        value = *op.arguments[0].get_if<Value>();
    }
    return std::nullopt;
}

/// An integer may be used as a size, so it becomes a symbol of its own.
inline void answer_value(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const auto values = detail::last(stack, 1);
    const at::Tensor tensor = values[0].toTensor();
    std::vector<Argument> arguments = recording.read_arguments(info, values).values;
    if (!c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
        throw Error(ErrorKind::unsupported,
                    std::string("forward asks a tensor of ") +
                        std::string(ferry::info(to_dtype(tensor.scalar_type())).torch_name) +
                        " for its value, which is not known while the model is captured",
                    {.hint = "a branch on it is written with ferry::cond; arithmetic works on the tensor itself",
                     .where = {.op = info.name}});
    if (const auto known = tensor.scalar_type() == at::kLong
                               ? known_number(recording.trace(), *arguments[0].get_if<Value>())
                               : std::nullopt) {
        stack.back() = *known;
        return;
    }
    const std::int64_t number = recording.tell_value(info);
    const Value value = recording.new_value({.kind = ValueKind::sym_int, .number = number});
    recording.push({.name = info.name,
                    .schema = &info.op.schema(),
                    .arguments = std::move(arguments),
                    .outputs = {{.values = {value}}}});
    stack.pop_back();
    stack.emplace_back(number);
}

}  // namespace ferry::capture
