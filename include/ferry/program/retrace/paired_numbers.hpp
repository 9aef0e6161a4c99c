#pragma once

#include <ferry/capture/op_rules.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/interpreter.hpp>

#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// A program that runs without complex numbers: pairs of real ones stand for them, see complex_numbers.hpp.
namespace ferry::detail {

[[nodiscard]] inline at::Tensor paired(const at::Tensor& real, const at::Tensor& imaginary) {
    return at::cat({real.unsqueeze(-1), imaginary.unsqueeze(-1)}, -1);
}

/// A complex number that was written where the op has a tensor. It is read below the dispatcher, where a capture does not see it.
[[nodiscard]] inline c10::complex<double> written_number(const at::Tensor& tensor) {
    return *tensor.const_data_ptr<c10::complex<double>>();
}

/// Calls an op on pairs: by its entry in the namespace `complex`; once for each part; or, where there is neither, on complex numbers,
/// which are there for that one call.
class PairedCall {
public:
    PairedCall(const RunWatch& watch, capture::Kernel (*find)(std::string_view op)) : watch_(watch), find_(find) {}

    void operator()(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
        const Node& node = *watch_.node;
        if (!is_on_complex(*watch_.graph, node)) return op.callBoxed(stack);
        if (const capture::Kernel own = find_(complex_name(node.op()))) return own(op, {}, &stack);
        if (acts_on_parts(node.op())) return call_on_parts(op, stack);
        call_on_complex(op, stack);
    }

private:
    enum class Part : std::int64_t { real, imaginary };

    /// `change` is given each tensor among the values of an op, with the place that the graph has it at.
    template <class Change>
    static void for_each_tensor(c10::IValue& boxed, const std::vector<Value>& values, const Change& change) {
        std::size_t next = 0;
        const auto changed = [&](const at::Tensor& tensor) {
            return change(tensor, next < values.size() ? values[next++] : Value());
        };
        if (boxed.isTensor()) {
            if (boxed.toTensor().defined()) boxed = changed(boxed.toTensor());
        } else if (boxed.isTensorList()) {
            c10::List<at::Tensor> made;
            for (const at::Tensor& tensor : boxed.toTensorVector()) made.push_back(changed(tensor));
            boxed = std::move(made);
        } else if (boxed.isOptionalTensorList()) {
            c10::List<std::optional<at::Tensor>> made;
            for (const std::optional<at::Tensor>& tensor : boxed.toOptionalTensorVector())
                made.push_back(tensor && tensor->defined() ? std::optional(changed(*tensor)) : tensor);
            boxed = std::move(made);
        }
    }
    [[nodiscard]] static std::vector<Value> values_in(const Argument* argument) {
        std::vector<Value> values;
        if (argument != nullptr) for_each_value(*argument, [&](Value value) { values.push_back(value); });
        return values;
    }
    template <class Change>
    void change_arguments(const c10::OperatorHandle& op, torch::jit::Stack& stack, const Change& change) const {
        const auto& wanted = op.schema().arguments();
        for (std::size_t i = 0; i < wanted.size(); ++i)
            for_each_tensor(stack[i], values_in(watch_.node->find(wanted[i].name())), change);
    }
    template <class Change>
    void change_results(torch::jit::Stack& stack, const Change& change) const {
        const auto outputs = watch_.node->outputs();
        for (std::size_t i = 0; i < outputs.size() && i < stack.size(); ++i)
            for_each_tensor(stack[i], outputs[i].values, change);
    }
    [[nodiscard]] bool is_pair(Value value) const { return value && is_complex_value(*watch_.graph, value); }

    void call_on_complex(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
        change_arguments(op, stack, [this](const at::Tensor& tensor, Value value) {
            return is_pair(value) ? at::view_as_complex(tensor.contiguous()) : tensor;
        });
        op.callBoxed(stack);
        change_results(stack, [this](const at::Tensor& tensor, Value value) {
            return is_pair(value) ? at::view_as_real(tensor.resolve_conj()) : tensor;
        });
    }

    void call_on_parts(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
        torch::jit::Stack real = stack_of(Part::real, op, stack), imaginary = stack_of(Part::imaginary, op, stack);
        op.callBoxed(real);
        op.callBoxed(imaginary);
        for (std::size_t i = 0; i < real.size(); ++i) {
            std::vector<at::Tensor> others;
            for_each_tensor(imaginary[i], {}, [&](const at::Tensor& tensor, Value) {
                others.push_back(tensor);
                return tensor;
            });
            std::size_t next = 0;
            for_each_tensor(real[i], {},
                            [&](const at::Tensor& tensor, Value) { return paired(tensor, others.at(next++)); });
        }
        stack = std::move(real);
    }

    /// Real numbers beside complex ones have nothing imaginary; conditions and positions are what they are for either part.
    [[nodiscard]] torch::jit::Stack stack_of(Part part, const c10::OperatorHandle& op, torch::jit::Stack stack) const {
        const auto number = [part](const c10::complex<double>& whole) {
            return c10::Scalar(part == Part::real ? whole.real() : whole.imag());
        };
        change_arguments(op, stack, [&](const at::Tensor& tensor, Value value) {
            if (is_pair(value)) return tensor.select(-1, static_cast<std::int64_t>(part));
            if (tensor.is_complex()) return at::native::wrapped_scalar_tensor(number(written_number(tensor)));
            return part == Part::imaginary && tensor.is_floating_point() ? at::zeros_like(tensor) : tensor;
        });
        const auto& wanted = op.schema().arguments();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i].name() == "dtype" && stack[i].isInt())
                stack[i] = static_cast<std::int64_t>(c10::toRealValueType(stack[i].toScalarType()));
            else if (stack[i].isComplexDouble())
                stack[i] = number(stack[i].toComplexDouble());
            else if (is_term(wanted[i].name()) && stack[i].isScalar() && part == Part::imaginary)
                stack[i] = 0;
        }
        return stack;
    }
    /// Numbers that are added, or stand for elements.
    [[nodiscard]] static bool is_term(std::string_view argument) { return argument == "other" || argument == "value"; }

    const RunWatch& watch_;
    capture::Kernel (*find_)(std::string_view op);
};

}  // namespace ferry::detail
