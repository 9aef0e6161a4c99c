#pragma once

#include <ferry/core/error.hpp>
#include <ferry/program/exported_program.hpp>

#include <filesystem>

namespace ferry {

/// Writes a program as a .pt2 file, which Python's torch.export.load() reads. Weights go straight from memory to the file; the file
/// is there whole or not at all.
// An example that is no plain Python value is left out; the entry must be there.
void save(const ExportedProgram& program, const std::filesystem::path& path);

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/pt2/save-inl.hpp>
#endif
