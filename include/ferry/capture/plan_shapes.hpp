#pragma once

#include <ferry/capture/discover_dims.hpp>
#include <ferry/capture/fit.hpp>
#include <ferry/capture/narrow_ranges.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/required_dims.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/graph/sym_eval.hpp>

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
            } catch (const StartAgain&) {
                continue;  // each time with less that is taken for known
            } catch (const Prober::OtherMemory& other) {
                prober_.trace_memory(other.call, probed_);
            }
        }
    }

private:
    [[nodiscard]] Probed plan_once();
    [[nodiscard]] bool leave_small_sizes();
    [[nodiscard]] bool probe(const std::vector<ProbePoint>& points);
    [[nodiscard]] bool explain();
    [[nodiscard]] std::optional<Divergence> parting(Unifier& runs, Fitter& fitter, const ProbePoint& point);
    [[nodiscard]] std::optional<ProbePoint> find_other_value(Unifier& runs, Fitter& fitter);
    void add_unbacked();
    void refuse_complaints() const;

    Prober prober_;
    const ShapeWishes& wishes_;
    Probed probed_;
};

/// Sizes of 0 and 1 in the sample are where ops do other things: probing is done near them. False when that does not hold, and
/// a range was cut.
inline bool ShapePlanner::leave_small_sizes() {
    auto& symbols = probed_.plan.symbols;
    ProbePoint near = probed_.sample_point();
    std::int64_t next = 3;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (is_unbacked_name(symbols[i].name) || near[i] > 1 || symbols[i].range.max < 2) continue;
        near[i] = std::min(next, symbols[i].range.max);
        next += 2;
    }
    if (near == probed_.sample_point()) return true;
    Prober::Attempt tried = prober_.attempt(probed_.plan, near);
    if (const auto why = prober_.parting(tried)) {
        RangeNarrower(prober_, wishes_, probed_).narrow(near, *why);
        return false;
    }
    prober_.set_baseline(std::move(tried.outcome->trace));
    for (std::size_t i = 0; i < symbols.size(); ++i)
        if (symbols[i].sample != near[i]) {
            probed_.given.emplace(symbols[i].name, symbols[i].sample);
            symbols[i].sample = near[i];
        }
    return true;
}

/// Runs at these points. False when one does not go with the others, and a range was cut.
inline bool ShapePlanner::probe(const std::vector<ProbePoint>& points) {
    prober_.expect_runs(points.size());
    for (const ProbePoint& point : points) {
        if (point == probed_.sample_point()) {  // has been run
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

/// How a run leaves the others, numbers that their expressions do not give included.
inline std::optional<Divergence> ShapePlanner::parting(Unifier& runs, Fitter& fitter, const ProbePoint& point) {
    const Prober::Attempt tried = prober_.attempt(probed_.plan, point);
    if (auto parted = prober_.parting(tried)) return parted;
    SymBindings bindings;
    for (std::size_t i = 0; i < point.size(); ++i) bindings.set(probed_.plan.symbols[i].name, point[i]);
    if (explains(runs, tried.outcome->trace, bindings, fitter)) return std::nullopt;
    return Divergence{.reason = "the model's numbers do not follow the same expressions", .how = Parting::fails};
}

/// Code that compares a value with a number does something else there: a point at which that shows, if there is one.
inline std::optional<ProbePoint> ShapePlanner::find_other_value(Unifier& runs, Fitter& fitter) {
    for (const ProbePoint& point : points_of_values(probed_.plan.symbols, probed_.sample_point()))
        if (std::ranges::find(probed_.points, point) == probed_.points.end() && parting(runs, fitter, point))
            return point;
    return std::nullopt;
}

/// Probes until every integer of the runs has one explanation. False when a range was cut on the way.
inline bool ShapePlanner::explain() {
    RangeNarrower narrower(prober_, wishes_, probed_);
    for (;;) {
        Fitter fitter(probed_.plan.symbols, probed_.points, wishes_.known_sizes());
        Unifier unifier(probed_.traces, fitter);
        if (const auto why = unifier.find_divergence()) {
            narrower.fix_unexplained(*why);
            return false;
        }
        if (unifier.needs_more_points()) {
            const auto wanted = fitter.wanted_points();
            if (wanted.empty() || probed_.points.size() >= Fitter::max_points)
                throw Error(ErrorKind::unsupported,
                            "an integer has more than one explanation in terms of the dynamic sizes",
                            {.hint = "make the dimensions that it depends on static, or give them smaller ranges",
                             .where = {.stage = "dynamic shapes"}});
            if (!probe(wanted)) return false;
            continue;
        }
        if (prober_.runs_code())
            if (const auto other = find_other_value(unifier, fitter)) {
                if (!probe({*other})) return false;
                continue;
            }
        if (!narrower.check_small_ends(unifier, fitter)) return false;
        widen_unbacked(probed_.plan, probed_.traces[0],
                       [&](const ProbePoint& point) { return parting(unifier, fitter, point); });
        return true;
    }
}

/// Numbers that depend on values vary like sizes do.
inline void ShapePlanner::add_unbacked() {
    const Trace& baseline = prober_.baseline();
    for (std::size_t i = 0; i < baseline.unbacked.size(); ++i) {
        ProbeDim symbol{.name = "u" + std::to_string(i)};
        const auto asked = std::ranges::find(baseline.asked, i, &AskedValue::unbacked);
        if (asked != baseline.asked.end()) {
            symbol.sample = baseline.values[baseline.ops[asked->op].outputs[0].values[0].index].number;
            symbol.least = std::min<std::int64_t>(symbol.sample, 0);
            symbol.range = intersect(baseline.unbacked[i], ValueRange::at_least(symbol.least));
        } else {
            symbol.range = intersect(baseline.unbacked[i], ValueRange::at_least(0));
            symbol.sample = std::max<std::int64_t>(symbol.range.min, 2);
        }
        probed_.plan.symbols.push_back(std::move(symbol));
    }
}

/// What was asked for and does not hold is an Error, now that it is known what does.
inline void ShapePlanner::refuse_complaints() const {
    if (probed_.complaints.empty()) return;
    const Complaint& first = probed_.complaints[0];
    const std::string ways = ", remove what depends on the size, or set prefer_deferred_runtime_asserts_over_guards";
    ErrorDetails details{.hint = first.hint + ways, .where = {.stage = "dynamic shapes", .op = first.op}};
    if (!first.hint.empty()) throw Error(ErrorKind::invalid_input, first.found, std::move(details));
    const auto held = std::ranges::find(probed_.plan.symbols, first.symbol, &ProbeDim::name);
    if (held == probed_.plan.symbols.end() || held->range.min == held->range.max) {
        details.hint = "make '" + first.symbol + "' static" + ways;
    } else {
        const auto factor = probed_.factors.find(first.symbol);
        details.hint = "ask for " + (factor != probed_.factors.end() ? std::to_string(factor->second) + " * " : "") +
                       "Dim{\"" + first.symbol + "\", " + std::to_string(std::max<std::int64_t>(held->range.min, 0)) +
                       (held->range.max == ValueRange::no_max ? "" : ", " + std::to_string(held->range.max)) + "}" +
                       ways;
    }
    throw Error(ErrorKind::invalid_input,
                "the model does not do the same over the whole range of a dimension: " + first.found,
                std::move(details));
}

inline Probed ShapePlanner::plan_once() {
    constexpr int max_rounds = 32;
    probed_.plan = probed_.asked = wishes_.plan(prober_.leaves());
    probed_.output = prober_.run_sample_first(probed_);
    DimDiscovery(prober_, wishes_, probed_).run();
    add_unbacked();
    for (int round = 0; round < max_rounds; ++round) {
        probed_.points.clear();
        probed_.traces.clear();
        if (!leave_small_sizes() || !probe(choose_probe_points(probed_.plan.symbols)) || !explain()) continue;
        refuse_complaints();
        check_required_dims(wishes_, probed_, prober_.leaves());
        prober_.require_no_memory(probed_);
        return std::move(probed_);
    }
    throw Error(ErrorKind::unsupported, "no range of sizes was found over which the model does the same",
                {.where = {.stage = "dynamic shapes"}});
}

}  // namespace ferry::capture
