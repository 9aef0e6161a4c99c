#pragma once

#include <ferry/core/error.hpp>
#include <ferry/executorch/emit/emitter.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/program/exported_program.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// What a method takes, gives and keeps.
namespace ferry::executorch::detail {

inline void Emitter::find_state() {
    for (const OutputSpec& output : program_.signature.outputs)
        if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation ||
            output.kind == OutputKind::user_input_mutation)
            written_.insert(output.target);
    for (const NamedTensors* named : {&program_.state, &program_.constants})
        for (const auto& [name, tensor] : *named) tensors_.emplace(name, &tensor);
    for (const InputSpec& input : program_.signature.inputs)
        if (const auto* value = input.argument.get_if<Value>(); value && input.kind != InputKind::user_input)
            state_.emplace(value->index, &input);
}

/// When it is first needed: what only delegates use stands in the file as their weights.
inline Id Emitter::add_state(const InputSpec& input, Value value) {
    const auto found = tensors_.find(input.target);
    if (found == tensors_.end())
        throw Error(ErrorKind::invalid_input, "the program has no tensor for one of its inputs",
                    {.where = {.stage = "emission", .path = input.target}});
    TensorValue made = describe(info_of(value).tensor, input.target);
    if (!written_.contains(input.target)) {
        made.constant = shared_.constants.add(*found->second, input.target);
        bind(value, builder_.method().add(std::move(made)));
        return id_of(value);
    }
    made.initial = shared_.initial_values.add(*found->second, input.target);
    const Id id = builder_.add_tensor(std::move(made));
    builder_.method().buffers.back().is_planned = config_.alloc_mutable_buffers;
    bind(value, id);
    return id;
}

inline void Emitter::add_inputs() {
    for (const InputSpec& input : program_.signature.inputs) {
        const auto* value = input.argument.get_if<Value>();
        if (input.kind == InputKind::token) continue;
        if (input.kind == InputKind::custom_object)
            throw Error(ErrorKind::unsupported, "an input that is an object cannot stand in an ExecuTorch program",
                        {.where = {.stage = "emission", .path = input.name}});
        if (input.kind != InputKind::user_input) {
            if (written_.contains(input.target)) static_cast<void>(id_of(*value));
            continue;
        }
        Id made = no_value;
        if (value == nullptr) {
            const c10::TypePtr any = c10::NumberType::get();
            made = input.argument.is<std::string>() ? builder_.text(*input.argument.get_if<std::string>())
                                                    : argument(input.argument, *any);
        } else if (const ValueInfo& info = info_of(*value); info.kind == ValueKind::tensor) {
            made = new_tensor(*value);
            builder_.method().buffers.back().is_planned = config_.alloc_graph_input;
            sizes_.know_tensor(made, info.tensor.sizes);
        } else {
            throw Error(
                ErrorKind::unsupported,
                "the input '" + input.name +
                    "' is a number that varies, and ExecuTorch's runtime takes a number at the one value that it "
                    "was exported with",
                {.hint = "take it as a tensor, or fix it", .where = {.stage = "emission"}});
        }
        builder_.method().inputs.push_back(made);
    }
}

/// Where a size is one that forward does something else for, the run stops. The runtime has no call for that: one that cannot be done,
/// a view with fewer dimensions than it has, stands behind a jump around it.
inline void Emitter::check_sizes() {
    for (const auto& [symbol, narrowed] : program_.narrowed) {
        const Id tensor = sizes_.tensor_with(symbol);
        const auto range = program_.checked_range(symbol);
        if (!range || tensor == no_value) continue;
        const Id size = sizes_.number(SymExpr::symbol(symbol));
        const auto stop_if = [&](std::string_view is_out, std::int64_t limit) {
            const std::size_t go_on = builder_.jump_if_false(sizes_.call(is_out, {size, builder_.integer(limit)}));
            builder_.call("executorch_prim::et_view.default", {tensor, builder_.integers({}), tensor});
            builder_.jump_here(go_on);
        };
        if (range->max != ValueRange::no_max) stop_if("executorch_prim::gt.Scalar", range->max);
        if (range->min != ValueRange::no_min) stop_if("executorch_prim::lt.Scalar", range->min);
    }
}

/// The new values of buffers and inputs, after everything else. All of them are there before the first is overwritten.
inline void Emitter::write_back() {
    if (written_.empty()) return;
    std::map<std::string, Id, std::less<>> places;
    std::set<std::int32_t> overwritten;
    for (const InputSpec& input : program_.signature.inputs) {
        const auto* value = input.argument.get_if<Value>();
        const std::string& name = input.kind == InputKind::user_input ? input.name : input.target;
        if (value == nullptr || !written_.contains(name)) continue;
        const Id id = id_of(*value);
        places.emplace(name, id);
        overwritten.insert(builder_.method().tensor(id).buffer);
    }
    const auto kept_apart = [&](Value value) {  // what is in such memory now and is wanted as it is
        const Id id = id_of(value);
        const TensorValue& tensor = builder_.method().tensor(id);
        if (!overwritten.contains(tensor.buffer) || tensor.constant != 0) return id;
        const Id copy = builder_.add_tensor(describe(info_of(value).tensor, info_of(value).name));
        builder_.call("aten::clone.out", {id, builder_.none(), copy, copy});
        return copy;
    };
    std::vector<std::pair<Id, Id>> writes;
    for (const OutputSpec& output : program_.signature.outputs) {
        const auto* value = output.argument.get_if<Value>();
        if (value == nullptr || info_of(*value).kind != ValueKind::tensor) continue;
        const bool is_write = output.kind == OutputKind::buffer_mutation ||
                              output.kind == OutputKind::parameter_mutation ||
                              output.kind == OutputKind::user_input_mutation;
        if (!is_write) {
            bind(*value, kept_apart(*value));
            continue;
        }
        const Id to = places.at(output.target);
        if (const Id from = id_of(*value); from != to) writes.emplace_back(kept_apart(*value), to);
    }
    for (const auto& [from, to] : writes) builder_.call("aten::copy_", {to, from, builder_.flag(false), to});
}

inline void Emitter::add_outputs() {
    const c10::TypePtr any = c10::NumberType::get();
    for (const OutputSpec& output : program_.signature.outputs) {
        if (output.kind != OutputKind::user_output && output.kind != OutputKind::loss_output) continue;
        const Id id = argument(output.argument, *any);
        builder_.touch(id);
        builder_.method().outputs.push_back(id);
    }
    const std::size_t end = builder_.next_instruction();
    for (const Id id : builder_.method().outputs)
        if (const auto* tensor = std::get_if<TensorValue>(&builder_.method().values[static_cast<std::size_t>(id)]);
            tensor && tensor->buffer >= 0 && !config_.alloc_graph_output)
            builder_.method().buffers[static_cast<std::size_t>(tensor->buffer)].is_planned = false;
    for (const MethodValue& value : builder_.method().values)
        if (const auto* tensor = std::get_if<TensorValue>(&value); tensor && tensor->initial != 0) {
            Buffer& buffer = builder_.method().buffers[static_cast<std::size_t>(tensor->buffer)];
            buffer.first = 0;  // what a run leaves there is for the next one
            buffer.last = end;
        }
}

}  // namespace ferry::executorch::detail
