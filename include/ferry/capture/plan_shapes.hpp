#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/fit.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/error.hpp>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// What probing found out: the runs that agree, and the sizes over which they do.
struct Probed {
    ShapePlan plan{};
    std::vector<ProbePoint> points{};
    std::vector<Trace> traces{};
    Tree output{};  ///< of the run at the sample's sizes
    std::vector<std::string> notes{};
};

/// Finds out which dimensions may vary, which move together, and over which ranges the model does the same.
class ShapePlanner {
public:
    ShapePlanner(Session& session, std::vector<std::string> paths, const DynamicShapes& wanted, bool all_dynamic)
        : session_(session), paths_(std::move(paths)), wanted_(wanted), all_dynamic_(all_dynamic) {}

    [[nodiscard]] Probed plan();

private:
    struct Place {
        std::size_t leaf;
        std::size_t dim;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct Attempt {
        std::optional<Session::Outcome> outcome{};
        std::string reason{};  ///< why not
    };

    [[nodiscard]] std::string name(const Place& place) const { return paths_[place.leaf] + " dimension " + std::to_string(place.dim); }
    [[nodiscard]] std::int64_t sample(const Place& place) const { return session_.leaves()[place.leaf].tensor().size(static_cast<std::int64_t>(place.dim)); }
    void read_wanted();
    void discover();
    [[nodiscard]] bool may_move(const std::vector<Place>& together, std::int64_t by);
    [[nodiscard]] Attempt attempt(const ShapePlan& plan, const ProbePoint& point);
    [[nodiscard]] std::optional<Divergence> parting(const Attempt& attempt) const;
    void add_symbol(const std::string& symbol, const std::vector<Place>& places);
    [[nodiscard]] ProbePoint sample_point() const;
    void narrow(const ProbePoint& failed, const Divergence& why);
    [[nodiscard]] std::string fresh_symbol();

    Session& session_;
    std::vector<std::string> paths_;
    const DynamicShapes& wanted_;
    bool all_dynamic_;
    Probed probed_;
    Trace baseline_;
    std::vector<Place> automatic_;
    std::size_t next_symbol_ = 0;
};

inline std::string ShapePlanner::fresh_symbol() { return "s" + std::to_string(next_symbol_++); }

inline ProbePoint ShapePlanner::sample_point() const {
    ProbePoint point;
    for (const ProbeDim& symbol : probed_.plan.symbols) point.push_back(symbol.sample);
    return point;
}

inline ShapePlanner::Attempt ShapePlanner::attempt(const ShapePlan& plan, const ProbePoint& point) {
    try {
        return {.outcome = session_.run(plan, point)};
    } catch (const Error& error) {
        return {.reason = error.message()};
    } catch (const c10::Error& error) {
        return {.reason = error.what_without_backtrace()};
    } catch (const std::exception& error) {
        return {.reason = error.what()};
    }
}

inline std::optional<Divergence> ShapePlanner::parting(const Attempt& attempt) const {
    if (!attempt.outcome) return Divergence{.reason = attempt.reason};
    return compare_steps(baseline_, attempt.outcome->trace);
}

inline void ShapePlanner::read_wanted() {
    auto& plan = probed_.plan;
    std::map<std::string, std::int64_t> samples;
    const auto leaves = session_.leaves();
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        plan.sizes.emplace_back();
        if (!leaves[leaf].is_tensor() || !leaves[leaf].tensor().defined()) continue;
        const auto sizes = leaves[leaf].tensor().sizes();
        plan.sizes[leaf].assign(sizes.begin(), sizes.end());
        const auto asked = wanted_.find(paths_[leaf]);
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
            const Dim* wish = nullptr;
            if (asked != wanted_.end())
                for (const auto& [at, each] : asked->second)
                    if ((at < 0 ? at + static_cast<std::int64_t>(sizes.size()) : at) == static_cast<std::int64_t>(dim)) wish = &each;
            if (wish == nullptr) {
                if (all_dynamic_) automatic_.push_back({leaf, dim});
            } else if (wish->kind() == Dim::Kind::automatic) {
                automatic_.push_back({leaf, dim});
            } else if (wish->kind() == Dim::Kind::named) {
                plan.sizes[leaf][dim] = wish->size();
                for (const auto& [symbol, range] : wish->ranges())
                    if (std::ranges::find(plan.symbols, symbol, &ProbeDim::name) == plan.symbols.end())
                        plan.symbols.push_back({symbol, range, 0});
                if (wish->size().is_symbol()) {
                    const auto [known, is_new] = samples.emplace(wish->size().name(), sizes[dim]);
                    if (!is_new && known->second != sizes[dim])
                        throw Error(ErrorKind::invalid_input,
                                    "dimension '" + wish->size().name() + "' is " + std::to_string(known->second) + " in one input and " +
                                        std::to_string(sizes[dim]) + " in another",
                                    {.hint = "give dimensions that differ different names", .where = {.stage = "dynamic shapes", .path = paths_[leaf]}});
                }
            }
        }
    }
    for (const auto& [path, dims] : wanted_)
        if (std::ranges::find(paths_, path) == paths_.end()) {
            std::string known;
            for (const std::string& each : paths_) known.append(known.empty() ? "" : ", ").append(each);
            throw Error(ErrorKind::invalid_input, "dynamic_shapes names an input that there is not",
                        {.hint = "the inputs are: " + known, .where = {.stage = "dynamic shapes", .path = path}});
        }
    for (ProbeDim& symbol : plan.symbols) {
        const auto found = samples.find(symbol.name);
        if (found == samples.end())
            throw Error(ErrorKind::invalid_input, "dimension '" + symbol.name + "' occurs only in derived sizes",
                        {.hint = "use it plainly in one input, so that its size is known", .where = {.stage = "dynamic shapes"}});
        symbol.sample = found->second;
        if (!symbol.range.contains(symbol.sample))
            throw Error(ErrorKind::invalid_input,
                        "the sample has size " + std::to_string(symbol.sample) + " in dimension '" + symbol.name + "', outside its range " +
                            to_string(symbol.range),
                        {.where = {.stage = "dynamic shapes"}});
    }
}

/// Whether the model does the same when these dimensions, and no others, are larger by `by`.
inline bool ShapePlanner::may_move(const std::vector<Place>& together, std::int64_t by) {
    ShapePlan plan = probed_.plan;
    for (const Place& place : together) plan.sizes[place.leaf][place.dim] = SymExpr(sample(place) + by);
    return !parting(attempt(plan, sample_point()));
}

inline void ShapePlanner::add_symbol(const std::string& symbol, const std::vector<Place>& places) {
    probed_.plan.symbols.push_back({symbol, ValueRange::at_least(2), std::max<std::int64_t>(sample(places[0]), 2)});
    for (const Place& place : places) probed_.plan.sizes[place.leaf][place.dim] = SymExpr::symbol(symbol);
}

/// Moves dimensions alone, then those of equal size together, then pairs by the same amount: what a model ties together shows in
/// what it refuses.
inline void ShapePlanner::discover() {
    constexpr std::int64_t step = 6;  // no size that a broadcast or a divisor of the sample would forgive
    std::vector<Place> stuck;
    for (const Place& place : automatic_) {
        if (sample(place) < 2) {
            probed_.notes.push_back(name(place) + " is static: its sample has size " + std::to_string(sample(place)) + ", at which ops broadcast");
            continue;
        }
        if (may_move({place}, step) && may_move({place}, step - 1)) add_symbol(fresh_symbol(), {place});
        else stuck.push_back(place);
    }
    while (!stuck.empty()) {
        std::vector<Place> together;
        for (const Place& place : stuck)
            if (sample(place) == sample(stuck[0])) together.push_back(place);
        if (together.size() > 1 && may_move(together, step)) {
            for (std::size_t i = together.size(); i-- > 1;) {  // without those that need not move along
                std::vector<Place> fewer = together;
                fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
                if (may_move(fewer, step)) together = std::move(fewer);
            }
        } else {
            together.clear();
        }
        if (!together.empty() && together[0] == stuck[0] && may_move(together, step - 1)) {
            add_symbol(fresh_symbol(), together);
            std::erase_if(stuck, [&](const Place& place) { return std::ranges::find(together, place) != together.end(); });
            continue;
        }
        // A sum of others, as a mask's length is that of past and present: it moves along with each of them.
        const Place first = stuck[0];
        std::vector<Place> partners;
        for (const Place& other : automatic_)
            if (!(other == first) && sample(other) != sample(first) && may_move({first, other}, step)) partners.push_back(other);
        stuck.erase(stuck.begin());
        bool all_plain = !partners.empty();
        SymExpr sum;
        std::int64_t rest = sample(first);
        for (const Place& partner : partners) {
            SymExpr& size = probed_.plan.sizes[partner.leaf][partner.dim];
            if (size.is_constant() && std::ranges::find(stuck, partner) != stuck.end()) {
                add_symbol(fresh_symbol(), {partner});
                std::erase(stuck, partner);
            }
            all_plain = all_plain && size.is_symbol();
            sum = sum + size;
            rest -= sample(partner);
        }
        if (all_plain) probed_.plan.sizes[first.leaf][first.dim] = sum + SymExpr(rest);
        else probed_.notes.push_back(name(first) + " is static: the model takes no other size there");
    }
}

/// A run at `failed` does not go with the others: the range of the dimension at fault is cut to what holds around the sample.
inline void ShapePlanner::narrow(const ProbePoint& failed, const Divergence& why) {
    auto& symbols = probed_.plan.symbols;
    const ProbePoint sample = sample_point();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (failed[i] == sample[i]) continue;
        const auto holds = [&](std::int64_t size) {
            ProbePoint point = sample;
            point[i] = size;
            return !parting(attempt(probed_.plan, point));
        };
        if (holds(failed[i])) continue;
        std::int64_t good = sample[i];
        std::int64_t bad = failed[i];
        while (std::abs(good - bad) > 1) {
            const std::int64_t middle = good + (bad - good) / 2;
            (holds(middle) ? good : bad) = middle;
        }
        const ValueRange before = symbols[i].range;
        (bad > good ? symbols[i].range.max : symbols[i].range.min) = good;
        const std::string found = "'" + symbols[i].name + "' holds for " + to_string(symbols[i].range) + " only: at " + std::to_string(bad) + ", " +
                                  (why.name.empty() ? "" : "at " + why.name + ", ") + why.reason;
        const bool asked_for = std::ranges::any_of(wanted_, [&](const auto& input) {
            return std::ranges::any_of(input.second, [&](const auto& dim) { return dim.second.ranges().contains(symbols[i].name); });
        });
        if (asked_for && before.contains(bad))
            throw Error(ErrorKind::invalid_input, "the model does not do the same over the whole range of a dimension: " + found,
                        {.hint = "ask for Dim{\"" + symbols[i].name + "\", " + std::to_string(std::max<std::int64_t>(symbols[i].range.min, 0)) + ", " +
                                 std::to_string(good) + "} or remove the branch on the size",
                         .where = {.stage = "dynamic shapes", .op = why.name}});
        probed_.notes.push_back(found);
        return;
    }
    throw Error(ErrorKind::unsupported, "runs at different sizes do not do the same: " + why.reason,
                {.hint = "make the dimensions static, or remove what depends on the sizes together",
                 .where = {.stage = "dynamic shapes", .op = why.name}});
}

inline Probed ShapePlanner::plan() {
    read_wanted();
    auto outcome = session_.run(probed_.plan, sample_point());
    baseline_ = outcome.trace;
    probed_.output = std::move(outcome.output);
    discover();
    for (std::size_t i = 0; i < baseline_.unbacked.size(); ++i) {
        const ValueRange range = intersect(baseline_.unbacked[i], ValueRange::at_least(0));
        probed_.plan.symbols.push_back({"u" + std::to_string(i), range, std::max<std::int64_t>(range.min, 2)});
    }

    for (int round = 0; round < 32; ++round) {
        probed_.points = choose_probe_points(probed_.plan.symbols);
        probed_.traces.clear();
        bool narrowed = false;
        for (std::size_t i = 0; i < probed_.points.size() && !narrowed; ++i) {
            Attempt tried = attempt(probed_.plan, probed_.points[i]);
            if (const auto why = parting(tried)) {
                narrow(probed_.points[i], *why);
                narrowed = true;
            } else {
                probed_.traces.push_back(std::move(tried.outcome->trace));
            }
        }
        while (!narrowed) {
            Fitter fitter(probed_.plan.symbols, probed_.points);
            Unifier unifier(probed_.traces, fitter);
            if (const auto why = unifier.find_divergence())
                throw Error(ErrorKind::unsupported, "an integer does not follow from the dynamic sizes: " + why->reason,
                            {.hint = "make the dimensions that it depends on static", .where = {.stage = "dynamic shapes", .op = why->name}});
            if (!unifier.needs_more_points()) {
                widen_unbacked(probed_.plan, probed_.traces[0], unifier, fitter, [&](const ShapePlan& plan, const ProbePoint& point) -> std::optional<Trace> {
                    Attempt tried = attempt(plan, point);
                    if (parting(tried)) return std::nullopt;
                    return std::move(tried.outcome->trace);
                });
                return std::move(probed_);
            }
            const auto wanted = fitter.wanted_points();
            if (wanted.empty() || probed_.points.size() >= Fitter::max_points)
                throw Error(ErrorKind::unsupported, "an integer has more than one explanation in terms of the dynamic sizes",
                            {.hint = "make the dimensions that it depends on static, or give them smaller ranges", .where = {.stage = "dynamic shapes"}});
            for (const ProbePoint& point : wanted) {
                Attempt tried = attempt(probed_.plan, point);
                if (const auto why = parting(tried)) {
                    narrow(point, *why);
                    narrowed = true;
                    break;
                }
                probed_.points.push_back(point);
                probed_.traces.push_back(std::move(tried.outcome->trace));
            }
        }
    }
    throw Error(ErrorKind::unsupported, "no range of sizes was found over which the model does the same", {.where = {.stage = "dynamic shapes"}});
}

}  // namespace ferry::capture
