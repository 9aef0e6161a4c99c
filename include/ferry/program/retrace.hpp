#pragma once

#include <ferry/capture/op_rules.hpp>
#include <ferry/program/exported_program.hpp>

#include <string_view>

/// A program in terms of smaller ops: it is captured once more, by running it, with each op that is to go taken apart while
/// the tracer looks on.
namespace ferry::detail {

/// Everything that does not depend on a list: `rules.patch` says what becomes of an op. Where it knows `complex::view_as_complex`, pairs
/// of real numbers stand for complex ones, unless the program writes to tensors in place.
[[nodiscard]] ExportedProgram retrace(const ExportedProgram& program, capture::OpRules rules);

/// For ops that libtorch itself defines by others, on all devices.
[[nodiscard]] capture::Kernel composite_decomposition(std::string_view op);
/// Down to core ATen: those of core_aten_decompositions, and these.
[[nodiscard]] capture::Kernel find_core_decomposition(std::string_view op);

}  // namespace ferry::detail

#ifndef FERRY_COMPILED
#include <ferry/program/retrace-inl.hpp>
#endif
