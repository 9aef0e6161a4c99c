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
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

    struct Stepped {
        std::string symbol;
        std::vector<Place> places;
        std::int64_t step;
    };
    struct OtherMemory : std::exception {
        explicit OtherMemory(std::uint32_t which) : call(which) {}
        std::uint32_t call;
    };

    [[nodiscard]] Probed plan_once();
    [[nodiscard]] std::string name(const Place& place) const {
        return paths_[place.leaf] + " dimension " + std::to_string(place.dim);
    }
    [[nodiscard]] std::int64_t sample(const Place& place) const {
        return session_.leaves()[place.leaf].tensor().size(static_cast<std::int64_t>(place.dim));
    }
    void read_wanted();
    void discover();
    [[nodiscard]] bool may_move(const std::vector<Place>& together, std::int64_t by);
    [[nodiscard]] Attempt attempt(const ShapePlan& plan, const ProbePoint& point);
    [[nodiscard]] std::optional<Divergence> parting(const Attempt& attempt) const;
    void discover_sums(const std::vector<Place>& stuck);
    void settle_steps();
    [[nodiscard]] std::int64_t step_of(const std::vector<Place>& together);
    void add_symbol(const std::string& symbol, const std::vector<Place>& places, std::int64_t step);
    [[nodiscard]] ProbePoint sample_point() const;
    void narrow(const ProbePoint& failed, const Divergence& why);
    void check_small_ends(Unifier& runs, Fitter& fitter);
    [[nodiscard]] const ValueRange* asked_range(const std::string& symbol) const;
    [[nodiscard]] std::string fresh_symbol();

    Session& session_;
    std::vector<std::string> paths_;
    const DynamicShapes& wanted_;
    bool all_dynamic_;
    Probed probed_;
    Trace baseline_;
    std::vector<Place> automatic_;
    std::vector<Stepped> stepped_;
    std::set<std::uint32_t> filled_unseen_;  // calls of empty() whose tensors must stay real
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
    auto found = compare_steps(baseline_, attempt.outcome->trace);
    if (found && found->memory != Lifted::not_made && !filled_unseen_.contains(found->memory))
        throw OtherMemory(found->memory);
    return found;
}

/// A tensor from empty() is a constant as long as each run makes the same one. Otherwise it is an op of the graph, and so are those
/// that fill it; unless forward fills it through its data pointer.
inline Probed ShapePlanner::plan() {
    for (;;) {
        try {
            return plan_once();
        } catch (const OtherMemory& other) {
            session_.traced_memory().insert(other.call);
            try {
                static_cast<void>(session_.run(probed_.plan, sample_point()));
            } catch (const std::exception&) {
                session_.traced_memory().erase(other.call);
                filled_unseen_.insert(other.call);
            }
            probed_ = {};
            automatic_.clear();
            stepped_.clear();
            next_symbol_ = 0;
        }
    }
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
                    if ((at < 0 ? at + static_cast<std::int64_t>(sizes.size()) : at) == static_cast<std::int64_t>(dim))
                        wish = &each;
            if (wish == nullptr) {
                if (all_dynamic_) automatic_.push_back({leaf, dim});
            } else if (wish->kind() == Dim::Kind::automatic) {
                automatic_.push_back({leaf, dim});
            } else if (wish->kind() == Dim::Kind::named) {
                plan.sizes[leaf][dim] = wish->size();
                for (const auto& [symbol, range] : wish->ranges())
                    if (std::ranges::find(plan.symbols, symbol, &ProbeDim::name) == plan.symbols.end())
                        plan.symbols.push_back({symbol, intersect(range, ValueRange::at_least(0)), 0});
                if (wish->size().is_symbol()) {
                    const auto [known, is_new] = samples.emplace(wish->size().name(), sizes[dim]);
                    if (!is_new && known->second != sizes[dim])
                        throw Error(ErrorKind::invalid_input,
                                    "dimension '" + wish->size().name() + "' is " + std::to_string(known->second) +
                                        " in one input and " + std::to_string(sizes[dim]) + " in another",
                                    {.hint = "give dimensions that differ different names",
                                     .where = {.stage = "dynamic shapes", .path = paths_[leaf]}});
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
                        {.hint = "use it plainly in one input, so that its size is known",
                         .where = {.stage = "dynamic shapes"}});
        symbol.sample = found->second;
        if (!symbol.range.contains(symbol.sample))
            throw Error(ErrorKind::invalid_input,
                        "the sample has size " + std::to_string(symbol.sample) + " in dimension '" + symbol.name +
                            "', outside its range " + to_string(symbol.range),
                        {.where = {.stage = "dynamic shapes"}});
    }
}

/// Whether the model does the same when these dimensions, and no others, are larger by `by`.
inline bool ShapePlanner::may_move(const std::vector<Place>& together, std::int64_t by) {
    ShapePlan plan = probed_.plan;
    for (const Place& place : together) plan.sizes[place.leaf][place.dim] = SymExpr(sample(place) + by);
    return !parting(attempt(plan, sample_point()));
}

/// Their sizes are multiples of `step`.
inline void ShapePlanner::add_symbol(const std::string& symbol, const std::vector<Place>& places, std::int64_t step) {
    probed_.plan.symbols.push_back(
        {symbol, ValueRange::at_least(2), std::max<std::int64_t>(sample(places[0]) / step, 2)});
    for (const Place& place : places)
        probed_.plan.sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
    if (step > 1) stepped_.push_back({symbol, places, step});
}

/// In which steps these dimensions move together: 1 for any size, more if only multiples will do, 0 if they do not move.
inline std::int64_t ShapePlanner::step_of(const std::vector<Place>& together) {
    constexpr std::int64_t by = 6;  // no size that a broadcast or a divisor of the sample would forgive
    if (may_move(together, by) && may_move(together, by - 1)) return 1;
    const std::int64_t size = sample(together[0]);
    if (size < 4 || !may_move(together, size)) return 0;
    for (std::int64_t step = 2; step <= std::min<std::int64_t>(size / 2, 64); ++step)
        if (size % step == 0 && may_move(together, step) && may_move(together, 3 * step)) return step;
    return 0;
}

/// Moves dimensions alone, then those of equal size together, then sums along with their parts: what a model ties together shows
/// in what it refuses.
inline void ShapePlanner::discover() {
    std::vector<Place> stuck;
    for (const Place& place : automatic_) {
        if (sample(place) < 2) {
            probed_.notes.push_back(name(place) + " is static: its sample has size " + std::to_string(sample(place)) +
                                    ", at which ops broadcast");
            continue;
        }
        if (const std::int64_t step = step_of({place}))
            add_symbol(fresh_symbol(), {place}, step);
        else
            stuck.push_back(place);
    }
    for (std::vector<Place> rest = stuck; !rest.empty();) {
        // First those in the same position: in square inputs all sizes are equal.
        std::vector<Place> together;
        std::int64_t step = 0;
        for (const bool anywhere : {false, true}) {
            together.clear();
            for (const Place& place : rest)
                if (sample(place) == sample(rest[0]) && (anywhere || place.dim == rest[0].dim))
                    together.push_back(place);
            step = together.size() > 1 ? step_of(together) : 0;
            if (step != 0) break;
        }
        if (step != 0)
            for (std::size_t i = together.size(); i-- > 1;) {  // without those that need not move along
                std::vector<Place> fewer = together;
                fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
                if (const std::int64_t alone = step_of(fewer)) together = std::move(fewer), step = alone;
            }
        if (step != 0)
            add_symbol(fresh_symbol(), together, step);
        else
            together.assign(1, rest[0]);
        for (const Place& place : together) {
            std::erase(rest, place);
            if (step != 0) std::erase(stuck, place);
        }
    }
    discover_sums(stuck);
    settle_steps();
}

/// Steps were found with everything else at the sample's sizes, which may have been what made them enough.
inline void ShapePlanner::settle_steps() {
    auto& symbols = probed_.plan.symbols;
    auto& sizes = probed_.plan.sizes;
    for (const Stepped& each : stepped_) {
        const std::string& symbol = each.symbol;
        const std::vector<Place>& places = each.places;
        const std::int64_t first = each.step;
        const auto at = static_cast<std::size_t>(std::ranges::find(symbols, symbol, &ProbeDim::name) - symbols.begin());
        const std::int64_t size = sample(places[0]);
        const auto holds = [&](std::int64_t by) {
            ProbePoint point = sample_point();
            for (std::size_t i = 0; i < point.size(); ++i)
                if (i == at || symbols[i].range.contains(point[i] + by)) point[i] += i == at ? 1 : by;
            return !parting(attempt(probed_.plan, point));
        };
        std::int64_t step = first;
        for (; step <= size / 2; step += first) {
            if (size % step != 0) continue;
            symbols[at].sample = size / step;
            for (const Place& place : places) sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
            if (holds(5) && holds(6)) break;
        }
        if (step <= size / 2) continue;
        for (const Place& place : places) {
            sizes[place.leaf][place.dim] = SymExpr(size);
            probed_.notes.push_back(name(place) +
                                    " is static: which sizes the model takes there depends on other dimensions");
        }
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

/// A mask's length is that of past and present: it moves along with each of them.
inline void ShapePlanner::discover_sums(const std::vector<Place>& stuck) {
    std::vector<std::vector<Place>> units;  // dimensions that look the same
    for (const Place& place : stuck) {
        const auto alike = [&](const std::vector<Place>& unit) {
            return unit[0].dim == place.dim && sample(unit[0]) == sample(place) &&
                   probed_.plan.sizes[unit[0].leaf].size() == probed_.plan.sizes[place.leaf].size();
        };
        const auto unit = std::ranges::find_if(units, alike);
        if (unit != units.end())
            unit->push_back(place);
        else
            units.push_back({place});
    }
    while (units.size() > 1) {
        std::size_t sum = 0;
        std::vector<std::size_t> parts;
        for (std::size_t i = 0; i < units.size(); ++i) {
            std::vector<std::size_t> partners;
            for (std::size_t k = 0; k < units.size(); ++k) {
                std::vector<Place> both = units[i];
                both.insert(both.end(), units[k].begin(), units[k].end());
                if (k != i && may_move(both, 6) && may_move(both, 5)) partners.push_back(k);
            }
            if (!partners.empty() && partners.size() >= parts.size()) sum = i, parts = std::move(partners);
        }
        if (parts.empty()) break;
        SymExpr size = sample(units[sum][0]);
        for (const std::size_t part : parts) {
            add_symbol(fresh_symbol(), units[part], 1);
            size = size + SymExpr::symbol(probed_.plan.symbols.back().name) - SymExpr(sample(units[part][0]));
        }
        for (const Place& place : units[sum]) probed_.plan.sizes[place.leaf][place.dim] = size;
        parts.push_back(sum);
        std::ranges::sort(parts, std::greater{});
        for (const std::size_t done : parts) units.erase(units.begin() + static_cast<std::ptrdiff_t>(done));
    }
    for (const std::vector<Place>& unit : units)
        for (const Place& place : unit)
            probed_.notes.push_back(name(place) + " is static: the model takes no other size there");
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
        const std::string found = "'" + symbols[i].name + "' holds for " + to_string(symbols[i].range) + " only: at " +
                                  std::to_string(bad) + ", " + (why.name.empty() ? "" : "at " + why.name + ", ") +
                                  why.reason;
        const bool asked_for = std::ranges::any_of(wanted_, [&](const auto& input) {
            return std::ranges::any_of(input.second,
                                       [&](const auto& dim) { return dim.second.ranges().contains(symbols[i].name); });
        });
        if (asked_for && before.contains(bad))
            throw Error(ErrorKind::invalid_input,
                        "the model does not do the same over the whole range of a dimension: " + found,
                        {.hint = "ask for Dim{\"" + symbols[i].name + "\", " +
                                 std::to_string(std::max<std::int64_t>(symbols[i].range.min, 0)) + ", " +
                                 std::to_string(good) + "} or remove the branch on the size",
                         .where = {.stage = "dynamic shapes", .op = why.name}});
        probed_.notes.push_back(found);
        return;
    }
    // No dimension alone is at fault. One that nobody has asked for stays as it is in the sample, if that helps.
    for (std::size_t i = symbols.size(); i-- > 0;) {
        if (failed[i] == sample[i] || is_unbacked_name(symbols[i].name) || asked_range(symbols[i].name) != nullptr)
            continue;
        ProbePoint point = failed;
        point[i] = sample[i];
        if (parting(attempt(probed_.plan, point))) continue;
        probed_.notes.push_back("'" + symbols[i].name +
                                "' is static: which sizes the model takes there depends on other dimensions, " +
                                why.reason);
        SymMap<SymExpr> fixed;
        fixed.set(symbols[i].name, SymExpr(sample[i]));
        for (auto& sizes : probed_.plan.sizes)
            for (SymExpr& size : sizes) size = substitute(size, fixed);
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
    throw Error(ErrorKind::unsupported, "runs at different sizes do not do the same: " + why.reason,
                {.hint = "make the dimensions static, or remove what depends on the sizes together",
                 .where = {.stage = "dynamic shapes", .op = why.name}});
}

inline const ValueRange* ShapePlanner::asked_range(const std::string& symbol) const {
    for (const auto& [path, dims] : wanted_)
        for (const auto& [at, dim] : dims)
            if (const auto found = dim.ranges().find(symbol); found != dim.ranges().end()) return &found->second;
    return nullptr;
}

/// No probe uses 0 and 1, where ops broadcast or find nothing to do; but a range may have them in it. Then the model must do the same
/// there, and the expressions that the probes gave must hold.
inline void ShapePlanner::check_small_ends(Unifier& runs, Fitter& fitter) {
    auto& symbols = probed_.plan.symbols;
    std::string why;
    const auto holds = [&](const ProbePoint& point) {
        Attempt tried = attempt(probed_.plan, point);
        if (const auto parted = parting(tried)) {
            why = (parted->name.empty() ? "" : "at " + parted->name + ", ") + parted->reason;
            return false;
        }
        SymBindings bindings;
        for (std::size_t i = 0; i < symbols.size(); ++i) bindings.set(symbols[i].name, point[i]);
        why = "the model's sizes do not follow the same expressions";
        return explains(runs, tried.outcome->trace, bindings, fitter);
    };
    const auto cut = [&](ProbeDim& symbol, std::int64_t least) {
        const ValueRange* asked = asked_range(symbol.name);
        const bool must_hold = asked != nullptr && asked->min >= 0;  // a Dim without a range takes what holds
        symbol.range.min = least;
        const std::string found = "'" + symbol.name + "' holds for " + to_string(symbol.range) + " only: at " +
                                  std::to_string(least - 1) + ", " + why;
        if (must_hold)
            throw Error(
                ErrorKind::invalid_input,
                "the model does not do the same over the whole range of a dimension: " + found,
                {.hint = "ask for Dim{\"" + symbol.name + "\", " + std::to_string(least) +
                         (symbol.range.max == ValueRange::no_max ? "" : ", " + std::to_string(symbol.range.max)) + "}",
                 .where = {.stage = "dynamic shapes"}});
        probed_.notes.push_back(found);
    };
    ProbePoint usual = sample_point();
    for (std::size_t i = 0; i < symbols.size(); ++i)
        if (usual[i] < 2 && symbols[i].range.max >= 2) usual[i] = std::min<std::int64_t>(symbols[i].range.max, 3);
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (is_unbacked_name(symbols[i].name) || symbols[i].range.min > 1 || symbols[i].range.max < 2) continue;
        small.push_back(i);
        for (std::int64_t size = 1; size >= symbols[i].range.min; --size) {
            ProbePoint point = usual;
            point[i] = size;
            if (holds(point)) continue;
            cut(symbols[i], size + 1);
            break;
        }
    }
    for (std::int64_t size = 1; size >= 0; --size) {  // fine alone is not fine together
        ProbePoint point = usual;
        std::size_t moved = 0;
        for (const std::size_t i : small)
            if (symbols[i].range.contains(size)) point[i] = size, ++moved;
        if (moved < 2 || holds(point)) continue;
        for (const std::size_t i : small)
            if (symbols[i].range.contains(size)) cut(symbols[i], size + 1);
    }
}

inline Probed ShapePlanner::plan_once() {
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
                            {.hint = "make the dimensions that it depends on static",
                             .where = {.stage = "dynamic shapes", .op = why->name}});
            if (!unifier.needs_more_points()) {
                check_small_ends(unifier, fitter);
                widen_unbacked(probed_.plan, probed_.traces[0], unifier, fitter,
                               [&](const ShapePlan& plan, const ProbePoint& point) -> std::optional<Trace> {
                                   Attempt tried = attempt(plan, point);
                                   if (parting(tried)) return std::nullopt;
                                   return std::move(tried.outcome->trace);
                               });
                return std::move(probed_);
            }
            const auto wanted = fitter.wanted_points();
            if (wanted.empty() || probed_.points.size() >= Fitter::max_points)
                throw Error(ErrorKind::unsupported,
                            "an integer has more than one explanation in terms of the dynamic sizes",
                            {.hint = "make the dimensions that it depends on static, or give them smaller ranges",
                             .where = {.stage = "dynamic shapes"}});
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
    throw Error(ErrorKind::unsupported, "no range of sizes was found over which the model does the same",
                {.where = {.stage = "dynamic shapes"}});
}

}  // namespace ferry::capture
