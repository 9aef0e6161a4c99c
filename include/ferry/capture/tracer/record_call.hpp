#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/core/error.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Gives the tensors that the last op of the trace has returned their values; one that shares memory with an argument is a view
/// of it.
inline void register_results(Recording& recording, std::span<const CallArguments::Place> arguments,
                             std::span<const c10::IValue> results, std::span<const Value> values) {
    Records& records = recording.records();
    std::uint32_t position = 0;
    for (const c10::IValue& result : results)
        detail::for_each_tensor(result, [&](const at::Tensor& tensor) {
            const std::uint32_t made_as = position++;
            if (const std::uint32_t known = records.find(tensor); known != no_record) {
                records[known].value = values[made_as];  // the op gave its argument back: known by the newer name
                return;
            }
            const std::uint32_t record = recording.add_record(tensor, tensor, values[made_as]);
            const auto* storage = storage_of(tensor);
            for (const auto& [argument, from] : arguments)
                if (storage != nullptr && storage_of(records[argument].fake) == storage)
                    return records.make_view(record, argument, recording.last_op(), from, made_as);
            if (storage != nullptr && tensor.is_meta()) forbid_data(tensor);
        });
}

/// An op that neither writes nor asks: runs on fakes and becomes one node.
inline void record_call(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const c10::FunctionSchema& schema = info.op.schema();
    const auto values = detail::last(stack, schema.arguments().size());
    CallArguments arguments = recording.read_arguments(info, values);
    if (info.returns_numbers && !arguments.tensors.empty())
        throw Error(ErrorKind::unsupported, "forward asks for a number that depends on the values of a tensor",
                    {.hint = "a branch on it is written with ferry::cond", .where = {.op = info.name}});
    recording.fake_arguments(info, values);
    recording.run(info, stack);
    const std::vector<CallArguments::Place> places = std::move(arguments.tensors);
    const auto results = detail::last(stack, schema.returns().size());
    register_results(recording, places, results, recording.append(info, std::move(arguments), results));
}

}  // namespace ferry::capture
