#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/dynamo/default_rules.hpp>
#include <ferry/executorch/export_program.hpp>
#include <ferry/executorch/pipeline.hpp>
#include <ferry/executorch/runnable.hpp>
#include <ferry/program/backend_rules.hpp>

#include <string_view>

/// What a pipeline's entries mean to an export.
namespace ferry::executorch {
namespace detail {

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
    if (const capture::Kernel own = ferry::detail::find_own_parts<Pipeline>(op)) return own;
    return stays_whole(op) ? nullptr : ferry::detail::find_core_decomposition(op);
}
template <class Pipeline, auto FindParts>
inline constexpr ExportRules rules_with{.has_parts = &ferry::detail::has_parts<FindParts>,
                                        .take_apart = &ferry::detail::take_program_apart<Pipeline, FindParts>,
                                        .fix_node = &ferry::detail::fix_node<Pipeline>,
                                        .find_delegation = &find_delegation<Pipeline>};

}  // namespace detail

/// For what this pipeline has captured.
template <class Pipeline>
inline constexpr ExportRules rules_of = detail::rules_with<Pipeline, &detail::find_parts<Pipeline>>;

/// For programs from elsewhere.
template <class Pipeline>
inline constexpr ExportRules rules_of_loaded =
    detail::rules_with<Pipeline, &ferry::detail::find_patch_or_parts<Pipeline, &detail::find_parts<Pipeline>>>;

}  // namespace ferry::executorch

// Where Ferry is compiled once, so is the way from an op to the entries of its own lists.
#ifdef FERRY_COMPILED
namespace ferry {

extern template struct list_finder<executorch::default_decompositions, capture::Kernel,
                                   capture::detail::bind_decomposition>;
extern template struct list_finder<executorch::default_node_fixes, detail::FixNode, detail::bind_node_fix>;
extern template struct list_finder<executorch::default_delegations, executorch::xnnpack::Define,
                                   executorch::detail::bind_delegation>;

}  // namespace ferry
#endif
