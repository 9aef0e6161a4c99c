#include "decompose.hpp"

#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/run_decompositions.hpp>

namespace cli {

ferry::ExportedProgram decompose(const ferry::ExportedProgram& program) {
    return program.run_decompositions<ferry::core_aten_decompositions>();
}

}  // namespace cli
