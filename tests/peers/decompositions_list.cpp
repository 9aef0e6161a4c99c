#include "decompositions.hpp"

#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/run_decompositions.hpp>

namespace ferry_test {

ferry::ExportedProgram decompose(const ferry::ExportedProgram& program) {
    return program.run_decompositions<ferry::core_aten_decompositions>();
}

std::vector<std::string> listed_ops() {
    std::vector<std::string> ops;
    for (const auto& claim : ferry::op_table<ferry::core_aten_decompositions>::claims) ops.emplace_back(claim.op);
    return ops;
}

}  // namespace ferry_test
