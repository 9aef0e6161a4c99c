#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/capture/tracer/resize.hpp>
#include <ferry/core/error.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ferry::capture {

/// In place, a result takes the dtype of what it is written to.
inline void write_cast(Recording& recording, const at::Tensor& place, Value value, const OpInfo& by) {
    const at::Tensor result = recording.value(value).tensor;
    if (detail::is_out_variant(by.op.schema())) make_room(recording, place, result.sizes(), by);
    if (place.sizes() != result.sizes())
        throw Error(ErrorKind::invalid_input, "forward writes a result in place to a tensor of another shape",
                    {.where = {.op = by.name}});
    if (place.scalar_type() != result.scalar_type())
        value = recording.emit("aten::to.dtype", {value, to_dtype(place.scalar_type())}).at(0);
    recording.write(recording.record_of(place), value);
}

/// An op that writes is recorded as the one that returns the result.
inline void record_write(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const c10::FunctionSchema& schema = info.op.schema();
    const auto values = detail::last(stack, schema.arguments().size());
    if (info.functional == nullptr && info.is_composite) throw NeedsParts{};
    if (info.functional == nullptr)
        throw Error(ErrorKind::unsupported,
                    "forward writes in place with an op that has no form which returns its result",
                    {.hint = "use the op without the trailing underscore", .where = {.op = info.name}});
    std::vector<at::Tensor> places;
    for (const std::size_t position : info.written) {
        if (!values[position].isTensor())
            throw Error(ErrorKind::unsupported, "forward writes in place to a list of tensors",
                        {.hint = "write to one after the other", .where = {.op = info.name}});
        places.push_back(values[position].toTensor());
    }
    const CallArguments arguments = recording.read_arguments(info, values);
    recording.fake_arguments(info, values);

    OpInfo& functional = recording.infos().of(info.functional->op);
    const auto& wanted = functional.op.schema().arguments();
    CallArguments pure{.device = arguments.device};
    torch::jit::Stack pure_stack;
    pure.values.reserve(wanted.size());
    pure_stack.reserve(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const c10::Argument& each = wanted[i];
        auto position = schema.argumentIndexWithName(each.name());
        if (!position && wanted.size() == values.size())
            position = static_cast<int>(i);  // dropout_(self), dropout(input)
        pure.values.push_back(position ? arguments.values[static_cast<std::size_t>(*position)] : Argument());
        pure_stack.push_back(position ? values[static_cast<std::size_t>(*position)]
                                      : each.default_value().value_or(c10::IValue()));
    }
    recording.run(functional, pure_stack);
    const std::vector<Value> results = recording.append(functional, std::move(pure), pure_stack);

    // First what the op returns anyway, then what it writes.
    torch::jit::Stack returned;
    std::size_t plain = 0, given = 0;
    for (const c10::Argument& each : schema.returns()) {
        if (each.alias_info() != nullptr) {
            returned.emplace_back(places.at(given++));
            continue;
        }
        const at::Tensor tensor = recording.value(results.at(plain)).tensor;
        recording.add_record(tensor, tensor, results[plain++]);
        returned.emplace_back(tensor);
    }
    for (std::size_t i = 0; i < places.size(); ++i) write_cast(recording, places[i], results.at(plain + i), info);
    stack.resize(stack.size() - schema.arguments().size());
    stack.insert(stack.end(), returned.begin(), returned.end());
}

/// Norms update running statistics although their schemas do not say so. False: this op is none of them.
inline bool record_hidden_write(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const bool whole = info.name == "aten::batch_norm";
    if (info.name == "aten::_batch_norm_impl_index") throw NeedsParts{};  // tells which backend it took, as a number
    const bool by_instance = info.name == "aten::instance_norm";
    if (!whole && !by_instance && info.name != "aten::native_batch_norm") return false;
    const auto values = detail::last(stack, info.op.schema().arguments().size());
    if (!values[5].toBool() || !values[3].isTensor() || !values[3].toTensor().defined()) return false;
    if (by_instance) throw NeedsParts{};  // a batch norm and copies
    const at::Tensor mean = values[3].toTensor();
    const at::Tensor variance = values[4].toTensor();
    std::vector<Argument> arguments = recording.read_arguments(info, values).values;
    if (whole) arguments.pop_back();  // cudnn_enabled
    const auto results = recording.emit("aten::_native_batch_norm_legit_functional", std::move(arguments));
    recording.write(recording.record_of(mean), results.at(3));
    recording.write(recording.record_of(variance), results.at(4));
    stack.resize(stack.size() - values.size());
    for (const Value result : std::span(results).first(whole ? 1 : 3)) {
        const at::Tensor output = recording.value(result).tensor;
        recording.add_record(output, output, result);
        stack.emplace_back(output);
    }
    return true;
}

/// Changes how a tensor is seen, in place: from now on it is a view of what it was.
inline void change_geometry(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const auto values = detail::last(stack, info.op.schema().arguments().size());
    const at::Tensor self = values[0].toTensor();
    Records& records = recording.records();
    const std::uint32_t index = recording.record_of(self);
    if (!self.is_meta() || info.functional == nullptr)
        throw Error(ErrorKind::unsupported, "forward changes the shape of a parameter or buffer in place",
                    {.hint = "use the op without the trailing underscore", .where = {.op = info.name}});
    CallArguments arguments = recording.read_arguments(info, values);
    for (TraceValue& each : recording.trace().values)  // what the trace has seen stays as it was
        if (each.tensor.is_same(self)) each.tensor = self.detach();
    OpInfo& view = recording.infos().of(info.functional->op);
    torch::jit::Stack view_stack(values.begin(), values.end());
    recording.run(view, view_stack);
    const Value seen = recording.append(view, std::move(arguments), view_stack).at(0);

    // What the tensor was until now stays in the family as its base, though the model has no handle to it any more.
    const std::uint32_t before = records.add_unnamed(records[index]);
    for (std::uint32_t i = 0; i <= before; ++i) {
        if (records[i].root == index) records[i].root = before;
        if (records[i].parent == index) records[i].parent = before;
    }
    records[before].fake = recording.value(records[before].value).tensor;
    records[index].value = seen;
    records[index].original = {};
    records.make_view(index, before, recording.last_op(), 0, 0);
    info.op.callBoxed(stack);
}

}  // namespace ferry::capture
