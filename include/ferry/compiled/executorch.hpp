#pragma once

/// The functions behind ExecutorchExporter.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/executorch/config-inl.hpp>
#include <ferry/executorch/constant_method-inl.hpp>
#include <ferry/executorch/constants-inl.hpp>
#include <ferry/executorch/decompositions/default_decompositions-inl.hpp>
#include <ferry/executorch/emit-inl.hpp>
#include <ferry/executorch/export_program-inl.hpp>
#include <ferry/executorch/kernels-inl.hpp>
#include <ferry/executorch/memory_plan-inl.hpp>
#include <ferry/executorch/node_fixes/default_node_fixes-inl.hpp>
#include <ferry/executorch/program-inl.hpp>
#include <ferry/executorch/rules.hpp>
#include <ferry/executorch/runnable-inl.hpp>
#include <ferry/executorch/serialize-inl.hpp>
#include <ferry/executorch/size_limits-inl.hpp>
#include <ferry/executorch/summary-inl.hpp>
#include <ferry/executorch/tensor_file-inl.hpp>
#include <ferry/executorch/xnnpack/builder-inl.hpp>
#include <ferry/executorch/xnnpack/default_delegations-inl.hpp>
#include <ferry/executorch/xnnpack/definition-inl.hpp>
#include <ferry/executorch/xnnpack/program_facts-inl.hpp>
#include <ferry/executorch/xnnpack/read-inl.hpp>
#include <ferry/executorch/xnnpack/schedule-inl.hpp>
#include <ferry/executorch/xnnpack/write-inl.hpp>

namespace ferry {

template struct list_finder<executorch::default_decompositions, capture::Kernel, capture::detail::bind_decomposition>;
template struct list_finder<executorch::default_node_fixes, detail::FixNode, detail::bind_node_fix>;
template struct list_finder<executorch::default_delegations, executorch::xnnpack::Define,
                            executorch::detail::bind_delegation>;

}  // namespace ferry
