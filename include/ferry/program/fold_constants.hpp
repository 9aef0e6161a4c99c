#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/passes/fold_constants.hpp>
#include <ferry/graph/verify.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/foldable_part.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// Not an op over numbers alone.
[[nodiscard]] inline bool takes_values(const Node& node) {
    return algo::any_of(node.arguments(), [](const NamedArgument& each) { return holds_value(each.value); });
}

/// Runs what can be folded once, as a graph of its own, and puts its results in its place.
class ConstantFolder {
public:
    ConstantFolder(ExportedProgram& program, const FoldOptions& options)
        : program_(program), graph_(program.graph), options_(options), part_(program, options) {}

    std::size_t run() {
        find_results();
        if (results_.empty()) return 0;
        const std::vector<c10::IValue> tensors = compute();
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const at::Tensor& tensor = tensors[i].toTensor();
            if (!part_.is_given_weight(tensor)) add_constant(results_[i], tensor.detach().contiguous());
        }
        return clean_up();
    }

private:
    /// What the rest of the program takes from the part. An op over numbers alone is left where it is, if it stays.
    void find_results() {
        for (Node* node : part_.nodes()) {
            const bool is_going = takes_values(*node) || !options_.stays(*node);
            bool is_needed = false;
            for (const Output& output : node->outputs())
                for (const Value value : output.values) {
                    if (!part_.leaves(value)) continue;
                    is_needed = true;
                    if (is_going) results_.push_back(value);
                }
            if (is_going || !is_needed) going_.push_back(node);
        }
    }

    [[nodiscard]] std::vector<c10::IValue> compute() {
        Graph copy;
        std::vector<c10::IValue> inputs;
        copies_.assign(graph_.num_values(), Value());
        for (const FoldablePart::Given& given : part_.given()) {
            const ValueInfo& info = graph_.info(given.value);
            copies_[given.value.index] = copy.add_input(info.name, {.name = {}, .tensor = info.tensor});
            inputs.emplace_back(given.tensor);
        }
        for (const Node* node : part_.nodes()) append(copy, *node);
        std::vector<Argument> outputs;
        outputs.reserve(results_.size());
        for (const Value result : results_) outputs.emplace_back(copies_[result.index]);
        copy.set_outputs(std::move(outputs));
        const c10::NoGradGuard no_gradients;
        return Interpreter(copy).run(inputs);
    }

    void append(Graph& copy, const Node& node) {
        const auto exchange = [&](Value& value) { value = copies_[value.index]; };
        std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
        for (NamedArgument& argument : arguments) for_each_value(argument.value, exchange);
        std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
        for (Output& output : outputs)
            for (Value& value : output.values)
                value = copies_[value.index] =
                    copy.new_value(graph_.info(value).name, {.name = {}, .tensor = graph_.info(value).tensor});
        copy.append(node.op(), std::move(arguments), std::move(outputs));
    }

    void add_constant(Value old, at::Tensor tensor) {
        auto& specs = program_.signature.inputs;
        const auto place = algo::find(specs, InputKind::user_input, &InputSpec::kind);
        std::size_t position = 0;
        for (auto spec = specs.begin(); spec != place; ++spec) position += spec->argument.is<Value>() ? 1 : 0;
        ValueInfo info{.name = {}, .tensor = graph_.info(old).tensor};
        info.tensor.strides.assign(tensor.strides().begin(), tensor.strides().end());
        const std::string target = fresh_target();
        const Value made = graph_.insert_input(position, "c_" + target, std::move(info));
        specs.insert(place, InputSpec{.kind = InputKind::constant_tensor,
                                      .argument = made,
                                      .name = graph_.info(made).name,
                                      .target = target});
        program_.constants.emplace_back(target, std::move(tensor));
        graph_.replace_uses(old, made);
    }

    [[nodiscard]] std::string fresh_target() {
        for (;;) {
            std::string target = "folded_tensor_" + std::to_string(count_++);
            if (!algo::contains(program_.constants, target,
                                [](const auto& named) -> const std::string& { return named.first; }))
                return target;
        }
    }

    std::size_t clean_up() {
        std::size_t erased = 0;
        for (std::size_t i = going_.size(); i-- > 0;) {
            Node& node = *going_[i];
            bool used = false;
            for (const Output& output : node.outputs())
                for (const Value value : output.values) used = used || graph_.is_used(value);
            if (used) continue;
            graph_.erase(node);
            ++erased;
        }
        std::unordered_set<std::string> gone;
        std::erase_if(program_.signature.inputs, [&](const InputSpec& input) {
            const auto* value = input.argument.get_if<Value>();
            const bool is_taken = value != nullptr && value->index < copies_.size() && copies_[value->index];
            if (!is_taken || graph_.is_used(*value)) return false;
            gone.insert(input.target);
            graph_.erase_input(*value);
            return true;
        });
        const auto is_gone = [&](const auto& named) { return gone.contains(named.first); };
        std::erase_if(program_.constants, is_gone);
        std::erase_if(program_.state, is_gone);
        debug_verify(graph_);
        return erased;
    }

    ExportedProgram& program_;
    Graph& graph_;
    const FoldOptions& options_;
    FoldablePart part_;
    std::vector<Value> results_;
    std::vector<Node*> going_;   // unless something that stays takes it
    std::vector<Value> copies_;  // of each value of the program: the one that is computed, or nothing
    std::size_t count_ = 0;
};

}  // namespace detail

/// Computes once what follows from the program's constants and from numbers alone, and makes it a constant; sizes that are known too.
/// Returns how many nodes went.
inline std::size_t fold_constants(ExportedProgram& program, const FoldOptions& options = {}) {
    const std::size_t sizes = fold_constants(program.graph);
    const std::size_t tensors = detail::ConstantFolder(program, options).run();
    program.renew_outputs();
    return sizes + tensors;
}

}  // namespace ferry
