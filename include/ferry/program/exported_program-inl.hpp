#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/program/exported_program.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace ferry {

FERRY_INLINE ExportedProgram::ExportedProgram() = default;
FERRY_INLINE ExportedProgram::ExportedProgram(const ExportedProgram&) = default;
FERRY_INLINE ExportedProgram::ExportedProgram(ExportedProgram&&) noexcept = default;
FERRY_INLINE ExportedProgram& ExportedProgram::operator=(const ExportedProgram&) = default;
FERRY_INLINE ExportedProgram& ExportedProgram::operator=(ExportedProgram&&) noexcept = default;
FERRY_INLINE ExportedProgram::~ExportedProgram() = default;

FERRY_INLINE std::optional<ValueRange> ExportedProgram::checked_range(std::string_view size) const {
    constexpr std::int64_t least_checked = 3;  // 1 and 2 are other steps in many a model, and the same numbers
    const ValueRange* found = narrowed.find(size);
    if (found == nullptr) return std::nullopt;
    ValueRange range = *found;
    if (range.min < least_checked) range.min = ValueRange::no_min;
    return range.min == ValueRange::no_min && range.max == ValueRange::no_max ? std::nullopt : std::optional(range);
}

}  // namespace ferry
