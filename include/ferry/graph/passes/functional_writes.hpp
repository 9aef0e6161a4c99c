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
    explicit FunctionalWrites(Graph& graph) : graph_(graph), memory_(graph), closed_(graph.num_values()) {
        close_memory_that_others_see();
    }

    void run() {
        std::vector<Node*> replaced;
        for (Node& node : graph_.nodes()) {
            rename_arguments(node);
            const std::string& form = form_of(node.op());
            if (form.empty() || node.arguments().empty()) continue;
            const Value self = first_value(node);
            if (!self || !is_open(self)) continue;
            const ValueInfo& like = graph_.info(node.output(0) ? node.output(0) : self);
            const Value written = graph_.new_value(like.name, {.name = {}, .kind = like.kind, .tensor = like.tensor});
            std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
            Node& made = graph_.insert_before(&node, form, std::move(arguments), {Output{{written}}});
            made.set_module_path(node.module_path());
            const std::uint32_t group = group_of_.at(self.index);
            group_of_.emplace(written.index, group);
            now_.insert_or_assign(group, written);
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
    [[nodiscard]] static Value first_value(const Node& node) {
        const auto* value = node.arguments()[0].value.get_if<Value>();
        return value != nullptr ? *value : Value();
    }
    [[nodiscard]] const std::string& form_of(std::string_view op) {
        const auto [found, is_new] = forms_.try_emplace(op.data());  // interned: one address for each op
        if (is_new) found->second = functional_form(op);
        return found->second;
    }
    [[nodiscard]] bool is_open(Value value) const {
        const auto found = group_of_.find(value.index);
        return found != group_of_.end() && !closed_[found->second];
    }

    /// What is an input, has views, is written by other ops or goes into bodies keeps its writes.
    void close_memory_that_others_see() {
        for (std::uint32_t i = 0; i < graph_.num_values(); ++i) group_of_.emplace(i, memory_.memory_of({i}));
        for (const Value input : graph_.inputs()) closed_[group_of_[input.index]] = true;
        for (const Node& node : graph_.nodes()) {
            const bool is_in_place = !form_of(node.op()).empty();
            const auto op = find_op(node.op());
            if (!op || (op->schema().is_mutable() && !is_in_place))
                for (const NamedArgument& argument : node.arguments())
                    for_each_value(argument.value, [&](Value value) { closed_[group_of_[value.index]] = true; });
            if (is_in_place) continue;
            for (const Output& output : node.outputs())
                for (const Value value : output.values)
                    if (value && group_of_[value.index] != value.index) closed_[group_of_[value.index]] = true;
        }
    }

    void rename(Argument& argument) const {
        for_each_value(argument, [&](Value& value) {
            const auto group = group_of_.find(value.index);
            if (group == group_of_.end()) return;
            if (const auto found = now_.find(group->second); found != now_.end()) value = found->second;
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
    const WrittenInputs memory_;
    std::vector<bool> closed_;                                   // by group: the first value of a memory
    std::unordered_map<std::uint32_t, std::uint32_t> group_of_;  // of values
    std::unordered_map<std::uint32_t, Value> now_;                // what stands for a group from here on
    std::unordered_map<const char*, std::string> forms_;
};

}  // namespace detail

/// In-place ops on tensors that nothing else sees become ops that give new tensors: behind `x.index_put_(...)`, which is now
/// `y = x.index_put(...)`, all that used x uses y. Other writes stay.
inline void make_writes_functional(Graph& graph) {
    detail::FunctionalWrites(graph).run();
    debug_verify(graph);
}

}  // namespace ferry
