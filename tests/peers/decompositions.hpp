// Between the two halves of peer_decompositions: the list is compiled apart from TorchScript.
#pragma once

#include <ferry/program/exported_program.hpp>

#include <string>
#include <vector>

namespace ferry_test {

[[nodiscard]] ferry::ExportedProgram decompose(const ferry::ExportedProgram& program);
/// Every op that the default list has an entry for.
[[nodiscard]] std::vector<std::string> listed_ops();

}  // namespace ferry_test
