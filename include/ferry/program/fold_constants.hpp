#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/op_effects.hpp>
#include <ferry/graph/passes/fold_constants.hpp>
#include <ferry/graph/verify.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// The part of a program that follows from its constants alone, as a graph of its own that runs once.
class ConstantFolder {
public:
    ConstantFolder(ExportedProgram& program, std::int64_t max_bytes, bool (*stays)(const Node&))
        : program_(program), graph_(program.graph), max_bytes_(max_bytes), stays_(stays) {}

    std::size_t run() {
        known_.assign(graph_.num_values(), Value());
        std::vector<c10::IValue> inputs;
        for (const InputSpec& input : program_.signature.inputs) {
            const at::Tensor* constant = constant_of(input);
            if (constant == nullptr) continue;
            const Value value = *input.argument.get_if<Value>();
            known_[value.index] = part_.add_input(input.name, {.name = {}, .tensor = graph_.info(value).tensor});
            inputs.emplace_back(*constant);
        }
        OpEffects effects;
        for (Node& node : graph_.nodes())
            if (effects.of(graph_, node) == Effect::none && is_known(node)) copy(node);
        find_results();
        if (results_.empty()) return 0;
        std::vector<Argument> outputs;
        outputs.reserve(results_.size());
        for (const Value result : results_) outputs.emplace_back(known_[result.index]);
        part_.set_outputs(std::move(outputs));
        const c10::NoGradGuard no_gradients;
        const auto tensors = Interpreter(part_).run(inputs);
        for (std::size_t i = 0; i < results_.size(); ++i) add_constant(results_[i], tensors[i].toTensor().detach());
        return clean_up();
    }

private:
    /// Not parameters and buffers: those may be changed before the program runs. Not fakes: they have no values.
    [[nodiscard]] const at::Tensor* constant_of(const InputSpec& input) const {
        if (input.kind != InputKind::constant_tensor || !input.argument.is<Value>()) return nullptr;
        for (const OutputSpec& output : program_.signature.outputs)
            if (output.kind != OutputKind::user_output && output.target == input.target) return nullptr;
        for (const auto& [name, tensor] : program_.constants)
            if (name == input.target) return tensor.defined() && !tensor.is_meta() ? &tensor : nullptr;
        return nullptr;
    }

    [[nodiscard]] bool is_known(const Node& node) const {
        bool known = !node.op().starts_with("higher_order::");
        for (const NamedArgument& argument : node.arguments())
            for_each_value(argument.value, [&](Value value) { known = known && known_[value.index]; });
        for (const Output& output : node.outputs())
            for (const Value value : output.values) {
                const ValueInfo& info = graph_.info(value);
                // A result that is returned stays computed: whoever gets it may write to it.
                known = known && info.kind == ValueKind::tensor && info.output_uses == 0 &&
                        bytes(info.tensor) <= max_bytes_;
            }
        return known;
    }

    [[nodiscard]] std::int64_t bytes(const TensorMeta& meta) const {
        std::int64_t total = info(meta.dtype).bytes;
        for (const SymExpr& size : meta.sizes) {
            if (!size.is_constant()) return INT64_MAX;
            if (size.value() != 0 && total > max_bytes_ / std::max<std::int64_t>(size.value(), 1)) return INT64_MAX;
            total *= size.value();
        }
        return total;
    }

    void copy(Node& node) {
        const auto exchange = [&](Value& value) { value = known_[value.index]; };
        std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
        for (NamedArgument& argument : arguments) for_each_value(argument.value, exchange);
        std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
        for (Output& output : outputs)
            for (Value& value : output.values)
                value = known_[value.index] =
                    part_.new_value(graph_.info(value).name, {.name = {}, .tensor = graph_.info(value).tensor});
        part_.append(node.op(), std::move(arguments), std::move(outputs));
        folded_.push_back(&node);
        in_part_.insert(&node);
    }

    /// What the rest of the program takes from that part. An op over numbers alone is left where it is, if nothing else of the
    /// part goes before it: `zeros({64})` says more than its 64 zeros.
    void find_results() {
        std::vector<bool> keep(folded_.size(), false);
        for (std::size_t i = folded_.size(); i-- > 0;) {
            const Node& node = *folded_[i];
            for (const Output& output : node.outputs())
                for (const Value value : output.values) {
                    const auto& users = graph_.info(value).users;
                    const bool leaves = algo::any_of(users, [&](const Node* user) { return !in_part_.contains(user); });
                    if (!leaves) continue;
                    if (takes_values(node) || !stays_(node))
                        results_.push_back(value);
                    else
                        keep[i] = true;
                }
        }
        std::vector<Node*> going;
        for (std::size_t i = 0; i < folded_.size(); ++i)
            if (!keep[i]) going.push_back(folded_[i]);
        folded_ = std::move(going);
        std::reverse(results_.begin(), results_.end());
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
        for (std::size_t i = folded_.size(); i-- > 0;) {
            Node& node = *folded_[i];
            bool used = false;
            for (const Output& output : node.outputs())
                for (const Value value : output.values) used = used || graph_.is_used(value);
            if (used) continue;
            graph_.erase(node);
            ++erased;
        }
        std::erase_if(program_.signature.inputs, [&](const InputSpec& input) {
            if (constant_of(input) == nullptr || graph_.is_used(*input.argument.get_if<Value>())) return false;
            graph_.erase_input(*input.argument.get_if<Value>());
            std::erase_if(program_.constants, [&](const auto& named) { return named.first == input.target; });
            return true;
        });
        debug_verify(graph_);
        return erased;
    }

    ExportedProgram& program_;
    Graph& graph_;
    std::int64_t max_bytes_;
    bool (*stays_)(const Node&);
    Graph part_;
    std::vector<Value> known_;  // of each value of the program: the one of the part, or nothing
    std::vector<Node*> folded_;
    std::unordered_set<const Node*> in_part_;
    std::vector<Value> results_;
    std::size_t count_ = 0;
};

}  // namespace detail

/// Computes once what follows from the program's constants and from numbers alone, where each result is of `max_bytes` or
/// less, and makes it a constant; sizes that are known too. An op over numbers alone goes where `stays` says so, or others do with it.
/// Returns how many nodes went.
inline std::size_t fold_constants(
    ExportedProgram& program, std::int64_t max_bytes = std::int64_t{1} << 16,
    bool (*stays)(const Node&) = [](const Node&) { return true; }) {
    const std::size_t sizes = fold_constants(program.graph);
    const std::size_t tensors = detail::ConstantFolder(program, max_bytes, stays).run();
    program.renew_outputs();
    return sizes + tensors;
}

}  // namespace ferry
