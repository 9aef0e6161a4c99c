#pragma once

#include <ferry/capture/trace.hpp>
#include <ferry/graph/argument.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

/// `x.contiguous()` calls no op where x is contiguous already, as a transposed tensor is when one of its sizes is 1. A run without the
/// call does the same as one with it.
namespace ferry::capture {

/// Whether some calls of contiguous() are all that `shorter` lacks, by the names of ops.
[[nodiscard]] inline bool lacks_contiguous(const Trace& longer, const Trace& shorter) {
    if (shorter.ops.size() >= longer.ops.size() || shorter.inputs.size() != longer.inputs.size() ||
        shorter.lifted.size() != longer.lifted.size() || shorter.mutations.size() != longer.mutations.size() ||
        shorter.outputs.size() != longer.outputs.size() || !shorter.reals.empty() || !shorter.fixed.empty())
        return false;
    std::size_t next = 0;
    for (const TraceOp& wanted : longer.ops) {
        const TraceOp* const op = next < shorter.ops.size() ? &shorter.ops[next] : nullptr;
        if (op == nullptr || op->name != wanted.name) {
            if (wanted.name != "aten::contiguous") return false;
            continue;
        }
        if (op->arguments.size() != wanted.arguments.size() || op->outputs.size() != wanted.outputs.size())
            return false;
        for (std::size_t i = 0; i < op->outputs.size(); ++i)
            if (op->outputs[i].values.size() != wanted.outputs[i].values.size()) return false;
        ++next;
    }
    return next == shorter.ops.size();
}

namespace detail {

/// For a run that lacks_contiguous().
class ContiguousAligner {
public:
    ContiguousAligner(const Trace& longer, Trace shorter) : longer_(longer), shorter_(std::move(shorter)) {}

    [[nodiscard]] Trace align() && {
        Trace made;
        made.values.resize(longer_.values.size());
        made.ops.reserve(longer_.ops.size());
        for (std::size_t i = 0; i < longer_.inputs.size(); ++i) take(made, shorter_.inputs[i], longer_.inputs[i]);
        for (std::size_t i = 0; i < longer_.lifted.size(); ++i)
            take(made, shorter_.lifted[i].value, longer_.lifted[i].value);
        std::size_t next = 0;
        for (const TraceOp& wanted : longer_.ops) {
            if (next < shorter_.ops.size() && shorter_.ops[next].name == wanted.name)
                take_op(made, std::move(shorter_.ops[next++]), wanted);
            else
                insert(made, wanted);
        }
        return finish(std::move(made));
    }

private:
    void take(Trace& made, Value from, Value to) {
        renamed_[from.index] = to;
        made.values[to.index] = shorter_.values[from.index];
    }
    /// What the longer run has in place of a value; `like` is what it uses there.
    void rename(Argument& argument, const Argument& like) {
        std::vector<Value> wanted;
        for_each_value(like, [&](Value value) { wanted.push_back(value); });
        std::size_t at = 0;
        for_each_value(argument, [&](Value& value) {
            const auto found = renamed_.find(value.index);
            const Value expected = at < wanted.size() ? wanted[at] : Value();
            ++at;
            if (found == renamed_.end()) return;
            value = found->second;
            for (Value one = expected; one; one = behind(one))
                if (one == value) {
                    value = expected;
                    return;
                }
        });
    }
    /// What an inserted call was made of.
    [[nodiscard]] Value behind(Value value) const {
        const auto found = inserted_.find(value.index);
        return found != inserted_.end() ? found->second : Value();
    }
    void take_op(Trace& made, TraceOp op, const TraceOp& wanted) {
        for (std::size_t i = 0; i < op.arguments.size(); ++i) rename(op.arguments[i], wanted.arguments[i]);
        for (std::size_t i = 0; i < op.outputs.size(); ++i)
            for (std::size_t k = 0; k < op.outputs[i].values.size(); ++k)
                take(made, std::exchange(op.outputs[i].values[k], wanted.outputs[i].values[k]),
                     wanted.outputs[i].values[k]);
        made.ops.push_back(std::move(op));
    }
    void insert(Trace& made, const TraceOp& wanted) {
        const Value self = *wanted.arguments[0].get_if<Value>(), result = wanted.outputs[0].values[0];
        made.values[result.index] = made.values[self.index];
        inserted_[result.index] = self;
        made.ops.push_back(wanted);
    }
    [[nodiscard]] Trace finish(Trace made) {
        made.inputs = longer_.inputs;
        made.lifted = std::move(shorter_.lifted);
        for (std::size_t i = 0; i < made.lifted.size(); ++i) made.lifted[i].value = longer_.lifted[i].value;
        made.outputs = std::move(shorter_.outputs);
        for (std::size_t i = 0; i < made.outputs.size(); ++i) rename(made.outputs[i], longer_.outputs[i]);
        made.mutations = longer_.mutations;
        made.unbacked = std::move(shorter_.unbacked);
        made.unbacked_names = std::move(shorter_.unbacked_names);
        made.asked = longer_.asked;
        return made;
    }

    const Trace& longer_;
    Trace shorter_;
    std::unordered_map<std::uint32_t, Value> renamed_;
    std::unordered_map<std::uint32_t, Value> inserted_;
};

}  // namespace detail

/// `shorter` with the calls of contiguous() that it has left out, if that is all that it lacks.
[[nodiscard]] inline Trace with_contiguous_of(const Trace& longer, Trace shorter) {
    if (!lacks_contiguous(longer, shorter)) return shorter;
    return detail::ContiguousAligner(longer, std::move(shorter)).align();
}

}  // namespace ferry::capture
