#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/executorch/runnable.hpp>
#include <ferry/executorch/views.hpp>
#include <ferry/executorch/xnnpack/definition.hpp>
#include <ferry/executorch/xnnpack/ops/elementwise.hpp>
#include <ferry/executorch/xnnpack/ops/shape.hpp>
#include <ferry/executorch/xnnpack/schedule.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry::executorch::xnnpack {

FERRY_INLINE bool Delegation::takes(const Graph& graph, const Node& node) const {
    const Define define = find_(node.op());
    if (define == nullptr) return false;
    Builder builder(graph, facts_);
    return try_define(builder, node, define);
}

FERRY_INLINE Delegate Delegation::delegate(const Graph& graph, const std::vector<const Node*>& nodes,
                                           const std::vector<Value>& outputs) const {
    Builder builder(graph, facts_);
    for (const Node* node : nodes)
        if (!try_define(builder, *node, find_(node->op())))
            throw Error(ErrorKind::internal, "XNNPACK takes this op alone and not together with others",
                        {.where = {.stage = "delegation", .op = std::string(node->op())}});
    return builder.finish(outputs);
}

namespace detail {

/// Goes through a graph in phases: what kernels compute is in even ones, what XNNPACK computes in odd ones, each node as early as
/// what it needs lets it be. All that XNNPACK computes in one phase is one call.
class Scheduler {
public:
    Scheduler(const Graph& graph, const Delegation& delegation) : graph_(graph), delegation_(delegation) {}

    [[nodiscard]] std::unordered_set<const Node*> delegated_nodes() {
        arrange();
        std::unordered_set<const Node*> nodes;
        for (const auto& [node, part] : parts_)
            if (part == Part::delegate) nodes.insert(node);
        return nodes;
    }
    [[nodiscard]] std::vector<Step> schedule() {
        arrange();
        return steps();
    }

private:
    enum class Part : std::uint8_t { kernel, view, delegate };

    void arrange() {
        choose_nodes();
        set_phases();
        if (leave_what_does_not_pay()) set_phases();
    }

    /// A view costs nothing where it is: it goes to XNNPACK only between two things that do.
    void choose_nodes() {
        std::vector<const Node*> nodes;
        for (const Node& node : graph_.nodes()) {
            nodes.push_back(&node);
            const bool is_taken = delegation_.takes(graph_, node);
            parts_[&node] = !is_taken ? Part::kernel : is_view(graph_, node) ? Part::view : Part::delegate;
        }
        std::unordered_map<const Node*, bool> follows, leads;
        for (const Node* node : nodes) {
            if (parts_[node] != Part::view) continue;
            const Node* from = graph_.info(node->input(0)).producer;
            follows[node] = from != nullptr && (parts_[from] == Part::delegate || follows[from]);
        }
        for (std::size_t i = nodes.size(); i-- > 0;) {
            if (parts_[nodes[i]] != Part::view) continue;
            bool& is_needed = leads[nodes[i]];
            for (const Node* user : graph_.info(nodes[i]->output()).users)
                is_needed = is_needed || parts_[user] == Part::delegate || leads[user];
        }
        for (const Node* node : nodes)
            if (parts_[node] == Part::view) parts_[node] = follows[node] && leads[node] ? Part::delegate : Part::kernel;
    }

    /// A size is known from the start, unless it depends on data.
    [[nodiscard]] bool is_known(const ValueInfo& info) const {
        if (info.kind != ValueKind::sym_int) return false;
        for (const std::string& symbol : free_symbols(info.symbol))
            if (is_unbacked_name(symbol)) return false;
        return true;
    }
    void set_phases() {
        phases_.clear();
        for (const Node& node : graph_.nodes()) {
            const bool is_delegated = parts_[&node] == Part::delegate;
            std::size_t phase = is_delegated ? 1 : 0;
            for (const NamedArgument& argument : node.arguments())
                for_each_value(argument.value, [&](Value value) {
                    const ValueInfo& info = graph_.info(value);
                    if (info.producer == nullptr || is_known(info)) return;
                    if (is_delegated && info.kind != ValueKind::tensor) return;  // its sizes follow from its inputs
                    const std::size_t before = phases_[info.producer];
                    phase = std::max(phase, before + (before % 2 == phase % 2 ? 0 : 1));
                });
            phases_[&node] = phase;
        }
    }

    /// A call of XNNPACK costs about as much as a few kernels on small tensors.
    [[nodiscard]] bool leave_what_does_not_pay() {
        const std::size_t few = delegation_.smallest();
        std::unordered_map<std::size_t, std::size_t> work;
        for (const Node& node : graph_.nodes()) {
            if (parts_[&node] != Part::delegate || is_view(graph_, node)) continue;
            using Light = op_table<concat_t<elementwise_delegations, shape_delegations>>;
            work[phases_[&node]] += Light::contains(node.op()) && runs_as_it_is(node.op()) ? 1 : few;
        }
        bool is_changed = false;
        for (const Node& node : graph_.nodes())
            if (parts_[&node] == Part::delegate && work[phases_[&node]] < few) {
                parts_[&node] = Part::kernel;
                is_changed = true;
            }
        return is_changed;
    }

    [[nodiscard]] std::vector<Step> steps() {
        std::vector<std::vector<const Node*>> phases;
        for (const Node& node : graph_.nodes()) {
            const std::size_t phase = phases_[&node];
            if (phases.size() <= phase) phases.resize(phase + 1);
            phases[phase].push_back(&node);
        }
        std::vector<Step> made;
        for (std::size_t phase = 0; phase < phases.size(); ++phase) {
            if (phase % 2 == 0) {
                for (const Node* node : phases[phase]) made.push_back({.nodes = {node}});
            } else if (!phases[phase].empty()) {
                std::vector<Value> outputs = needed_elsewhere(phases[phase], phase);
                made.push_back({std::move(phases[phase]), true, std::move(outputs)});
            }
        }
        return made;
    }
    [[nodiscard]] std::vector<Value> needed_elsewhere(const std::vector<const Node*>& nodes, std::size_t phase) {
        std::vector<Value> needed;
        for (const Node* node : nodes)
            for (const Output& output : node->outputs())
                for (const Value value : output.values) {
                    const ValueInfo& info = graph_.info(value);
                    const bool is_needed =
                        info.output_uses != 0 || std::any_of(info.users.begin(), info.users.end(),
                                                             [&](const Node* user) { return phases_[user] != phase; });
                    if (is_needed) needed.push_back(value);
                }
        return needed;
    }

    const Graph& graph_;
    const Delegation& delegation_;
    std::unordered_map<const Node*, Part> parts_;
    std::unordered_map<const Node*, std::size_t> phases_;
};

}  // namespace detail

FERRY_INLINE std::unordered_set<const Node*> delegated_nodes(const Graph& graph, const Delegation& delegation) {
    return detail::Scheduler(graph, delegation).delegated_nodes();
}

FERRY_INLINE std::vector<Step> schedule(const Graph& graph, const Delegation& delegation) {
    return detail::Scheduler(graph, delegation).schedule();
}

}  // namespace ferry::executorch::xnnpack
