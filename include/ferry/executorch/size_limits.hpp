#pragma once

#include <ferry/graph/value_range.hpp>
#include <ferry/program/exported_program.hpp>

namespace ferry::executorch {

/// The ranges of a program's sizes, all with an end: memory is planned for the largest. Where the program has none, one is chosen, and
/// a warning says which.
[[nodiscard]] SymRanges size_limits(const ExportedProgram& program);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/size_limits-inl.hpp>
#endif
