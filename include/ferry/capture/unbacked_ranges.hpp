#pragma once

#include <ferry/capture/fit.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ferry::capture {

/// Whether the expressions found for `runs` also give the integers of one more run, at these sizes.
[[nodiscard]] inline bool explains(Unifier& runs, const Trace& other, const SymBindings& at_sizes, Fitter& fitter) {
    std::vector<SymExpr> expected;
    runs.for_each_size([&](const SymExpr& size) { expected.push_back(size); });
    Unifier lone(std::vector<const Trace*>{&other}, fitter);
    std::size_t position = 0;
    bool same = true;
    lone.for_each_size([&](const SymExpr& size) {
        same = same && position < expected.size() && evaluate(expected[position], at_sizes) == size.value();
        ++position;
    });
    return same && position == expected.size();
}

/// Which values the unbacked symbols may have. Probes leave out 0 and 1, where ops broadcast or find nothing to do, and numbers
/// below zero; but no user promises that a mask is never empty. So each such value is tried, and becomes part of the range only when
/// the model does the same there and the same expressions hold; what stays outside is refused when the program runs.
/// `attempt(plan, point)` is a trace like the others, or nothing.
template <class Attempt>
void widen_unbacked(ShapePlan& plan, const Trace& first, Unifier& runs, Fitter& fitter, Attempt&& attempt) {
    const auto holds = [&](const ProbePoint& point) {
        const std::optional<Trace> other = attempt(plan, point);
        if (!other) return false;
        SymBindings bindings;
        for (std::size_t i = 0; i < plan.symbols.size(); ++i) bindings.set(plan.symbols[i].name, point[i]);
        return explains(runs, *other, bindings, fitter);
    };
    ProbePoint sample;
    for (const ProbeDim& symbol : plan.symbols) sample.push_back(symbol.sample);
    std::vector<std::size_t> small;
    std::size_t unbacked = 0;
    for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
        if (!is_unbacked_name(plan.symbols[i].name)) continue;
        const ValueRange natural = first.unbacked.at(unbacked++);
        ValueRange& range = plan.symbols[i].range;
        if (range.min > 1) continue;  // probed down to its end
        const std::int64_t least = range.min;
        range.min = 2;
        const auto holds_at = [&](std::int64_t value) {
            ProbePoint point = sample;
            point[i] = value;
            return holds(point);
        };
        while (range.min > least && holds_at(range.min - 1)) --range.min;
        if (range.min == 0 && natural.min < 0 && holds_at(-1) && holds_at(-2) && holds_at(-7)) range.min = natural.min;
        if (range.min < 2) small.push_back(i);
    }
    // Two that are fine alone may not be so together.
    for (const std::int64_t value : {std::int64_t{1}, std::int64_t{0}}) {
        ProbePoint point = sample;
        std::size_t moved = 0;
        for (const std::size_t i : small)
            if (plan.symbols[i].range.contains(value)) point[i] = value, ++moved;
        if (moved < 2 || holds(point)) continue;
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
