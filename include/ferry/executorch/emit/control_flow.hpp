#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/executorch/emit/emitter.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/graph/graph.hpp>

#include <ATen/core/jit_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Branches and loops: the runtime has jumps.
namespace ferry::executorch::detail {

inline std::vector<Id> Emitter::given(const Node& node, std::string_view name) {
    std::vector<Id> ids;
    const c10::TypePtr any = c10::NumberType::get();
    const Argument* found = node.find(name);
    const auto* list = found != nullptr ? found->get_if<ArgumentList>() : nullptr;
    if (list != nullptr)
        for (const Argument& each : *list) ids.push_back(argument(each, *any));
    return ids;
}

/// The graph inside, in place; gives what comes out of it. What it computes is not there behind it.
inline std::vector<Id> Emitter::emit_body(const Argument& body, const std::vector<Id>& operands) {
    Scope outside = std::move(scope_);
    const Node* around = node_;
    SizeCode::State known = sizes_.state();
    enter(outside.graph->subgraph(*body.get_if<Subgraph>()));
    for (std::size_t i = 0; i < graph().inputs().size(); ++i) {
        const Value input = graph().inputs()[i];
        bind(input, operands.at(i));
        const ValueInfo& info = info_of(input);
        if (info.kind == ValueKind::tensor) sizes_.know_tensor(operands[i], info.tensor.sizes);
        if (info.kind == ValueKind::sym_int) sizes_.know_number(info.symbol, operands[i]);
    }
    emit_nodes();
    std::vector<Id> results;
    const c10::TypePtr any = c10::NumberType::get();
    for (const Argument& output : graph().outputs()) results.push_back(argument(output, *any));
    scope_ = std::move(outside);
    node_ = around;
    sizes_.restore(std::move(known));
    return results;
}

inline std::vector<Value> Emitter::bind_results(const Node& node, const std::vector<Id>& ids) {
    std::vector<Value> values;
    for (const Output& output : node.outputs())
        for (const Value value : output.values) {
            const ValueInfo& info = info_of(value);
            const Id id = ids.at(values.size());
            bind(value, id);
            values.push_back(value);
            if (info.kind == ValueKind::tensor) sizes_.know_tensor(id, info.tensor.sizes);
            if (info.kind == ValueKind::sym_int) sizes_.know_number(info.symbol, id);
        }
    return values;
}

/// Both branches stand one behind the other; a jump that is always taken leads around the second.
inline void Emitter::emit_cond(const Node& node) {
    const std::vector<Id> operands = given(node, "operands");
    std::vector<Id> results;
    for (const Output& output : node.outputs())
        for (const Value value : output.values) {
            const ValueInfo& info = info_of(value);
            if (info.kind != ValueKind::tensor) {
                results.push_back(builder_.method().add(std::int64_t{0}));
                continue;
            }
            TensorValue result = describe(info.tensor, info.name);
            result.is_dynamic = true;  // it stands for another tensor
            results.push_back(builder_.method().add(std::move(result)));
        }
    const auto emit_branch = [&](std::string_view body) {
        const std::vector<Id> made = emit_body(*node.find(body), operands);
        for (std::size_t i = 0; i < results.size(); ++i) builder_.move(made.at(i), results[i]);
    };
    const c10::TypePtr any = c10::NumberType::get();
    const std::size_t skip_first = builder_.jump_if_false(argument(*node.find("pred"), *any));
    emit_branch("true_fn");
    const std::size_t skip_second = builder_.jump_if_false(builder_.flag(false));
    builder_.jump_here(skip_first);
    emit_branch("false_fn");
    builder_.jump_here(skip_second);
    static_cast<void>(bind_results(node, results));
}

inline Id Emitter::copy(Id tensor) {
    TensorValue like = builder_.method().tensor(tensor);
    like.constant = like.initial = 0;
    const Id made = builder_.add_tensor(std::move(like));
    builder_.call("aten::clone.out", {tensor, builder_.none(), made, made});
    return made;
}

/// Values of their own, for a loop to write to.
inline std::vector<Id> Emitter::begin_carrying(const std::vector<Id>& values) {
    std::vector<Id> carried;
    for (const Id value : values) {
        if (std::holds_alternative<TensorValue>(builder_.method().values[static_cast<std::size_t>(value)])) {
            carried.push_back(copy(value));
            continue;
        }
        carried.push_back(builder_.method().add(std::int64_t{0}));
        builder_.move(value, carried.back());
    }
    return carried;
}

/// What a turn made is what the next one takes. Where it is another one's old value, that is kept until all are written.
inline void Emitter::carry_on(const std::vector<Id>& values, const std::vector<Id>& carried) {
    std::vector<Id> made = values;
    const auto buffer_of = [&](Id id) {
        const auto* tensor = std::get_if<TensorValue>(&builder_.method().values[static_cast<std::size_t>(id)]);
        return tensor != nullptr ? tensor->buffer : TensorValue::no_buffer;
    };
    for (std::size_t i = 0; i < made.size(); ++i) {
        const auto is_old = [&](Id other) { return other != carried[i] && buffer_of(other) == buffer_of(made[i]); };
        if (buffer_of(made[i]) >= 0 && algo::any_of(carried, is_old)) made[i] = copy(made[i]);
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i] == carried[i]) continue;
        if (std::holds_alternative<TensorValue>(builder_.method().values[static_cast<std::size_t>(carried[i])]))
            builder_.call("aten::clone.out", {made[i], builder_.none(), carried[i], carried[i]});
        else
            builder_.move(made[i], carried[i]);
    }
}

/// A loop runs its first instruction after its last: what was there before it and is used in it stays until its end.
inline void Emitter::keep_through(std::size_t first) {
    const std::size_t end = builder_.next_instruction();
    for (Buffer& buffer : builder_.method().buffers)
        if (buffer.first < first && buffer.last >= first) buffer.last = std::max(buffer.last, end);
}

inline void Emitter::emit_loop(const Node& node) {
    const std::vector<Id> carried = begin_carrying(given(node, "carried_inputs"));
    std::vector<Id> operands = carried;
    const std::vector<Id> more = given(node, "additional_inputs");
    operands.insert(operands.end(), more.begin(), more.end());
    const std::size_t first = builder_.next_instruction();
    const std::size_t leave = builder_.jump_if_false(emit_body(*node.find("cond_fn"), operands).at(0));
    carry_on(emit_body(*node.find("body_fn"), operands), carried);
    builder_.jump_to(builder_.jump_if_false(builder_.flag(false)), first);
    builder_.jump_here(leave);
    keep_through(first);
    static_cast<void>(bind_results(node, carried));
}

/// Over the first dimension of tensors; what each turn gives besides what it carries is put one behind the other.
inline void Emitter::emit_scan(const Node& node) {
    const bool is_map = node.op() == "higher_order::map_impl";
    const std::vector<Id> sequences = given(node, "xs"), more = given(node, is_map ? "pos_args" : "additional_inputs");
    const std::vector<Id> carried = begin_carrying(is_map ? std::vector<Id>() : given(node, "init"));
    if (sequences.empty()) refuse("it goes over no tensor");
    const Argument& body = *node.find(is_map ? "f" : "combine_fn");
    const Graph& inside = graph().subgraph(*body.get_if<Subgraph>());
    std::vector<Id> operands = carried;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        const ValueInfo& info = inside.info(inside.inputs()[carried.size() + i]);
        operands.push_back(builder_.add_tensor(describe(info.tensor, info.name)));
    }
    operands.insert(operands.end(), more.begin(), more.end());
    std::vector<Id> results = carried;
    std::size_t position = 0;
    for (const Output& output : node.outputs())
        for (const Value value : output.values) {
            if (position++ < carried.size()) continue;
            const TensorMeta& meta = info_of(value).tensor;
            TensorValue stacked = describe(meta, info_of(value).name);
            const bool varies =
                std::exchange(stacked.is_dynamic, true);  // it grows by itself, in its first dimension only
            results.push_back(builder_.add_tensor(std::move(stacked)));
            if (!varies) continue;
            std::vector<Id> sizes;
            sizes.reserve(meta.sizes.size());
            for (const SymExpr& size : meta.sizes) sizes.push_back(sizes_.number(size));
            const Id all = builder_.integers(std::move(sizes));
            builder_.call("aten::empty.out", {all, builder_.none(), results.back(), results.back()});
        }
    const Id turn = builder_.method().add(std::int64_t{0});
    builder_.move(builder_.integer(0), turn);
    const Id turns = sizes_.call("aten::sym_size.int", {sequences[0], builder_.integer(0)});
    const std::size_t first = builder_.next_instruction();
    const std::size_t leave = builder_.jump_if_false(sizes_.call("executorch_prim::lt.Scalar", {turn, turns}));
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        const Id slice = operands[carried.size() + i];
        builder_.call("aten::select_copy.int_out", {sequences[i], builder_.integer(0), turn, slice, slice});
    }
    std::vector<Id> made = emit_body(body, operands);
    for (std::size_t i = carried.size(); i < made.size(); ++i)
        builder_.call("executorch_prim::et_copy_index.tensor", {results[i], made[i], turn});
    made.resize(carried.size());
    carry_on(made, carried);
    builder_.call("executorch_prim::add.Scalar", {turn, builder_.integer(1), turn});
    builder_.jump_to(builder_.jump_if_false(builder_.flag(false)), first);
    builder_.jump_here(leave);
    keep_through(first);
    static_cast<void>(bind_results(node, results));
}

}  // namespace ferry::executorch::detail
