#pragma once

#include <ferry/capture/dispatch.hpp>
#include <ferry/capture/op_classes.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Lets every op do what it does, and remembers what the model is told when it asks for the values of tensors.
class ValueObserver final : public OpHandler {
public:
    ValueObserver()
        : OpHandler([](OpHandler& self, const c10::OperatorHandle& op, c10::DispatchKeySet,
                       torch::jit::Stack* stack) { static_cast<ValueObserver&>(self).take(op, stack); },
                    /*records=*/false) {}

    [[nodiscard]] std::vector<std::int64_t> take_values() noexcept { return std::move(values_); }

private:
    void take(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
        const UntracedScope below;
        op.callBoxed(stack);
        if (class_of(c10::toString(op.operator_name())) != OpClass::value_query) return;
        const c10::IValue& told = stack->back();
        values_.push_back(told.isInt() ? told.toInt() : 0);  // only integers are used as numbers of a graph
    }

    std::vector<std::int64_t> values_;
};

/// What a model is told in a real run: an answer for each of its questions.
template <class Run>
[[nodiscard]] std::vector<std::int64_t> observe_values(Run&& run) {
    const c10::AutoGradMode no_gradients(false);
    ValueObserver observer;
    const TraceScope scope(observer);
    run();
    return observer.take_values();
}

}  // namespace ferry::capture
