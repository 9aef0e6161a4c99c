#pragma once

#include <ferry/capture/refuse_branch.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Which values the unbacked symbols may have. Probes of sizes leave out 0 and 1, where ops broadcast or find nothing to do, and
/// numbers below zero; but no user promises that a mask is never empty. So each such value is tried, and becomes part of the range
/// only when the same expressions hold; what stays outside is refused when the program runs.
/// `parting(point)` says how the model leaves there what it does elsewhere, if it does.
template <class Parts>
void widen_unbacked(ShapePlan& plan, const Trace& first, Parts&& parting) {
    ProbePoint sample;
    for (const ProbeDim& symbol : plan.symbols) sample.push_back(symbol.sample);
    std::vector<std::size_t> small;
    std::size_t unbacked = 0;
    for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
        if (!is_unbacked_name(plan.symbols[i].name)) continue;
        const ValueRange natural = first.unbacked.at(unbacked++);
        ValueRange& range = plan.symbols[i].range;
        const auto holds_at = [&](std::int64_t value) {
            ProbePoint point = sample;
            point[i] = value;
            const std::optional<Divergence> parted = parting(point);
            if (parted) refuse_branch(first, plan.symbols[i], value, *parted);
            return !parted;
        };
        if (range.min <= 1 && plan.symbols[i].least > 1) {
            const std::int64_t least = range.min;
            range.min = 2;
            while (range.min > least && holds_at(range.min - 1)) --range.min;
            if (range.min < 2) small.push_back(i);
        }
        const std::int64_t end = std::min<std::int64_t>(range.min, 0);
        if (range.min == end && natural.min < end && holds_at(end - 1) && holds_at(end - 2) && holds_at(end - 7))
            range.min = natural.min;
    }
    // Two that are fine alone may not be so together.
    for (const std::int64_t value : {std::int64_t{1}, std::int64_t{0}}) {
        ProbePoint point = sample;
        std::size_t moved = 0;
        for (const std::size_t i : small)
            if (plan.symbols[i].range.contains(value)) point[i] = value, ++moved;
        if (moved < 2 || !parting(point)) continue;
        for (const std::size_t i : small) plan.symbols[i].range.min = std::max(plan.symbols[i].range.min, value + 1);
    }
}

/// What of `held` must be checked of a number that is in `natural` anyway.
[[nodiscard]] inline ValueRange beyond(const ValueRange& natural, const ValueRange& held) noexcept {
    return {held.min > natural.min ? held.min : ValueRange::no_min,
            held.max < natural.max ? held.max : ValueRange::no_max};
}

/// Unbacked symbols of which the program must check a value before it goes on, and the range that holds.
[[nodiscard]] inline std::vector<std::pair<std::string, ValueRange>> ranges_to_check(const ShapePlan& plan,
                                                                                     const Trace& first) {
    std::vector<std::pair<std::string, ValueRange>> checked;
    std::size_t unbacked = 0;
    for (const ProbeDim& symbol : plan.symbols) {
        if (!is_unbacked_name(symbol.name)) continue;
        const ValueRange needed = beyond(first.unbacked.at(unbacked++), symbol.range);
        if (needed != ValueRange{}) checked.emplace_back(symbol.name, needed);
    }
    return checked;
}

}  // namespace ferry::capture
