#pragma once

#include <ferry/capture/align_contiguous.hpp>
#include <ferry/capture/compared_numbers.hpp>
#include <ferry/capture/discover_dims.hpp>
#include <ferry/capture/explanation.hpp>
#include <ferry/capture/fit.hpp>
#include <ferry/capture/fitting_points.hpp>
#include <ferry/capture/narrow_ranges.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/required_dims.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
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
    [[nodiscard]] std::vector<ProbePoint> take_seeds();
    [[nodiscard]] bool probe(const std::vector<ProbePoint>& points);
    void align_traces();
    [[nodiscard]] bool explain();
    [[nodiscard]] std::optional<ProbePoint> find_other_steps(const Explanation& explanation);
    [[nodiscard]] bool gives_up_ones();
    void add_unbacked();
    void refuse_complaints() const;
    [[nodiscard]] std::vector<ProbePoint> first_points();
    void reach_known_steps();
    [[nodiscard]] std::vector<ProbePoint> fitting(std::vector<ProbePoint> points) const;

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
    probed_.seeds.clear();
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

/// The points to begin with: those of runs that there are already, and of the usual ones so many fewer.
inline std::vector<ProbePoint> ShapePlanner::take_seeds() {
    auto usual = first_points();
    const auto& symbols = probed_.plan.symbols;
    for (Seed& seed : std::exchange(probed_.seeds, {})) {
        ProbePoint point = probed_.sample_point();
        for (std::size_t i = 0; i < point.size(); ++i)
            if (symbols[i].name == seed.symbol) point[i] = seed.size;
        // The ends of the domains come first, and are needed.
        const bool is_last = usual.size() <= symbols.size() + 1;
        if (is_last || point == probed_.sample_point() || !seed.trace.unbacked.empty()) continue;
        usual.pop_back();
        probed_.points.push_back(std::move(point));
        probed_.traces.push_back(std::move(seed.trace));
    }
    if (!prober_.runs_code() || probed_.points.empty()) return usual;
    // The smallest sizes are looked at in any case: so they may as well be points.
    std::size_t next = symbols.size() + 1;
    for (const ProbePoint& tiny : tiny_sizes(symbols, probed_.sample_point(), probed_.points))
        if (next < usual.size()) usual[next++] = tiny;
    return usual;
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
            if (!gives_up_ones()) RangeNarrower(prober_, wishes_, probed_).narrow(point, *why);
            return false;
        }
        probed_.points.push_back(point);
        probed_.traces.push_back(std::move(tried.outcome->trace));
    }
    return true;
}

/// Code that compares a number with another does something else there: a point at which that shows, if there is one. That a model
/// fails at sizes far beyond the sample's says nothing of those that it takes.
inline std::optional<ProbePoint> ShapePlanner::find_other_steps(const Explanation& explanation) {
    const auto& symbols = probed_.plan.symbols;
    const ProbePoint sample = probed_.sample_point();
    const auto parting = [&](const ProbePoint& point) {
        const bool is_known = point == sample || algo::contains(probed_.points, point);
        return is_known ? std::nullopt : prober_.parting(probed_.plan, point, explanation);
    };
    for (const auto& points : {points_of_values(symbols, sample), tiny_sizes(symbols, sample, probed_.points)})
        for (const ProbePoint& point : points)
            if (parting(point)) return point;
    const ProbePoint far = prober_.computes() ? sample : large_sizes(symbols, sample);
    const auto parted = parting(far);
    return parted && parted->how != Parting::fails ? std::optional(far) : std::nullopt;
}

/// Whether sizes of 1 go with the others, as they mostly do, is seen at once; where they do not, each dimension is looked at alone.
inline bool ShapePlanner::gives_up_ones() {
    bool any = false;
    for (ProbeDim& symbol : probed_.plan.symbols)
        if (symbol.least == 1) symbol.least = 2, any = true;
    return any;
}

/// Runs that lack calls of contiguous() get those that the longest run has.
inline void ShapePlanner::align_traces() {
    const auto longest = algo::max_element(probed_.traces, {}, [](const Trace& trace) { return trace.ops.size(); });
    if (longest == probed_.traces.end() || longest->ops.size() == prober_.baseline().ops.size()) return;
    for (auto trace = probed_.traces.begin(); trace != probed_.traces.end(); ++trace)
        if (trace != longest) *trace = with_contiguous_of(*longest, std::move(*trace));
    prober_.set_baseline(with_contiguous_of(*longest, prober_.baseline()));
}

/// Probes until every integer of the runs has one explanation. False when a range was cut on the way.
inline bool ShapePlanner::explain() {
    RangeNarrower narrower(prober_, wishes_, probed_);
    for (;;) {
        align_traces();
        Fitter fitter(probed_.plan.symbols, probed_.points, wishes_.known_sizes());
        Unifier unifier(probed_.traces, fitter);
        const Explanation explanation(unifier);
        if (const auto& why = explanation.why()) {
            if (!gives_up_ones()) narrower.fix_unexplained(*why);
            return false;
        }
        const auto wanted = unifier.needs_more_points() ? fitting(fitter.wanted_points()) : std::vector<ProbePoint>();
        // Where conditions leave no other sizes, what differs elsewhere is the same.
        const bool is_bound = prober_.stated() != nullptr && !prober_.stated()->conditions.empty();
        if (unifier.needs_more_points() && !(wanted.empty() && is_bound)) {
            if (wanted.empty() || probed_.points.size() >= Fitter::max_points) {
                if (gives_up_ones()) return false;
                throw Error(ErrorKind::unsupported,
                            "an integer has more than one explanation in terms of the dynamic sizes",
                            {.hint = "make the dimensions that it depends on static, or give them smaller ranges",
                             .where = {.stage = "dynamic shapes"}});
            }
            if (!probe(wanted)) return false;
            continue;
        }
        if (prober_.runs_code())
            if (const auto other = find_other_steps(explanation)) {
                if (!probe({*other})) return false;
                continue;
            }
        if (!narrower.check_small_ends(explanation)) return false;
        widen_unbacked(probed_.plan, probed_.traces[0],
                       [&](const ProbePoint& point) { return prober_.parting(probed_.plan, point, explanation); });
        return true;
    }
}

/// Numbers that depend on values vary like sizes do.
inline void ShapePlanner::add_unbacked() {
    const Trace& baseline = prober_.baseline();
    for (std::size_t i = 0; i < baseline.unbacked.size(); ++i) {
        ProbeDim symbol{.name = baseline.unbacked_names[i]};
        const auto asked = algo::find(baseline.asked, i, &AskedValue::unbacked);
        if (asked != baseline.asked.end() && prober_.runs_code()) {
            symbol.sample = baseline.values[baseline.ops[asked->op].outputs[0].values[0].index].number;
            symbol.least = std::min<std::int64_t>(symbol.sample, 0);
            symbol.range = intersect(baseline.unbacked[i], ValueRange::at_least(symbol.least));
        } else {
            symbol.range = intersect(baseline.unbacked[i], ValueRange::at_least(0));
            symbol.sample = std::max<std::int64_t>(symbol.range.min, 2);
        }
        if (const StatedSizes* stated = prober_.stated()) {
            if (const ValueRange* known = stated->ranges.find(symbol.name))
                symbol.range = intersect(symbol.range, *known);
            const auto* number = stated->sample.find(symbol.name);
            symbol.sample = number != nullptr ? *number : std::clamp(symbol.sample, symbol.range.min, symbol.range.max);
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
    const auto held = algo::find(probed_.plan.symbols, first.symbol, &ProbeDim::name);
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

/// Numbers that are known to vary must do so within the sizes that are tried: those of a window of 224 take four times that.
inline void ShapePlanner::reach_known_steps() {
    constexpr std::int64_t far = 1 << 14;
    auto& symbols = probed_.plan.symbols;
    for (const SymExpr& known : wishes_.known_sizes())
        for (const std::string& name : free_symbols(known)) {
            const auto symbol = algo::find(symbols, name, &ProbeDim::name);
            if (symbol == symbols.end() || symbol->range.max != ValueRange::no_max) continue;
            ValueRange domain = probe_domain(*symbol);
            const auto number_at = [&](std::int64_t size) -> std::optional<std::int64_t> {
                SymBindings sizes = probed_.plan.bindings_at(probed_.sample_point());
                sizes.set(name, size);
                try {
                    return evaluate(known, sizes);
                } catch (const Error&) {  // of other symbols, or of no number
                    return std::nullopt;
                }
            };
            const auto low = number_at(domain.min);
            const std::int64_t before = domain.max;
            while (domain.max < far && low && number_at(domain.max) == low) domain.max *= 2;
            if (domain.max == before || domain.max >= far) continue;
            domain.max = ferry::detail::prime_from(4 * domain.max);
            symbol->domain = domain;
        }
}

inline std::vector<ProbePoint> ShapePlanner::first_points() {
    auto& symbols = probed_.plan.symbols;
    if (const StatedSizes* stated = prober_.stated()) {
        for (ProbeDim& symbol : symbols) symbol.domain.reset();
        reach_known_steps();
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
        if (auto near = fit.near(point);
            near && !algo::contains(probed_.points, *near) && !algo::contains(found, *near))
            found.push_back(std::move(*near));
    return found;
}

inline Probed ShapePlanner::plan_once() {
    constexpr int max_rounds = 32;
    probed_.plan = probed_.asked = wishes_.plan(prober_.leaves());
    probed_.output = prober_.run_sample_first(probed_);
    DimDiscovery(prober_, wishes_, probed_).run();
    if (prober_.runs_code())
        for (ProbeDim& symbol : probed_.plan.symbols) symbol.least = 1;
    add_unbacked();
    for (int round = 0; round < max_rounds; ++round) {
        probed_.points.clear();
        probed_.traces.clear();
        if ((prober_.runs_code() && !leave_small_sizes()) || !probe(take_seeds()) || !explain()) continue;
        refuse_complaints();
        check_required_dims(wishes_, probed_, prober_.leaves());
        if (probed_.plan.symbols.empty()) prober_.require_no_memory(probed_);
        return std::move(probed_);
    }
    throw Error(ErrorKind::unsupported, "no range of sizes was found over which the model does the same",
                {.where = {.stage = "dynamic shapes"}});
}

}  // namespace ferry::capture
