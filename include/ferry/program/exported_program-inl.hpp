#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/program/exported_program.hpp>

namespace ferry {

FERRY_INLINE ExportedProgram::ExportedProgram() = default;
FERRY_INLINE ExportedProgram::ExportedProgram(const ExportedProgram&) = default;
FERRY_INLINE ExportedProgram::ExportedProgram(ExportedProgram&&) noexcept = default;
FERRY_INLINE ExportedProgram& ExportedProgram::operator=(const ExportedProgram&) = default;
FERRY_INLINE ExportedProgram& ExportedProgram::operator=(ExportedProgram&&) noexcept = default;
FERRY_INLINE ExportedProgram::~ExportedProgram() = default;

}  // namespace ferry
