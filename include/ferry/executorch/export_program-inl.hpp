#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/config.hpp>
#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/export_program.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/memory_plan.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/runnable.hpp>
#include <ferry/executorch/size_limits.hpp>
#include <ferry/executorch/views.hpp>
#include <ferry/executorch/xnnpack/schedule.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/missing_ops.hpp>
#include <ferry/graph/passes/common_subexpressions.hpp>
#include <ferry/graph/passes/dead_code.hpp>
#include <ferry/graph/passes/functional_writes.hpp>
#include <ferry/graph/passes/linear.hpp>
#include <ferry/graph/passes/remove_checks.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/fold_constants.hpp>
#include <ferry/program/retrace/settle_checks.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry::executorch {
namespace detail {

/// What a program goes through on its way to the runtime.
class Lowering {
public:
    Lowering(ExportedProgram program, const ExportRules& rules, std::optional<std::int64_t> smallest_delegate,
             bool folds_weights)
        : program_(std::move(program)),
          rules_(rules),
          smallest_delegate_(smallest_delegate),
          folds_weights_(folds_weights) {}

    /// Stages 2 to 5: what the runtime has no kernel for is written in smaller ops, once more by running the program, unless a fix
    /// knows what to do with it. What has a kernel is fixed afterwards: then all is there that a kernel may not take.
    [[nodiscard]] ExportedProgram run() {
        ferry::detail::settle_checks(program_);
        remove_checks(program_.graph);
        make_writes_functional(program_.graph);
        fold_weights();
        compute_factories();
        fix_nodes([](const Node& node) { return !runs_as_it_is(node.op()); });
        // More than once: what an in-place op without a kernel becomes, or a layer of complex numbers, may have none either.
        for (int round = 0; round < 3; ++round) {
            const MissingOps missing = without_kernel();
            const bool is_complex = needs_pairs(program_.graph);
            if (missing.empty() && !is_complex) break;
            if (!is_complex && missing.all_of([this](std::string_view op) { return is_hopeless(op); })) refuse(missing);
            program_ = rules_.take_apart(program_);
            remove_checks(program_.graph);
            fold_weights();
            fix_nodes([](const Node& node) { return !runs_as_it_is(node.op()); });
        }
        // What a fix leaves may change what is worth a delegate, and so which nodes are left to kernels.
        for (int round = 0; round < 3 && fix_nodes([](const Node&) { return true; }); ++round) {
        }
        if (const MissingOps left = without_kernel(); !left.empty()) refuse(left);
        if (const MissingOps left = of_other_types(); !left.empty()) refuse(left);
        fold_constants(program_);
        merge_common_subexpressions(program_.graph);
        return std::move(program_);
    }

private:
    void fold_weights() {
        restore_linear(program_.graph, true);  // first: a linear layer takes its weights as they are
        program_.renew_outputs();
        if (folds_weights_) fold_constants(program_, {.weights = true});
    }

    static constexpr std::int64_t largest_table = std::int64_t{1} << 24;  ///< in bytes

    /// What is made of numbers alone and has no kernel, such as the windows of spectrograms.
    void compute_factories() {
        const auto is_there = [](const Node& node) { return runs_as_it_is(node.op()); };
        const auto is_factory = [&](const Node& node) {
            return !is_there(node) && !rules_.has_parts(node.op()) && !ferry::detail::takes_values(node);
        };
        if (algo::any_of(program_.graph.nodes(), is_factory))
            fold_constants(program_, {.max_bytes = largest_table, .stays = is_there});
    }

    using Delegations = std::optional<xnnpack::Delegation>;
    [[nodiscard]] Delegations delegation() const {
        if (!smallest_delegate_) return std::nullopt;
        return Delegations(std::in_place, program_, rules_.find_delegation, *smallest_delegate_);
    }
    [[nodiscard]] static std::unordered_set<const Node*> delegated_nodes(const Graph& graph,
                                                                         const Delegations& delegation) {
        if (!delegation) return {};
        return xnnpack::delegated_nodes(graph, *delegation);
    }

    /// Stage 5, for those nodes that `is_wanted` picks and no delegate takes.
    template <class IsWanted>
    bool fix_nodes(const IsWanted& is_wanted) {
        const bool is_changed = fix_nodes(program_.graph, is_wanted, delegation());
        program_.renew_outputs();
        return is_changed;
    }
    template <class IsWanted>
    bool fix_nodes(Graph& graph, const IsWanted& is_wanted, const Delegations& delegation) {
        const auto delegated = delegated_nodes(graph, delegation);
        bool is_changed = false;
        for (Node& node : graph.nodes())
            if (is_wanted(node) && !delegated.contains(&node)) is_changed = rules_.fix_node(graph, node) || is_changed;
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
            is_changed = fix_nodes(graph.subgraph({i}), is_wanted, delegation) || is_changed;
        remove_dead_code(graph);
        return is_changed;
    }

    [[nodiscard]] bool is_hopeless(std::string_view op) const {
        const auto found = find_op(op);
        return !rules_.has_parts(op) && !can_be_paired(op) && !op.starts_with("higher_order::") &&
               !(found && found->schema().is_mutable());
    }
    [[nodiscard]] bool can_be_paired(std::string_view op) const {
        return acts_on_parts(op) || rules_.has_parts(complex_name(op));
    }
    [[nodiscard]] MissingOps without_kernel() const {
        return missing([this](const Graph&, const Node& node) {
            return runs_as_it_is(node.op()) && !rules_.has_parts(node.op());
        });
    }
    /// The type that the node's kernel does not compute.
    [[nodiscard]] static std::optional<DType> other_type(const Graph& graph, const Node& node) {
        const Kernel* kernel = runtime_kernels().find(node.op());
        return kernel != nullptr ? type_without_kernel(graph, node, *kernel) : std::nullopt;
    }
    /// Whether pairs of real numbers are to stand for complex ones: their kernels are few.
    [[nodiscard]] bool needs_pairs(const Graph& graph) const {
        const auto is_without_kernel = [&](const Node& node) {
            return is_on_complex(graph, node) && can_be_paired(node.op()) && other_type(graph, node);
        };
        if (algo::any_of(graph.nodes(), is_without_kernel)) return true;
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
            if (needs_pairs(graph.subgraph({i}))) return true;
        return false;
    }
    /// What a kernel computes for other element types only.
    [[nodiscard]] MissingOps of_other_types() const {
        return missing([](const Graph& graph, const Node& node) { return !other_type(graph, node); },
                       [](const Graph& graph, const Node& node) {
                           return " of " + std::string(ferry::info(*other_type(graph, node)).torch_name);
                       });
    }
    /// What is neither known, nor a view, nor delegated.
    template <class IsKnown, class... Remark>
    [[nodiscard]] MissingOps missing(const IsKnown& is_known, const Remark&... remark) const {
        MissingOps missing;
        const Delegations delegation = this->delegation();
        std::unordered_map<const Graph*, std::unordered_set<const Node*>> delegated;
        missing.look_through(
            program_.graph,
            [&](const Graph& graph, const Node& node) {
                if (is_view(graph, node) || is_known(graph, node)) return true;
                const auto [found, is_new] = delegated.try_emplace(&graph);
                if (is_new) found->second = delegated_nodes(graph, delegation);
                return found->second.contains(&node);
            },
            remark...);
        return missing;
    }
    [[noreturn]] static void refuse(const MissingOps& missing) {
        missing.refuse("no kernel in ExecuTorch's runtime",
                       {.hint = "write each in ops that have one: "
                                "ExecutorchExporter<extend<executorch_pipeline, decompositions<my_op>>>",
                        .where = {.stage = "edge lowering"}});
    }

    ExportedProgram program_;
    const ExportRules& rules_;
    std::optional<std::int64_t> smallest_delegate_;  ///< none: nothing is delegated
    bool folds_weights_;
};

}  // namespace detail

FERRY_INLINE ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config,
                                              const ExportRules& rules) {
    config.check();
    std::optional<std::int64_t> smallest_delegate;
    if (config.backend == "xnnpack") smallest_delegate = config.smallest_delegate.value_or(2);
    // Weights in a file of their own keep their names and numbers, so that other programs may share them.
    const bool folds_weights = !config.external_constants;
    const ExportedProgram lowered = detail::Lowering(std::move(program), rules, smallest_delegate, folds_weights).run();
    std::optional<xnnpack::Delegation> delegation;
    if (smallest_delegate) delegation.emplace(lowered, rules.find_delegation, *smallest_delegate);
    SharedData shared{.is_external = config.external_constants};
    std::vector<Method> methods;
    methods.push_back(emit(lowered, "forward", size_limits(lowered), runtime_kernels(),
                           delegation ? &*delegation : nullptr, shared, config));
    plan_memory(methods.back());
    return {std::move(methods), std::move(shared)};
}

}  // namespace ferry::executorch
