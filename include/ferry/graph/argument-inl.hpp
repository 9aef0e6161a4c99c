#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/argument.hpp>

namespace ferry {

FERRY_INLINE Argument::Argument(const Argument&) = default;
FERRY_INLINE Argument::Argument(Argument&&) noexcept = default;
FERRY_INLINE Argument& Argument::operator=(const Argument&) = default;
FERRY_INLINE Argument& Argument::operator=(Argument&&) noexcept = default;
FERRY_INLINE Argument::~Argument() = default;
FERRY_INLINE bool Argument::equals(const Argument& other) const { return value_ == other.value_; }

}  // namespace ferry
