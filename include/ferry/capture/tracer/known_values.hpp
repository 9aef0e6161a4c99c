#pragma once

#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer/run_settings.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/argument.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/ivalue.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ferry::capture {

/// The values of tensors that follow from numbers and unwritten state alone. What made such a tensor runs for real when the model
/// asks for its value; nothing else of a capture does.
class KnownValues {
public:
    KnownValues(Trace& trace, const RunSettings& settings) : trace_(trace), settings_(settings) {}

    /// Undefined where it depends on inputs, on random numbers or on state that forward writes to, or where it would take much to
    /// compute.
    [[nodiscard]] at::Tensor of(Value value) {
        at::Tensor found = evaluate(value);
        if (found.defined()) fix_state_behind(value);
        return found;
    }

private:
    static constexpr std::int64_t most_elements = std::int64_t{1} << 24;

    [[nodiscard]] at::Tensor evaluate(Value value);
    [[nodiscard]] bool run(const TraceOp& op);
    [[nodiscard]] const TraceOp* maker_of(Value value);
    [[nodiscard]] const at::Tensor* state_of(Value value);
    void fix_state_behind(Value value);

    Trace& trace_;
    const RunSettings& settings_;
    std::unordered_map<std::uint32_t, at::Tensor> known_;  // undefined: not to be known
    std::unordered_map<std::uint32_t, std::size_t> made_by_;
    std::size_t indexed_ = 0;
};

inline const TraceOp* KnownValues::maker_of(Value value) {
    for (; indexed_ < trace_.ops.size(); ++indexed_)
        for (const Output& output : trace_.ops[indexed_].outputs)
            for (const Value made : output.values) made_by_[made.index] = indexed_;
    const auto found = made_by_.find(value.index);
    return found != made_by_.end() ? &trace_.ops[found->second] : nullptr;
}

inline const at::Tensor* KnownValues::state_of(Value value) {
    const auto found = algo::find(trace_.lifted, value, &Lifted::value);
    return found != trace_.lifted.end() ? &found->tensor : nullptr;
}

inline at::Tensor KnownValues::evaluate(Value value) {
    if (const auto known = known_.find(value.index); known != known_.end()) return known->second;
    if (const at::Tensor* state = state_of(value)) {
        const bool is_written =
            settings_.written_state != nullptr && settings_.written_state->contains(state->unsafeGetTensorImpl());
        const bool is_known = settings_.knows_state && !settings_.is_nested && !state->is_meta() && !is_written;
        return known_[value.index] = is_known ? *state : at::Tensor();
    }
    const TraceOp* op = maker_of(value);
    if (op == nullptr || !run(*op)) return known_[value.index] = at::Tensor();
    return known_.at(value.index);
}

/// Makes the results of an op known. False when an argument is not, or the op is none that always gives the same.
inline bool KnownValues::run(const TraceOp& op) {
    const auto handle = op.schema != nullptr ? find_op(op.name) : std::nullopt;
    if (!handle || handle->hasTag(at::Tag::nondeterministic_seeded)) return false;
    for (const Output& output : op.outputs)
        for (const Value value : output.values)
            if (const TraceValue& made = trace_.values[value.index];
                made.kind != ValueKind::tensor || !made.tensor.defined() || made.tensor.numel() > most_elements)
                return false;
    const std::vector<Argument> arguments = op.arguments;
    bool all_known = true;
    for (const Argument& argument : arguments)
        for_each_value(argument, [&](Value value) { all_known = all_known && evaluate(value).defined(); });
    if (!all_known) return false;
    torch::jit::Stack stack;
    const auto& wanted = handle->schema().arguments();
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (i < arguments.size() && !(arguments[i].is_none() && wanted[i].default_value()))
            stack.push_back(to_ivalue(arguments[i], *wanted[i].real_type(),
                                      [&](Value value) -> c10::IValue { return known_.at(value.index); }));
        else
            stack.push_back(wanted[i].default_value().value_or(c10::IValue()));
    const c10::AutoGradMode no_gradients(false);
    try {
        handle->callBoxed(stack);
    } catch (const c10::Error&) {
        return false;  // of other sizes than the fakes have, where these depend on values
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        const auto& values = op.outputs[i].values;
        if (op.outputs[i].is_list) {
            const auto tensors = stack[i].toTensorVector();
            for (std::size_t k = 0; k < values.size() && k < tensors.size(); ++k) known_[values[k].index] = tensors[k];
        } else if (values.size() == 1 && stack[i].isTensor()) {
            known_[values[0].index] = stack[i].toTensor();
        }
    }
    return true;
}

/// From here on the program holds for what that state is now.
inline void KnownValues::fix_state_behind(Value value) {
    std::vector<Value> behind{value};
    std::vector<Value> seen;
    while (!behind.empty()) {
        const Value one = behind.back();
        behind.pop_back();
        if (algo::contains(seen, one)) continue;
        seen.push_back(one);
        if (state_of(one) != nullptr) {
            if (!algo::contains(trace_.fixed, one)) trace_.fixed.push_back(one);
        } else if (const TraceOp* op = maker_of(one)) {
            for (const Argument& argument : op->arguments)
                for_each_value(argument, [&](Value each) { behind.push_back(each); });
        }
    }
}

}  // namespace ferry::capture
