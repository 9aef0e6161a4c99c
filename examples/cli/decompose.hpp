#pragma once

#include <ferry/program/exported_program.hpp>

namespace cli {

/// The program in core ATen. In a source of its own: the decompositions take long to compile.
[[nodiscard]] ferry::ExportedProgram decompose(const ferry::ExportedProgram& program);

}  // namespace cli
