#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Probe points for sizes that do not go together in every way: those at which conditions over them hold.
class FittingPoints {
public:
    static constexpr std::size_t none = SIZE_MAX;

    FittingPoints(std::vector<ProbeDim> dims, const std::vector<SymExpr>& conditions) : dims_(std::move(dims)) {
        std::set<std::string> bound;
        for (const SymExpr& condition : conditions) {
            const auto symbols = free_symbols(condition);
            const bool is_ours = algo::all_of(
                symbols, [&](const std::string& symbol) { return algo::contains(dims_, symbol, &ProbeDim::name); });
            if (!is_ours || symbols.empty()) continue;
            conditions_.push_back(condition);
            bound.insert(symbols.begin(), symbols.end());
        }
        for (std::size_t d = 0; d < dims_.size(); ++d)
            if (bound.contains(dims_[d].name)) bound_.push_back(d);
    }

    [[nodiscard]] bool any() const noexcept { return !conditions_.empty(); }
    [[nodiscard]] const std::vector<ProbeDim>& dims() const noexcept { return dims_; }
    [[nodiscard]] bool holds(const ProbePoint& point) const;
    /// This point or one near it, with the same size of dimension `kept`; nothing where none was found.
    [[nodiscard]] std::optional<ProbePoint> near(const ProbePoint& point, std::size_t kept = none) const;
    /// Cuts the domains of the dimensions to the sizes that go with some sizes of the others.
    void fit_domains();
    /// As choose_probe_points, where these hold.
    [[nodiscard]] std::vector<ProbePoint> choose() const;

private:
    [[nodiscard]] ProbePoint sample() const {
        ProbePoint point;
        point.reserve(dims_.size());
        for (const ProbeDim& dim : dims_) point.push_back(dim.sample);
        return point;
    }

    std::vector<ProbeDim> dims_;
    std::vector<SymExpr> conditions_;
    std::vector<std::size_t> bound_;  // dimensions that the conditions are about
    std::vector<ProbePoint> ends_;  // of their domains
};

inline bool FittingPoints::holds(const ProbePoint& point) const {
    SymBindings sizes;
    for (const std::size_t d : bound_) sizes.set(dims_[d].name, point[d]);
    try {
        return algo::all_of(conditions_, [&](const SymExpr& each) { return evaluate_bool(each, sizes); });
    } catch (const Error&) {  // too large a number, or a division by zero
        return false;
    }
}

inline std::optional<ProbePoint> FittingPoints::near(const ProbePoint& point, std::size_t kept) const {
    if (holds(point)) return point;
    constexpr std::size_t tries = 800;
    ferry::detail::ProbeRandom random{kept + 1};
    for (const std::int64_t size : point) random.state = random.next() ^ static_cast<std::uint64_t>(size);
    for (std::size_t i = 0; i < tries; ++i) {
        ProbePoint other = point;
        for (const std::size_t d : bound_) {
            // First by other numbers that depend on values alone; small ones are as likely as large ones.
            const bool may_move = i > tries / 4 || is_unbacked_name(dims_[d].name);
            if (d == kept || !may_move || random.next() % 2 == 0) continue;
            const ValueRange domain = probe_domain(dims_[d]);
            const auto span = static_cast<std::uint64_t>(domain.max - domain.min);
            const auto bits = random.next() % (static_cast<std::uint64_t>(std::bit_width(span)) + 1);
            const auto step = random.next() & ((std::uint64_t{1} << bits) - 1);
            other[d] = domain.min + static_cast<std::int64_t>(std::min(step, span));
        }
        if (holds(other)) return other;
    }
    return std::nullopt;
}

inline void FittingPoints::fit_domains() {
    ends_.clear();
    for (const std::size_t d : bound_) {
        const ValueRange domain = probe_domain(dims_[d]);
        const auto with = [&](std::int64_t size) {
            ProbePoint point = sample();
            point[d] = size;
            return near(point, d);
        };
        /// The last size that fits on the way from the sample to this end.
        const auto go_to = [&](std::int64_t end) {
            std::int64_t good = std::clamp(dims_[d].sample, domain.min, domain.max);
            auto found = with(end);
            while (!found && good != end) {
                const std::int64_t middle = end > good ? good + (end - good + 1) / 2 : good - (good - end + 1) / 2;
                if (auto fits = with(middle)) {
                    good = middle;
                    if (good == end) found = std::move(fits);
                } else {
                    end = middle > good ? middle - 1 : middle + 1;
                }
            }
            if (!found) found = with(good);
            if (found) ends_.push_back(*found);
            return found ? (*found)[d] : good;
        };
        const std::int64_t least = go_to(domain.min), most = go_to(domain.max);
        dims_[d].domain = ValueRange{least, most};
    }
}

inline std::vector<ProbePoint> FittingPoints::choose() const {
    std::vector<ProbePoint> points;
    const auto add = [&](const std::optional<ProbePoint>& point) {
        if (point && !algo::contains(points, *point)) points.push_back(*point);
    };
    ferry::detail::ProbeRandom random{1};
    add(near(sample()));
    for (const ProbePoint& end : ends_) add(end);
    std::size_t varying = 0;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
        const ValueRange domain = probe_domain(dims_[d]);
        if (domain.min == domain.max) continue;
        ++varying;
        if (algo::contains(bound_, d)) continue;
        for (const std::int64_t end : {domain.min, domain.max}) {
            ProbePoint point = ferry::detail::generic_point(dims_, 2 * varying, random);
            point[d] = end;
            add(near(point, d));
        }
    }
    const std::size_t wanted = varying == 0 ? 1 : std::max<std::size_t>(5, varying + 4);
    constexpr std::size_t tries = 64;
    for (std::size_t i = 0; i < tries; ++i) {
        if (points.size() >= wanted && ferry::detail::separates(points, dims_)) break;
        add(near(ferry::detail::generic_point(dims_, i, random)));
        if (points.size() >= wanted + 16) break;
    }
    return points;
}

}  // namespace ferry::capture
