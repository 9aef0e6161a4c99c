#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace.hpp>

#include <string_view>

/// What a pipeline's entries mean to any export behind a capture.
namespace ferry::detail {

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

/// What an op is written in by the pipeline's own decompositions, or null.
template <class Pipeline>
[[nodiscard]] capture::Kernel find_own_parts(std::string_view op) {
    return pipeline_finder<Pipeline, decompositions<>, capture::Kernel, capture::detail::bind_decomposition>::find(op);
}

/// For programs from elsewhere, which have not met the pipeline's patches.
template <class Pipeline, auto FindParts>
[[nodiscard]] capture::Kernel find_patch_or_parts(std::string_view op) {
    const capture::Kernel patch = capture::rules_of<Pipeline>.patch(op);
    return patch != nullptr ? patch : FindParts(op);
}
template <auto FindParts>
[[nodiscard]] bool has_parts(std::string_view op) {
    return FindParts(op) != nullptr;
}
/// By running the program once more.
template <class Pipeline, auto FindParts>
[[nodiscard]] ExportedProgram take_program_apart(const ExportedProgram& program) {
    return retrace(program, {.fake = capture::rules_of<Pipeline>.fake, .patch = FindParts});
}

}  // namespace ferry::detail
