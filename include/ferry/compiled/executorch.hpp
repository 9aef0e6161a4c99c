#pragma once

/// The functions behind ExecutorchExporter.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/executorch/config-inl.hpp>
#include <ferry/executorch/constants-inl.hpp>
#include <ferry/executorch/decompositions/default_decompositions-inl.hpp>
#include <ferry/executorch/emit-inl.hpp>
#include <ferry/executorch/export_program-inl.hpp>
#include <ferry/executorch/kernels-inl.hpp>
#include <ferry/executorch/memory_plan-inl.hpp>
#include <ferry/executorch/node_fixes/default_node_fixes-inl.hpp>
#include <ferry/executorch/program-inl.hpp>
#include <ferry/executorch/serialize-inl.hpp>
#include <ferry/executorch/size_limits-inl.hpp>
