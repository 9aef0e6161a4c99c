#pragma once

#include <ferry/graph/sym_map.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace ferry {

/// All integers from min to max, both included. The ends of int64 stand for torch's -int_oo and int_oo.
struct ValueRange {
    static constexpr std::int64_t no_min = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t no_max = std::numeric_limits<std::int64_t>::max();

    std::int64_t min = no_min;
    std::int64_t max = no_max;

    [[nodiscard]] static constexpr ValueRange at_least(std::int64_t min) noexcept { return {min, no_max}; }
    [[nodiscard]] static constexpr ValueRange exactly(std::int64_t value) noexcept { return {value, value}; }

    [[nodiscard]] constexpr bool empty() const noexcept { return min > max; }
    [[nodiscard]] constexpr bool bounded() const noexcept { return min != no_min && max != no_max; }
    [[nodiscard]] constexpr bool contains(std::int64_t value) const noexcept { return min <= value && value <= max; }
    [[nodiscard]] constexpr bool contains(const ValueRange& other) const noexcept {
        return other.empty() || (min <= other.min && other.max <= max);
    }
    friend constexpr bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// What both allow; may be empty.
[[nodiscard]] constexpr ValueRange intersect(const ValueRange& a, const ValueRange& b) noexcept {
    return {std::max(a.min, b.min), std::min(a.max, b.max)};
}
/// The smallest range with both in it.
[[nodiscard]] constexpr ValueRange hull(const ValueRange& a, const ValueRange& b) noexcept {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

/// As torch prints it: `VR[2, int_oo]`.
[[nodiscard]] inline std::string to_string(const ValueRange& range) {
    const auto end = [](std::int64_t value) {
        if (value == ValueRange::no_min) return std::string("-int_oo");
        return value == ValueRange::no_max ? std::string("int_oo") : std::to_string(value);
    };
    return "VR[" + end(range.min) + ", " + end(range.max) + "]";
}

using SymRanges = SymMap<ValueRange>;

}  // namespace ferry
