#pragma once

#include <ferry/capture/discover_dims.hpp>
#include <ferry/capture/fit.hpp>
#include <ferry/capture/fitting_points.hpp>
#include <ferry/capture/narrow_ranges.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Finds out which dimensions may vary, which move together, and over which ranges the model does the same.
class ShapePlanner {
public:
    ShapePlanner(Session& session, const ShapeWishes& wishes, const Progress& progress)
        : prober_(session, progress), wishes_(wishes) {}

    [[nodiscard]] Probed plan() {
        for (;;) {
            probed_ = {};
            try {
                return plan_once();
            } catch (const Prober::OtherMemory& other) {
                prober_.trace_memory(other.call, probed_);
            }
        }
    }

private:
    [[nodiscard]] Probed plan_once();
    [[nodiscard]] bool probe(const std::vector<ProbePoint>& points);
    [[nodiscard]] bool explain();
    void add_unbacked();
    [[nodiscard]] std::vector<ProbePoint> first_points();
    [[nodiscard]] std::vector<ProbePoint> fitting(std::vector<ProbePoint> points) const;

    Prober prober_;
    const ShapeWishes& wishes_;
    Probed probed_;
};

/// Runs at these points. False when one does not go with the others, and a range was cut.
inline bool ShapePlanner::probe(const std::vector<ProbePoint>& points) {
    prober_.expect_runs(points.size());
    for (const ProbePoint& point : points) {
        if (point == probed_.sample_point() && prober_.baseline().unbacked.empty()) {  // has been run
            probed_.points.push_back(point);
            probed_.traces.push_back(prober_.baseline());
            continue;
        }
        Prober::Attempt tried = prober_.attempt(probed_.plan, point);
        if (const auto why = prober_.parting(tried)) {
            RangeNarrower(prober_, wishes_, probed_).narrow(point, *why);
            return false;
        }
        probed_.points.push_back(point);
        probed_.traces.push_back(std::move(tried.outcome->trace));
    }
    return true;
}

/// Probes until every integer of the runs has one explanation. False when a range was cut on the way.
inline bool ShapePlanner::explain() {
    for (;;) {
        Fitter fitter(probed_.plan.symbols, probed_.points, wishes_.known_sizes());
        Unifier unifier(probed_.traces, fitter);
        if (const auto why = unifier.find_divergence())
            throw Error(ErrorKind::unsupported, "an integer does not follow from the dynamic sizes: " + why->reason,
                        {.hint = "make the dimensions that it depends on static",
                         .where = {.stage = "dynamic shapes", .op = why->name}});
        if (!unifier.needs_more_points()) {
            RangeNarrower(prober_, wishes_, probed_).check_small_ends(unifier, fitter);
            widen_unbacked(probed_.plan, probed_.traces[0], unifier, fitter,
                           [&](const ShapePlan& plan, const ProbePoint& point) -> std::optional<Trace> {
                               Prober::Attempt tried = prober_.attempt(plan, point);
                               if (prober_.parting(tried)) return std::nullopt;
                               return std::move(tried.outcome->trace);
                           });
            return true;
        }
        const auto wanted = fitting(fitter.wanted_points());
        if (wanted.empty() || probed_.points.size() >= Fitter::max_points)
            throw Error(ErrorKind::unsupported,
                        "an integer has more than one explanation in terms of the dynamic sizes",
                        {.hint = "make the dimensions that it depends on static, or give them smaller ranges",
                         .where = {.stage = "dynamic shapes"}});
        if (!probe(wanted)) return false;
    }
}

/// Numbers that depend on values vary like sizes do.
inline void ShapePlanner::add_unbacked() {
    const auto& unbacked = prober_.baseline().unbacked;
    for (std::size_t i = 0; i < unbacked.size(); ++i) {
        const std::string& name = prober_.baseline().unbacked_names[i];
        ValueRange range = intersect(unbacked[i], ValueRange::at_least(0));
        std::int64_t sample = std::max<std::int64_t>(range.min, 2);
        if (const StatedSizes* stated = prober_.stated()) {
            if (const ValueRange* known = stated->ranges.find(name)) range = intersect(range, *known);
            const auto* number = stated->sample.find(name);
            sample = number != nullptr ? *number : std::clamp(sample, range.min, range.max);
        }
        probed_.plan.symbols.push_back({name, range, sample});
    }
}

inline std::vector<ProbePoint> ShapePlanner::first_points() {
    auto& symbols = probed_.plan.symbols;
    if (const StatedSizes* stated = prober_.stated()) {
        for (ProbeDim& symbol : symbols) symbol.domain.reset();
        FittingPoints points(symbols, stated->conditions);
        if (points.any()) {
            points.fit_domains();
            symbols = points.dims();
            return points.choose();
        }
    }
    return choose_probe_points(symbols);
}

/// Points near these that were not probed yet and at which the sizes are as stated.
inline std::vector<ProbePoint> ShapePlanner::fitting(std::vector<ProbePoint> points) const {
    if (prober_.stated() == nullptr) return points;
    const FittingPoints fit(probed_.plan.symbols, prober_.stated()->conditions);
    std::vector<ProbePoint> found;
    for (const ProbePoint& point : points)
        if (auto near = fit.near(point); near && std::ranges::find(probed_.points, *near) == probed_.points.end() &&
                                         std::ranges::find(found, *near) == found.end())
            found.push_back(std::move(*near));
    return found;
}

inline Probed ShapePlanner::plan_once() {
    constexpr int max_rounds = 32;
    probed_.plan = probed_.asked = wishes_.plan(prober_.leaves());
    probed_.output = prober_.run_sample(probed_);
    DimDiscovery(prober_, wishes_, probed_).run();
    add_unbacked();
    // Nothing varies, so nothing else would run the model again, and see whether it uses what it has left behind.
    if (probed_.plan.symbols.empty()) static_cast<void>(prober_.attempt(probed_.plan, probed_.sample_point()));
    for (int round = 0; round < max_rounds; ++round) {
        probed_.points.clear();
        probed_.traces.clear();
        if (probe(first_points()) && explain()) return std::move(probed_);
    }
    throw Error(ErrorKind::unsupported, "no range of sizes was found over which the model does the same",
                {.where = {.stage = "dynamic shapes"}});
}

}  // namespace ferry::capture
