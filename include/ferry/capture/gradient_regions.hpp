#pragma once

#include <ferry/capture/trace.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/argument.hpp>

#include <vector>

namespace ferry::capture {

/// What a torch::NoGradGuard in forward means to the program's gradients: results of calls made with gradients off have no history,
/// so they must be detached where a call made with gradients on takes them, and where they leave the program. A write in place
/// counts as a call: what is written with gradients off loses its history, which eager keeps for what was there before.
class GradientRegions {
public:
    explicit GradientRegions(const Trace& trace) : leaks_(trace.values.size(), false) {
        if (algo::all_of(trace.ops, &TraceOp::gradients)) return;
        std::vector<bool> carries(trace.values.size(), false);
        const auto may_carry = [&](Value value) {
            const at::Tensor& tensor = trace.values[value.index].tensor;
            return tensor.defined() && (tensor.is_floating_point() || tensor.is_complex());
        };
        for (const Value input : trace.inputs) carries[input.index] = may_carry(input);
        for (const Lifted& lifted : trace.lifted) carries[lifted.value.index] = lifted.tensor.requires_grad();
        for (const TraceOp& op : trace.ops) {
            bool any = false;
            for (const Argument& argument : op.arguments)
                for_each_value(argument, [&](Value value) {
                    any = any || (carries[value.index] && !(op.gradients && leaks_[value.index]));
                });
            for (const Output& output : op.outputs)
                for (const Value value : output.values) {
                    carries[value.index] = any && may_carry(value);
                    leaks_[value.index] = carries[value.index] && !op.gradients;
                }
        }
    }

    /// Whether the value would carry gradients that eager's has not.
    [[nodiscard]] bool must_detach(Value value) const { return leaks_[value.index]; }

private:
    std::vector<bool> leaks_;
};

}  // namespace ferry::capture
