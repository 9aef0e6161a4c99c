#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/record_call.hpp>
#include <ferry/capture/tracer/recording.hpp>

#include <cstdint>
#include <span>

/// Tensors that forward makes from nothing but numbers, in ways that no op shows: they stay real, are computed with for real,
/// and are lifted into the graph when something else meets them.
namespace ferry::capture {

[[nodiscard]] inline bool all_constant(Recording& recording, const OpInfo& info, std::span<const c10::IValue> values) {
    for (const std::size_t written : info.written)
        detail::for_each_tensor(values[written], [&](const at::Tensor& tensor) { recording.protect_state(tensor); });
    bool any = false;
    bool all = true;
    for (const c10::IValue& value : values)
        detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
            any = true;
            all = all && recording.is_constant(tensor);
        });
    return any && all;
}

[[nodiscard]] inline bool asks_for_meta(const OpInfo& info, torch::jit::Stack& stack) {
    if (!info.device) return false;
    const c10::IValue& device = detail::last(stack, info.op.schema().arguments().size())[*info.device];
    return device.isDevice() && device.toDevice().is_meta();
}

/// A call whose arguments are all constant: the result is a constant too.
inline void compute_constant(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    Records& records = recording.records();
    const auto given = detail::last(stack, info.op.schema().arguments().size());
    // x.device() of a fake tensor names where the fake is.
    if (asks_for_meta(info, stack)) given[*info.device] = recording.model_device();
    const torch::jit::Stack arguments(given.begin(), given.end());
    info.op.callBoxed(stack);
    std::uint32_t made_as = 0;
    for (const c10::IValue& result : detail::last(stack, info.op.schema().returns().size()))
        detail::for_each_tensor(result, [&](const at::Tensor& tensor) {
            const std::uint32_t position = made_as++;
            if (records.find(tensor) != no_record) return;
            const std::uint32_t record = recording.add_record(tensor, tensor, {});
            records[record].constant = true;
            for (const c10::IValue& argument : arguments)
                detail::for_each_tensor(argument, [&](const at::Tensor& from) {
                    const std::uint32_t memory = records[recording.record_of(from)].memory;
                    if (records[record].memory == no_record) records[record].memory = memory;
                    if (storage_of(from) == storage_of(tensor))
                        records.constant_views()[record] = {&info, arguments, position};
                });
        });
}

/// A call of empty(). Real, because torch::tensor() and friends fill it through its data pointer, which nobody can see.
inline void make_memory(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const std::uint32_t memory = recording.next_memory();
    const auto* traced = recording.settings().traced_memory;
    if (traced != nullptr && traced->contains(memory)) return record_call(recording, info, stack);
    info.op.callBoxed(stack);
    const at::Tensor tensor = stack.back().toTensor();
    if (tensor.is_meta()) return;
    Record& record = recording.records()[recording.add_record(tensor, tensor, {})];
    record.constant = true;
    record.memory = memory;
}

}  // namespace ferry::capture
