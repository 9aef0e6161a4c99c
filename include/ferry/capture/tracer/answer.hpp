#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/scalar_types.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What the model is told when it asks for the value of a tensor.
namespace ferry::capture {

/// Nothing but numbers come out: `item`, `equal`, `is_nonzero`.
[[nodiscard]] inline bool asks_for_numbers(const OpInfo& info) {
    if (info.op_class == OpClass::value_query || info.op_class == OpClass::equality_query) return true;
    return info.op_class == OpClass::ordinary && info.returns_numbers &&
           algo::none_of(info.op.schema().returns(), [](const c10::Argument& each) {
               return ferry::detail::element_kind(each.real_type().get()) == c10::TypeKind::TensorType;
           });
}

/// The value of a constant, or of state that forward does not write to, is what it is. False if it is not known.
[[nodiscard]] inline bool answer_from_constants(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const auto values = detail::last(stack, info.op.schema().arguments().size());
    std::vector<at::Tensor> known;
    bool all_known = true;
    for (const c10::IValue& value : values)
        detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
            if (!all_known) return;
            known.push_back(recording.known_value(recording.current(recording.record_of(tensor))));
            all_known = known.back().defined();
        });
    if (!all_known || known.empty()) return false;
    auto next = known.begin();
    for (c10::IValue& value : values)
        value = detail::exchange_tensors(value,
                                         [&](const at::Tensor& tensor) { return tensor.defined() ? *next++ : tensor; });
    info.op.callBoxed(stack);
    return true;
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
