#pragma once

#include <ferry/capture/detail/fit_families.hpp>
#include <ferry/capture/detail/fit_space.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ferry::detail {

/// Compares expressions that all fit, where no probe has been.
class FitRivals {
public:
    explicit FitRivals(const FitSpace& all) : space(all) {}

    /// Points that tell the first candidate from the others; none if they agree wherever they were compared.
    [[nodiscard]] std::vector<ProbePoint> points_apart(const Candidates& candidates) const {
        std::vector<Column> values(candidates.size());
        std::vector<ProbePoint> places;
        const auto compare_at = [&](const std::vector<ProbePoint>& more) {
            for (const auto& place : more) {
                SymBindings bindings;
                for (std::size_t d = 0; d < space.dims.size(); ++d) bindings.set(space.dims[d].name, place[d]);
                for (std::size_t c = 0; c < candidates.size(); ++c)
                    values[c].push_back(value_or_none(candidates[c].expr, bindings));
            }
            places.insert(places.end(), more.begin(), more.end());
        };
        const auto rivals = [&] {
            return algo::count_if(values, [&](const Column& column) { return column != values[0]; });
        };
        compare_at(comparison_points());
        // With a crowd of rivals any point will do; the last few may differ only near their steps.
        if (rivals() <= 8) compare_at(critical_points(candidates));
        std::vector<std::size_t> alive;
        for (std::size_t c = 0; c < candidates.size(); ++c)
            if (c == 0 || values[c] != values[0]) alive.push_back(c);
        if (alive.size() == 1) return {};
        std::vector<ProbePoint> splitting;
        // Where most of the others are wrong if the favourite is right. When that has gone on for a while, it is not: then the
        // second point is where the most are told apart.
        const bool doubtful = space.points.size() > 10;
        while (alive.size() > 1 && splitting.size() < 3) {
            const std::size_t at =
                doubtful && splitting.size() == 1 ? best_split(values, alive) : best_refutation(values, alive);
            if (algo::contains(splitting, places[at])) break;
            splitting.push_back(places[at]);
            if (!doubtful || splitting.size() != 2)
                std::erase_if(alive, [&](std::size_t c) { return values[c][at] != values[0][at]; });
        }
        return splitting;
    }

private:
    /// Where most of the living differ from the first.
    static std::size_t best_refutation(const std::vector<Column>& values, const std::vector<std::size_t>& alive) {
        std::size_t best = 0;
        std::ptrdiff_t most = -1;
        for (std::size_t p = 0; p < values[0].size(); ++p) {
            const auto differs = [&](std::size_t c) { return values[c][p] != values[0][p]; };
            if (const auto wrong = algo::count_if(alive, differs); wrong > most) {
                most = wrong;
                best = p;
            }
        }
        return best;
    }
    /// Where the fewest would be left in the worst case.
    static std::size_t best_split(const std::vector<Column>& values, const std::vector<std::size_t>& alive) {
        std::size_t best = 0;
        std::size_t least = alive.size() + 1;
        Column seen;
        for (std::size_t p = 0; p < values[0].size(); ++p) {
            seen.clear();
            for (const std::size_t c : alive) seen.push_back(values[c][p]);
            algo::sort(seen);
            std::size_t largest = 0;
            for (auto at = seen.begin(); at != seen.end();) {
                const auto next = std::upper_bound(at, seen.end(), *at);
                largest = std::max(largest, static_cast<std::size_t>(next - at));
                at = next;
            }
            if (largest < least) {
                least = largest;
                best = p;
            }
        }
        return best;
    }
    [[nodiscard]] std::vector<ProbePoint> critical_points(const Candidates& candidates) const {
        std::vector<ProbePoint> result;
        for (const std::size_t d : space.varying) {
            std::vector<std::int64_t> sizes;
            for (const auto& candidate : candidates)
                critical_sizes(candidate.expr, space.dims[d].name, probe_domain(space.dims[d]), sizes);
            algo::sort(sizes);
            sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
            // The other dimensions as large as can be, so that no factor is zero there.
            ProbePoint base;
            for (const auto& dim : space.dims)
                base.push_back(probe_domain(dim).max - 1 > probe_domain(dim).min ? probe_domain(dim).max - 1
                                                                                 : probe_domain(dim).max);
            for (const std::int64_t size : sizes) {
                result.push_back(base);
                result.back()[d] = size;
            }
        }
        return result;
    }
    static std::int64_t value_or_none(const SymExpr& expr, const SymBindings& bindings) {
        try {
            return evaluate(expr, bindings);
        } catch (const Error&) {
            return std::numeric_limits<std::int64_t>::min();  // too large to be a size
        }
    }

    [[nodiscard]] std::vector<ProbePoint> comparison_points() const {
        std::vector<ProbePoint> result;
        ProbeRandom random{99};
        const auto anywhere = [&] {
            ProbePoint point;
            for (const auto& dim : space.dims) point.push_back(random.within(probe_domain(dim)));
            return point;
        };
        result.reserve(32 + 64 * space.varying.size());
        for (int i = 0; i < 32; ++i) result.push_back(anywhere());
        for (const std::size_t d : space.varying) {
            const ValueRange domain = probe_domain(space.dims[d]);
            const ProbePoint base = anywhere();
            for (std::int64_t i = 0; i < 64 && i <= domain.max - domain.min; ++i) {
                result.push_back(base);
                result.back()[d] = domain.min + i;
            }
        }
        return result;
    }

    const FitSpace& space;
};

}  // namespace ferry::detail
