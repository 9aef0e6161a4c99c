#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/executorch/config.hpp>
#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/export_program.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/memory_plan.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/number_ops.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/size_limits.hpp>
#include <ferry/executorch/views.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/missing_ops.hpp>
#include <ferry/graph/passes/dead_code.hpp>
#include <ferry/graph/passes/functional_writes.hpp>
#include <ferry/graph/passes/remove_checks.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/fold_constants.hpp>
#include <ferry/program/retrace/settle_checks.hpp>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch {
namespace detail {

[[nodiscard]] inline Kernels& runtime_kernels() {
    thread_local Kernels kernels;
    return kernels;
}

[[nodiscard]] constexpr bool is_control_flow(std::string_view op) {
    return op == "higher_order::cond" || op == "higher_order::while_loop" || op == "higher_order::scan" ||
           op == "higher_order::map_impl";
}

/// Stage 5, for those nodes that `is_wanted` picks.
template <class IsWanted>
void fix_nodes(Graph& graph, const ExportRules& rules, const IsWanted& is_wanted) {
    for (Node& node : graph.nodes())
        if (is_wanted(node)) rules.fix_node(graph, node);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) fix_nodes(graph.subgraph({i}), rules, is_wanted);
    remove_dead_code(graph);
}

[[nodiscard]] inline MissingOps without_kernel(const ExportedProgram& program, const ExportRules& rules) {
    MissingOps missing;
    missing.look_through(program.graph, [&](const Graph& graph, const Node& node) {
        return is_view(graph, node) || (runs_as_it_is(node.op()) && !rules.has_parts(node.op()));
    });
    return missing;
}

[[noreturn]] inline void refuse(const MissingOps& missing) {
    missing.refuse("no kernel in ExecuTorch's runtime",
                   {.hint = "write each in ops that have one: "
                            "ExecutorchExporter<extend<executorch_pipeline, decompositions<my_op>>>",
                    .where = {.stage = "edge lowering"}});
}

/// Stages 2 to 5: what the runtime has no kernel for is written in smaller ops, once more by running the program, unless a fix knows
/// what to do with it. What has a kernel is fixed afterwards: then all is there that a kernel may not take.
[[nodiscard]] inline ExportedProgram lowered(ExportedProgram program, const ExportRules& rules) {
    ferry::detail::settle_checks(program);
    remove_checks(program.graph);
    make_writes_functional(program.graph);
    fix_nodes(program.graph, rules, [](const Node& node) { return !runs_as_it_is(node.op()); });
    program.renew_outputs();
    if (const MissingOps missing = without_kernel(program, rules); !missing.empty()) {
        const auto is_hopeless = [&](std::string_view op) {
            const auto found = find_op(op);
            return !rules.has_parts(op) && !op.starts_with("higher_order::") &&
                   !(found && found->schema().is_mutable());
        };
        if (missing.all_of(is_hopeless)) refuse(missing);
        program = rules.take_apart(program);
        remove_checks(program.graph);
    }
    fix_nodes(program.graph, rules, [](const Node&) { return true; });
    program.renew_outputs();
    if (const MissingOps left = without_kernel(program, rules); !left.empty()) refuse(left);
    fold_constants(program);
    return program;
}

}  // namespace detail

FERRY_INLINE bool runs_as_it_is(std::string_view op) {
    return op_table<type_list<always_views>>::contains(op) || is_number_op(op) || detail::is_control_flow(op) ||
           detail::runtime_kernels().find(op) != nullptr;
}

FERRY_INLINE ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config,
                                              const ExportRules& rules) {
    config.check();
    const ExportedProgram lowered = detail::lowered(std::move(program), rules);
    SharedData shared;
    std::vector<Method> methods;
    methods.push_back(emit(lowered, "forward", size_limits(lowered), detail::runtime_kernels(), shared, config));
    plan_memory(methods.back());
    return {std::move(methods), std::move(shared)};
}

}  // namespace ferry::executorch
