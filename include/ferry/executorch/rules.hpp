#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/dynamo/default_rules.hpp>
#include <ferry/executorch/export_program.hpp>
#include <ferry/executorch/runnable.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace.hpp>

#include <string_view>

/// What a pipeline's entries mean to an export.
namespace ferry::executorch {
namespace detail {

using FixNode = bool (*)(Graph&, Node&);
template <class Entry>
struct bind_node_fix {
    static constexpr FixNode value = &Entry::fix;
};
template <class Pipeline>
[[nodiscard]] bool fix_node(Graph& graph, Node& node) {
    const FixNode fix = pipeline_finder<Pipeline, node_fixes<>, FixNode, bind_node_fix>::find(node.op());
    return fix != nullptr && fix(graph, node);
}

template <class Entry>
struct bind_delegation {
    static constexpr xnnpack::Define value = &Entry::define;
};
template <class Pipeline>
[[nodiscard]] xnnpack::Define find_delegation(std::string_view op) {
    return pipeline_finder<Pipeline, delegations<>, xnnpack::Define, bind_delegation>::find(op);
}

/// The pipeline's own decompositions come first; what the runtime has a kernel for stays whole otherwise.
template <class Pipeline>
[[nodiscard]] capture::Kernel find_parts(std::string_view op) {
    using Own = pipeline_finder<Pipeline, decompositions<>, capture::Kernel, capture::detail::bind_decomposition>;
    if (const auto own = Own::find(op)) return own;
    return stays_whole(op) ? nullptr : ferry::detail::find_core_decomposition(op);
}
template <class Pipeline>
[[nodiscard]] capture::Kernel find_patch_or_parts(std::string_view op) {
    const capture::Kernel patch = capture::rules_of<Pipeline>.patch(op);
    return patch != nullptr ? patch : find_parts<Pipeline>(op);
}
template <class Pipeline, auto Find>
[[nodiscard]] ExportedProgram take_apart(const ExportedProgram& program) {
    return ferry::detail::retrace(program, {.fake = capture::rules_of<Pipeline>.fake, .patch = Find});
}
template <auto Find>
[[nodiscard]] bool has_parts(std::string_view op) {
    return Find(op) != nullptr;
}

}  // namespace detail

/// For what this pipeline has captured.
template <class Pipeline>
inline constexpr ExportRules rules_of{.has_parts = &detail::has_parts<&detail::find_parts<Pipeline>>,
                                      .take_apart = &detail::take_apart<Pipeline, &detail::find_parts<Pipeline>>,
                                      .fix_node = &detail::fix_node<Pipeline>,
                                      .find_delegation = &detail::find_delegation<Pipeline>};

/// For programs from elsewhere, which have not met the pipeline's patches.
template <class Pipeline>
inline constexpr ExportRules rules_of_loaded{
    .has_parts = &detail::has_parts<&detail::find_patch_or_parts<Pipeline>>,
    .take_apart = &detail::take_apart<Pipeline, &detail::find_patch_or_parts<Pipeline>>,
    .fix_node = &detail::fix_node<Pipeline>,
    .find_delegation = &detail::find_delegation<Pipeline>};

}  // namespace ferry::executorch
