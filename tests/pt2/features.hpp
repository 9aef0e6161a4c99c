// The programs that export_features.py makes, and how one is compared with what Python gives.
#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/safetensors/read.hpp>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>

namespace ferry_test {

/// Where Python has put its programs, for as long as the tests run; or the folder that FERRY_FEATURES names.
const std::filesystem::path& features();
std::set<std::string> feature_names();
/// Runs every case in order with one module, as Python did.
void check_feature(const ferry::ExportedProgram& program, const ferry::safetensors::Contents& expected);

/// Gradients of the inputs as Python found them; how many were compared.
std::size_t check_gradients(const ferry::ExportedProgram& program, const ferry::safetensors::Contents& expected);

}  // namespace ferry_test
