#pragma once

#include <ferry/capture/fit.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/refuse_branch.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

[[nodiscard]] inline double value_at(const RealFit& fit, const SymBindings& sizes) {
    return fit.factor * ferry::detail::apply(fit.function, static_cast<double>(evaluate(fit.of, sizes)));
}

/// Whether the expressions found for `runs` also give the numbers of one more run, at these sizes.
[[nodiscard]] inline bool explains(Unifier& runs, const Trace& other, const SymBindings& at_sizes, Fitter& fitter) {
    std::vector<SymExpr> expected;
    std::vector<std::optional<double>> expected_reals;  // none: the run has computed it
    runs.for_each_number([&](const SymExpr& size) { expected.push_back(size); },
                         [&](const std::optional<RealSource>& source, double constant) {
                             if (!source)
                                 expected_reals.emplace_back(constant);
                             else
                                 expected_reals.push_back(
                                     source->computed ? std::nullopt : std::optional(value_at(source->fit, at_sizes)));
                         });
    Unifier lone(std::vector<const Trace*>{&other}, fitter);
    std::size_t position = 0, real_position = 0;
    bool same = true;
    lone.for_each_number(
        [&](const SymExpr& size) {
            same = same && position < expected.size() && evaluate(expected[position], at_sizes) == size.value();
            ++position;
        },
        [&](const std::optional<RealSource>&, double found) {
            const auto* wanted = real_position < expected_reals.size() ? &expected_reals[real_position] : nullptr;
            const bool is_same = wanted != nullptr && (!*wanted || **wanted == found ||
                                                       std::abs(**wanted - found) <= 1e-6 * std::abs(found) ||
                                                       (std::isnan(**wanted) && std::isnan(found)));
            same = same && is_same;
            ++real_position;
        });
    return same && position == expected.size() && real_position == expected_reals.size();
}

/// Numbers that code compares values with: small ones, and those around round ones.
inline constexpr std::int64_t compared_values[] = {0,   1,   2,   3,   4,   5,   6,   7,    8,    9,   10,
                                                   12,  15,  16,  20,  25,  31,  32,  50,   63,   64,  99,
                                                   100, 101, 127, 128, 255, 256, 500, 1000, 1024, 5000};

/// Points at which each number that depends on values is each of these once, all others being something else.
[[nodiscard]] inline std::vector<ProbePoint> points_of_values(const std::vector<ProbeDim>& symbols,
                                                              const ProbePoint& sample) {
    std::vector<ProbePoint> points;
    constexpr std::size_t count = std::size(compared_values);
    for (std::size_t round = 0; round < count; ++round) {
        ProbePoint point = sample;
        std::size_t next = round;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            if (!is_unbacked_name(symbols[i].name)) continue;
            const std::int64_t value = compared_values[next++ % count];
            if (probe_domain(symbols[i]).min <= value && symbols[i].range.contains(value)) point[i] = value;
        }
        if (point != sample) points.push_back(std::move(point));
    }
    return points;
}

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
