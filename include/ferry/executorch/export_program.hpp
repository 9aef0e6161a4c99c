#pragma once

#include <ferry/executorch/config.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/xnnpack/fwd.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/program/exported_program.hpp>

#include <string_view>

/// From a program to what the runtime executes: everything that does not depend on a pipeline's types.
namespace ferry::executorch {

/// A pipeline's entries as plain functions, so that an export is compiled once and not per pipeline.
struct ExportRules {
    bool (*has_parts)(std::string_view op);                 ///< it is to be written in other ops
    ExportedProgram (*take_apart)(const ExportedProgram&);  ///< all that has parts, and writes to memory
    bool (*fix_node)(Graph&, Node&);                        ///< true: the node is dealt with
    xnnpack::FindDefine find_delegation;                    ///< what a delegate is told of an op
};

[[nodiscard]] ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config,
                                               const ExportRules& rules);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/export_program-inl.hpp>
#endif
