#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_map.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/graph/value_range.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::executorch {
namespace detail {

/// The most of what an expression is at the ends of its symbols' ranges and beside them, or -1 where it cannot be computed.
[[nodiscard]] inline std::int64_t largest_sample(const SymExpr& size, const SymRanges& limits) {
    constexpr std::size_t most_samples = 1024;
    const std::vector<std::string> symbols = free_symbols(size);
    std::vector<std::vector<std::int64_t>> choices;
    std::size_t count = 1;
    for (const std::string& symbol : symbols) {
        const ValueRange* range = limits.find(symbol);
        if (range == nullptr || range->empty()) return -1;
        std::vector<std::int64_t>& values = choices.emplace_back();
        for (const std::int64_t each : {range->min, range->min + 1, range->max - 1, range->max})
            if (each >= range->min && each <= range->max) values.push_back(each);
        count *= values.size();
        if (count > most_samples) return -1;
    }
    std::int64_t largest = -1;
    for (std::size_t sample = 0; sample < count; ++sample) {
        SymBindings sizes;
        std::size_t rest = sample;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            sizes.set(symbols[i], choices[i][rest % choices[i].size()]);
            rest /= choices[i].size();
        }
        try {
            largest = std::max(largest, evaluate(size, sizes));
        } catch (const Error&) {  // e.g. a division by zero: no size
        }
    }
    return largest;
}

}  // namespace detail

/// What memory is planned for. Bounds of parts of an expression, put together, may be far beyond what the whole can be: then it is looked
/// at whole.
[[nodiscard]] inline std::int64_t largest_size(const SymExpr& size, const SymRanges& limits) {
    constexpr std::int64_t usual = 1 << 14;
    if (size.is_constant()) return size.value();
    const std::int64_t bound = bounds(size, limits).max;
    if (bound <= usual || as_affine(size)) return bound;
    const std::int64_t sampled = detail::largest_sample(size, limits);
    return sampled < 0 ? bound : std::min(bound, sampled + sampled / 8 + 8);
}

}  // namespace ferry::executorch
