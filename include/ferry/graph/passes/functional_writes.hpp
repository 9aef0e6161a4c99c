#pragma once

#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/verify.hpp>
#include <ferry/graph/written_inputs.hpp>

#include <ATen/core/function_schema.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// The op that gives what an in-place op writes: aten::add.Tensor for aten::add_.Tensor. Empty if there is none.
[[nodiscard]] inline std::string functional_form(std::string_view op) {
    const auto in_place = find_op(op);
    const std::size_t dot = op.find('.'), end = dot == op.npos ? op.size() : dot;
    if (!in_place || end < 2 || op[end - 1] != '_' || op[end - 2] == '_') return {};
    std::string form = std::string(op.substr(0, end - 1)).append(op.substr(end));
    const auto found = find_op(form);
    if (!found || found->schema().is_mutable() || found->schema().returns().size() != 1) return {};
    const auto &given = in_place->schema().arguments(), &taken = found->schema().arguments();
    if (given.size() != taken.size()) return {};
    for (std::size_t i = 0; i < given.size(); ++i) {
        const bool is_written = given[i].alias_info() != nullptr && given[i].alias_info()->isWrite();
        if (given[i].name() != taken[i].name() || is_written != (i == 0)) return {};
    }
    return form;
}

class FunctionalWrites {
public:
    explicit FunctionalWrites(Graph& graph) : graph_(graph) {}

    void run() {
        if (!any_in_place()) return;
        close_memory_that_others_see();
        std::vector<Node*> replaced;
        for (Node& node : graph_.nodes()) {
            rename_arguments(node);
            const std::string& form = op_of(node).form;
            const Value self = form.empty() ? Value() : first_value(node);
            if (!self || closed_[group_of_[self.index]]) continue;
            const ValueInfo like = graph_.info(node.output(0) ? node.output(0) : self);
            const Value written = graph_.new_value(like.name, {.name = {}, .kind = like.kind, .tensor = like.tensor});
            std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
            Node& made = graph_.insert_before(&node, form, std::move(arguments), {Output{{written}}});
            made.set_module_path(node.module_path());
            group_of_.push_back(group_of_[self.index]);
            now_.insert_or_assign(group_of_.back(), written);
            replaced.push_back(&node);
        }
        std::vector<Argument> outputs = graph_.outputs();
        for (Argument& output : outputs) rename(output);
        graph_.set_outputs(std::move(outputs));
        while (!replaced.empty()) {
            graph_.erase(*replaced.back());
            replaced.pop_back();
        }
    }

private:
    struct Op {
        std::string form{};          ///< of an in-place op that has one
        bool keeps_writes = false;   ///< what it takes may be written or seen in ways that are not known here
    };

    [[nodiscard]] const Op& op_of(const Node& node) {
        const auto [found, is_new] = ops_.try_emplace(node.op().data());  // interned: one address for each op
        if (is_new) {
            const auto op = find_op(node.op());
            found->second.form = functional_form(node.op());
            found->second.keeps_writes = !op || (op->schema().is_mutable() && found->second.form.empty());
        }
        return found->second;
    }
    [[nodiscard]] bool any_in_place() {
        for (const Node& node : graph_.nodes())
            if (!op_of(node).form.empty()) return true;
        return false;
    }
    [[nodiscard]] static Value first_value(const Node& node) {
        const auto* value = node.arguments().empty() ? nullptr : node.arguments()[0].value.get_if<Value>();
        return value != nullptr ? *value : Value();
    }

    /// What is an input, has views, is written by other ops or goes into bodies keeps its writes.
    void close_memory_that_others_see() {
        const WrittenInputs memory(graph_);
        closed_.resize(graph_.num_values());
        for (std::uint32_t i = 0; i < graph_.num_values(); ++i) group_of_.push_back(memory.memory_of({i}));
        const auto close = [&](Value value) { closed_[group_of_[value.index]] = true; };
        for (const Value input : graph_.inputs()) close(input);
        for (const Node& node : graph_.nodes()) {
            const Op& op = op_of(node);
            if (op.keeps_writes)
                for (const NamedArgument& argument : node.arguments()) for_each_value(argument.value, close);
            if (!op.form.empty()) continue;
            for (const Output& output : node.outputs())
                for (const Value value : output.values)
                    if (value && group_of_[value.index] != value.index) close(value);
        }
    }

    void rename(Argument& argument) const {
        for_each_value(argument, [&](Value& value) {
            if (const auto found = now_.find(group_of_[value.index]); found != now_.end()) value = found->second;
        });
    }
    void rename_arguments(Node& node) {
        for (std::size_t i = 0; i < node.arguments().size(); ++i) {
            Argument argument = node.arguments()[i].value;
            rename(argument);
            if (!(argument == node.arguments()[i].value)) graph_.set_argument(node, i, std::move(argument));
        }
    }

    Graph& graph_;
    std::unordered_map<const char*, Op> ops_;
    std::vector<std::uint32_t> group_of_;           // of each value: the first one of its memory
    std::vector<bool> closed_;                      // by group
    std::unordered_map<std::uint32_t, Value> now_;  // what stands for a group from here on
};

}  // namespace detail

/// In-place ops on tensors that nothing else sees become ops that give new tensors: behind `x.index_put_(...)`, which is now
/// `y = x.index_put(...)`, all that used x uses y. Other writes stay.
inline void make_writes_functional(Graph& graph) {
    detail::FunctionalWrites(graph).run();
    debug_verify(graph);
}

}  // namespace ferry
