#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/require_ops.hpp>
#include <ferry/graph/run_functionalized.hpp>
#include <ferry/graph/run_higher_order.hpp>
#include <ferry/graph/sym_call.hpp>

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// Looks on while a graph runs.
struct RunWatch {
    const Graph* graph = nullptr;  ///< of the node that is up, which may be a body of control flow
    const Node* node = nullptr;
    /// What control flow does.
    std::function<BoxedValues(std::string_view op, const std::vector<BoxedValues>& arguments, const RunSubgraph& run)>
        higher_order = &run_higher_order;
    /// How an op is called on its boxed arguments, which its results take the place of. None: through the dispatcher.
    std::function<void(const c10::OperatorHandle& op, torch::jit::Stack& stack)> call{};
    /// Is told what a function over sizes is called with, and what it gives.
    std::function<void(const Node&, std::span<const SymNumber>, const SymNumber&)> on_numbers{};
};

/// A graph made ready to run: ops looked up, constant arguments boxed, and for each step the values that nobody needs
/// afterwards. Runs through the dispatcher, so that it is differentiable like eager code.
class Interpreter {
public:
    explicit Interpreter(const Graph& graph);

    /// One value for each input of the graph; gives one for each of its outputs.
    [[nodiscard]] std::vector<c10::IValue> run(std::span<const c10::IValue> inputs, RunWatch* watch = nullptr) const;

private:
    struct Step {
        const Node* node = nullptr;
        std::optional<c10::OperatorHandle> op{};
        SymCall sym_call = nullptr;
        std::optional<std::int64_t> size_of{};      // of a tensor along this dimension
        bool is_functionalized = false;
        std::vector<c10::IValue> arguments{};       // those with values in them are filled in at run time
        std::vector<std::pair<std::size_t, const Argument*>> variable{};
        std::vector<Value> last_uses{};
        std::vector<Interpreter> bodies{};          // of a higher-order op
    };

    [[nodiscard]] Step prepare(const Node& node) const;
    static void run_step(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch);
    static void run_bodies(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch);
    static void set_results(const Node& node, std::vector<c10::IValue>& values, const BoxedValues& results);

    const Graph* graph_;
    std::vector<Step> steps_;
};

namespace detail {

[[nodiscard]] inline bool holds_value(const Argument& argument) {
    bool found = false;
    for_each_value(argument, [&](Value) { found = true; });
    return found;
}

[[nodiscard]] inline SymNumber to_number(const c10::IValue& value) {
    if (value.isInt()) return value.toInt();
    if (value.isDouble()) return value.toDouble();
    if (value.isBool()) return value.toBool();
    return value.toSymInt().guard_int(__FILE__, __LINE__);
}

}  // namespace detail

inline Interpreter::Step Interpreter::prepare(const Node& node) const {
    Step step{.node = &node};
    const auto arguments = node.arguments();
    if (node.op() == "aten::sym_size.int" && arguments.size() == 2 && arguments[0].value.is<Value>() &&
        arguments[1].value.is<std::int64_t>() && node.output()) {
        const std::int64_t dim = *arguments[1].value.get_if<std::int64_t>();
        const std::size_t dims = graph_->info(*arguments[0].value.get_if<Value>()).tensor.sizes.size();
        step.size_of =
            dim < 0 ? dim + static_cast<std::int64_t>(dims) : dim;  // pairs of numbers have one dimension more
        return step;
    }
    if (is_auto_functionalized(node.op())) {
        step.op = find_op(mutable_op(node));
        step.is_functionalized = true;
        return step;
    }
    if (find_higher_order(node.op()) != nullptr) {
        for (const NamedArgument& argument : node.arguments())
            if (const auto* body = argument.value.get_if<Subgraph>()) step.bodies.emplace_back(graph_->subgraph(*body));
        if (step.bodies.empty())
            throw Error(ErrorKind::invalid_input, "a higher-order op has no body",
                        {.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
        return step;
    }
    step.sym_call = find_sym_call(node.op());
    if (step.sym_call != nullptr) return step;
    step.op = find_op(node.op());
    const auto& wanted = step.op->schema().arguments();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Argument* given = node.find(wanted[i].name());
        if (given == nullptr) {
            step.arguments.push_back(wanted[i].default_value().value_or(c10::IValue()));
        } else if (detail::holds_value(*given)) {
            step.arguments.emplace_back();
            step.variable.emplace_back(i, given);
        } else {
            step.arguments.push_back(
                to_ivalue(*given, *wanted[i].real_type(), [](Value) -> c10::IValue { return {}; }));
        }
    }
    return step;
}

inline Interpreter::Interpreter(const Graph& graph) : graph_(&graph) {
    require_ops(graph);
    std::vector<std::size_t> last_use(graph.num_values(), 0);
    std::vector<bool> is_output(graph.num_values(), false);
    for (const Argument& output : graph.outputs())
        for_each_value(output, [&](Value value) { is_output[value.index] = true; });
    for (const Node& node : graph.nodes()) {
        steps_.push_back(prepare(node));
        for (const NamedArgument& argument : node.arguments())
            for_each_value(argument.value, [&](Value value) { last_use[value.index] = steps_.size(); });
        for (const Output& output : node.outputs())
            for (const Value value : output.values)
                last_use[value.index] = std::max(last_use[value.index], steps_.size());
    }
    for (std::uint32_t i = 0; i < last_use.size(); ++i)
        if (last_use[i] != 0 && !is_output[i]) steps_[last_use[i] - 1].last_uses.push_back({i});
}

inline void Interpreter::run_bodies(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch) {
    const auto lookup = [&](Value value) -> const c10::IValue& { return values[value.index]; };
    std::vector<BoxedValues> arguments;
    for (const NamedArgument& argument : step.node->arguments()) {
        if (argument.value.is<Subgraph>()) continue;
        BoxedValues& flat = arguments.emplace_back();
        if (const auto* list = argument.value.get_if<ArgumentList>())
            for (const Argument& item : *list) flat.push_back(to_ivalue(item, *c10::AnyType::get(), lookup));
        else
            flat.push_back(to_ivalue(argument.value, *c10::AnyType::get(), lookup));
    }
    const RunSubgraph run = [&](std::size_t body, const BoxedValues& given) {
        return step.bodies.at(body).run(given, watch);
    };
    const auto results = watch != nullptr ? watch->higher_order(step.node->op(), arguments, run)
                                          : run_higher_order(step.node->op(), arguments, run);
    set_results(*step.node, values, results);
}

inline void Interpreter::set_results(const Node& node, std::vector<c10::IValue>& values, const BoxedValues& results) {
    std::size_t next = 0;
    const auto take = [&]() -> const c10::IValue& {
        if (next == results.size())
            throw Error(ErrorKind::invalid_input, "the body of a higher-order op has fewer outputs than the op",
                        {.where = {.op = std::string(node.op())}});
        return results[next++];
    };
    for (const Output& output : node.outputs()) {
        if (output.values.empty() && !output.is_list) static_cast<void>(take());  // None
        for (const Value value : output.values) values[value.index] = take();
    }
}

inline void Interpreter::run_step(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch) {
    const auto lookup = [&](Value value) -> const c10::IValue& { return values[value.index]; };
    if (step.size_of) {
        const at::Tensor& tensor = lookup(*step.node->arguments()[0].value.get_if<Value>()).toTensor();
        values[step.node->output().index] = tensor.size(*step.size_of);
        return;
    }
    if (!step.bodies.empty()) return run_bodies(step, values, watch);
    if (step.is_functionalized)
        return set_results(*step.node, values, detail::FunctionalizedCall(*step.node, *step.op, lookup).run());
    if (step.sym_call != nullptr) {
        std::vector<SymNumber> numbers;
        for (const NamedArgument& argument : step.node->arguments()) {
            if (const auto* value = argument.value.get_if<Value>())
                numbers.push_back(detail::to_number(lookup(*value)));
            else if (const auto* integer = argument.value.get_if<std::int64_t>())
                numbers.emplace_back(*integer);
            else if (const auto* real = argument.value.get_if<double>())
                numbers.emplace_back(*real);
            else if (const auto* flag = argument.value.get_if<bool>())
                numbers.emplace_back(*flag);
        }
        const SymNumber result = step.sym_call(numbers);
        if (watch != nullptr && watch->on_numbers) watch->on_numbers(*step.node, numbers, result);
        values[step.node->output().index] = std::visit([](auto number) { return c10::IValue(number); }, result);
        return;
    }
    torch::jit::Stack stack = step.arguments;
    const auto& schema = step.op->schema();
    for (const auto& [position, argument] : step.variable)
        stack[position] = to_ivalue(*argument, *schema.arguments()[position].real_type(), lookup);
    if (watch != nullptr && watch->call)
        watch->call(*step.op, stack);
    else
        step.op->callBoxed(stack);
    const auto outputs = step.node->outputs();
    for (std::size_t i = 0; i < outputs.size() && i < stack.size(); ++i) {
        if (!outputs[i].is_list) {
            if (!outputs[i].values.empty()) values[outputs[i].values[0].index] = std::move(stack[i]);
            continue;
        }
        const auto tensors = stack[i].toTensorVector();
        if (tensors.size() != outputs[i].values.size())
            throw Error(ErrorKind::invalid_input,
                        "an op returned " + std::to_string(tensors.size()) + " tensors where the program has " +
                            std::to_string(outputs[i].values.size()),
                        {.where = {.op = std::string(step.node->op()), .path = std::string(step.node->module_path())}});
        for (std::size_t k = 0; k < tensors.size(); ++k) values[outputs[i].values[k].index] = tensors[k];
    }
}

inline std::vector<c10::IValue> Interpreter::run(std::span<const c10::IValue> inputs, RunWatch* watch) const {
    const auto wanted = graph_->inputs();
    if (inputs.size() != wanted.size())
        throw Error(ErrorKind::internal, "a graph of " + std::to_string(wanted.size()) + " inputs was given " +
                                             std::to_string(inputs.size()));
    std::vector<c10::IValue> values(graph_->num_values());
    for (std::size_t i = 0; i < wanted.size(); ++i) values[wanted[i].index] = inputs[i];
    for (const Step& step : steps_) {
        if (watch != nullptr) watch->graph = graph_, watch->node = step.node;
        run_step(step, values, watch);
        for (const Value value : step.last_uses) values[value.index] = {};
    }
    std::vector<c10::IValue> outputs;
    for (const Argument& output : graph_->outputs())
        outputs.push_back(to_ivalue(output, *c10::AnyType::get(), [&](Value value) { return values[value.index]; }));
    return outputs;
}

}  // namespace ferry
