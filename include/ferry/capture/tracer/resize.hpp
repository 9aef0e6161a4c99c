#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>

#include <cstdint>
#include <utility>
#include <vector>

/// Tensors that are given another size in place, as code does that makes an empty one first and then has it filled.
namespace ferry::capture {

/// A tensor that has no elements yet becomes a new one of these sizes; no other has to keep what it holds.
inline void make_room(Recording& recording, const at::Tensor& self, at::IntArrayRef sizes, const OpInfo& by) {
    const std::uint32_t index = recording.record_of(self);
    const Records& records = recording.records();
    const Record& record = records[index];
    if (self.sizes() == sizes) return;
    const bool is_alone = record.parent == no_record &&
                          algo::none_of(records, [&](const Record& other) { return other.parent == index; });
    if (!self.is_meta() || self.numel() != 0 || record.original || !is_alone)
        throw Error(
            ErrorKind::unsupported,
            "forward gives another size, in place, to a tensor that is in use: only one that has no elements and no "
            "views can be told from a new one",
            {.hint = "make a new tensor, on the device of the others: torch::empty({0}, x.options())",
             .where = {.op = by.name}});
    const Value room =
        recording.emit("aten::new_empty", {recording.current(index), ArgumentList(sizes.begin(), sizes.end())}).at(0);
    const at::Tensor known = records[index].held;      // maybe in another wrapper than `self`
    for (TraceValue& each : recording.trace().values)  // what the trace has seen stays as it was
        if (each.tensor.is_same(known)) each.tensor = known.detach();
    known.resize_(sizes);
    self.resize_(sizes);
    recording.write(index, room);
}

/// resize_ and resize_as_.
inline void resize(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const auto values = detail::last(stack, info.op.schema().arguments().size());
    const at::Tensor self = values[0].toTensor();
    const std::vector<std::int64_t> sizes =
        values[1].isTensor() ? values[1].toTensor().sizes().vec() : values[1].toIntVector();
    make_room(recording, self, sizes, info);
    stack.resize(stack.size() - values.size());
    stack.emplace_back(self);
}

}  // namespace ferry::capture
