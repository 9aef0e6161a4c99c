#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/missing_ops.hpp>
#include <ferry/graph/op_effects.hpp>
#include <ferry/graph/passes/dead_code.hpp>
#include <ferry/graph/passes/functional_writes.hpp>
#include <ferry/graph/passes/remove_checks.hpp>
#include <ferry/onnx/config.hpp>
#include <ferry/onnx/export_program.hpp>
#include <ferry/onnx/ir/check.hpp>
#include <ferry/onnx/library.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/onnx/translate.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace/settle_checks.hpp>
#include <ferry/tree/context_json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::onnx {
namespace detail {

/// Stage 3.
inline void fix_nodes(Graph& graph, const ExportRules& rules) {
    for (ferry::Node& node : graph.nodes()) rules.fix_node(graph, node);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) fix_nodes(graph.subgraph({i}), rules);
    remove_dead_code(graph);
}

/// What has no translation; `is_known` decides for an op that is not on complex numbers.
template <class IsKnown>
[[nodiscard]] MissingOps untranslated(const Graph& graph, const IsKnown& is_known) {
    MissingOps missing;
    missing.look_through(
        graph,
        [&](const Graph& within, const ferry::Node& node) {
            if (!is_on_complex(within, node)) return is_known(node.op());
            return is_known(complex_name(node.op())) || (acts_on_parts(node.op()) && is_known(node.op()));
        },
        [](const Graph& within, const ferry::Node& node) {
            return std::string(is_on_complex(within, node) ? " on complex numbers" : "");
        });
    return missing;
}

[[noreturn]] inline void refuse(const MissingOps& missing) {
    missing.refuse("no translation to ONNX", {.hint = "add a translation or a decomposition for each: "
                                                      "OnnxExporter<extend<onnx_pipeline, translations<my_op>>>",
                                              .where = {.stage = "translations"}});
}

/// Stages 1 to 3: what no translation knows is written in smaller ops, once more by running the program. Nodes are fixed before, when
/// they are what the model calls, and afterwards.
[[nodiscard]] inline ExportedProgram lowered(ExportedProgram program, const ExportRules& rules) {
    ferry::detail::settle_checks(program);
    remove_checks(program.graph);
    make_writes_functional(program.graph);
    fix_nodes(program.graph, rules);
    program.renew_outputs();
    const MissingOps missing = untranslated(
        program.graph, [&](std::string_view op) { return rules.translation(op) != nullptr && !rules.is_patched(op); });
    if (missing.empty()) return program;
    const auto is_hopeless = [&](std::string_view op) {
        const auto found = find_op(op);
        return !rules.has_parts(op) && !rules.is_patched(op) && !op.starts_with("higher_order::") &&
               !(found && found->schema().is_mutable());
    };
    if (missing.all_of(is_hopeless)) refuse(missing);
    program = rules.take_apart(program);
    remove_checks(program.graph);
    fix_nodes(program.graph, rules);
    program.renew_outputs();
    const MissingOps left =
        untranslated(program.graph, [&](std::string_view op) { return rules.translation(op) != nullptr; });
    if (!left.empty()) refuse(left);
    return program;
}

[[nodiscard]] inline bool draws_random_numbers(const Graph& graph) {
    OpEffects effects;
    const auto draws = [&](const ferry::Node& node) { return effects.of(graph, node) == Effect::random; };
    if (algo::any_of(graph.nodes(), draws)) return true;
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        if (draws_random_numbers(graph.subgraph({i}))) return true;
    return false;
}

}  // namespace detail

FERRY_INLINE OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config, const ExportRules& rules) {
    config.check();
    meet_library();
    program = detail::lowered(std::move(program), rules);
    const std::int64_t opset = config.opset(!config.opset_version && detail::draws_random_numbers(program.graph));
    auto [model, interface] = translate(program, rules.translation, opset, config.export_params);
    // A weight that a run may replace is no constant.
    rules.fix_model(model, config.optimize && !config.keep_initializers_as_inputs);
    name_values(model);
    OnnxConfig told = config;
    told.output_path = {};
    model.metadata.emplace_back("ferry.config", tree::to_json(told.to_dict()));
    for (const MutatedOutput& each : interface.mutated)
        model.metadata.emplace_back("ferry.mutated." + each.name, each.target);
    check(model);
    OnnxProgram made(std::move(model), std::move(interface), config);
    if (config.output_path) made.save(*config.output_path);
    return made;
}

}  // namespace ferry::onnx
