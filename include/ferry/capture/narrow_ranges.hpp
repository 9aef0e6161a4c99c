#pragma once

#include <ferry/capture/explanation.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/refuse_branch.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Cuts the plan to the sizes over which the model does the same. Where a user has asked for more, that is a complaint, or a check
/// that the program makes when it runs.
class RangeNarrower {
public:
    RangeNarrower(Prober& prober, const ShapeWishes& wishes, Probed& probed)
        : prober_(prober), wishes_(wishes), probed_(probed) {}

    /// A run at `failed` does not go with the others: keeps what holds around the sample. Throws if it is a value of a tensor that
    /// makes the difference.
    void narrow(const ProbePoint& failed, const Divergence& why);
    /// A number that no expression gives: the dimensions that it depends on stay as they are.
    void fix_unexplained(const Divergence& why);
    /// No probe uses 0 and 1, where ops broadcast or find nothing to do; but a range may have them in it. Then the model must do the
    /// same there, and the expressions that the probes gave must hold. False when a dimension has become static on the way.
    [[nodiscard]] bool check_small_ends(const Explanation& explanation);

private:
    [[nodiscard]] bool is_asked(const std::string& symbol) const { return wishes_.range(symbol) != nullptr; }
    /// A Dim without a range takes what holds.
    [[nodiscard]] bool must_hold(const std::string& symbol) const {
        const ValueRange* asked = wishes_.range(symbol);
        return asked != nullptr && *asked != ValueRange{};
    }
    [[nodiscard]] std::optional<Divergence> parting_with(std::size_t symbol, std::int64_t size,
                                                         const std::vector<std::size_t>& along = {});
    [[nodiscard]] bool holds_with(std::size_t symbol, std::int64_t size, const std::vector<std::size_t>& along) {
        return !parting_with(symbol, size, along);
    }
    [[nodiscard]] std::vector<std::size_t> partners(std::size_t symbol, std::int64_t size);
    [[nodiscard]] std::int64_t factor_of(std::size_t symbol);
    void tie(std::size_t symbol, std::size_t other, const Divergence& why);
    void take_multiples(std::size_t symbol, std::int64_t factor, const std::string& why, const std::string& op);
    void cut(std::size_t symbol, const ValueRange& held, bool must_hold, const std::string& why, const std::string& op);
    void rewrite_sizes(const std::string& symbol, const SymExpr& by);
    void replace(std::size_t symbol, const SymExpr& by);

    Prober& prober_;
    const ShapeWishes& wishes_;
    Probed& probed_;
};

namespace detail {

/// Where to go on when a size does not hold and a nearer one does.
template <class Holds>
[[nodiscard]] std::pair<std::int64_t, std::int64_t> last_good_and_first_bad(std::int64_t good, std::int64_t bad,
                                                                            Holds&& holds) {
    while (std::abs(good - bad) > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (holds(middle) ? good : bad) = middle;
    }
    return {good, bad};
}

}  // namespace detail

/// What the model does at the sample's sizes, but one of them changed, and others changed by as much.
inline std::optional<Divergence> RangeNarrower::parting_with(std::size_t symbol, std::int64_t size,
                                                             const std::vector<std::size_t>& along) {
    ProbePoint point = probed_.sample_point();
    const std::int64_t by = size - point[symbol];
    point[symbol] = size;
    for (const std::size_t other : along) {
        point[other] += by;
        if (!probe_domain(probed_.plan.symbols[other]).contains(point[other]))
            return Divergence{.reason = "another size leaves its range", .how = Parting::fails};
    }
    return prober_.parting(prober_.attempt(probed_.plan, point));
}

/// Dimensions that must move along with one that does not move alone; none when nothing helps.
inline std::vector<std::size_t> RangeNarrower::partners(std::size_t symbol, std::int64_t size) {
    const auto& symbols = probed_.plan.symbols;
    const std::int64_t nearby = size > symbols[symbol].sample ? size - 1 : size + 1;
    const auto helps = [&](const std::vector<std::size_t>& along) {
        return holds_with(symbol, size, along) &&
               (nearby == symbols[symbol].sample || holds_with(symbol, nearby, along));
    };
    std::vector<std::size_t> alike;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < symbols.size(); ++i)
        if (i != symbol && !is_unbacked_name(symbols[i].name))
            (symbols[i].sample == symbols[symbol].sample ? alike : others).push_back(i);
    if (!alike.empty() && helps(alike)) {
        for (std::size_t i = alike.size(); i-- > 0 && alike.size() > 1;) {
            std::vector<std::size_t> fewer = alike;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (helps(fewer)) alike = std::move(fewer);
        }
        return alike;
    }
    for (const std::size_t other : others)
        if (helps({other})) return {other};
    return {};
}

/// In terms of which the plan has its sizes: `by` in place of the symbol.
inline void RangeNarrower::rewrite_sizes(const std::string& symbol, const SymExpr& by) {
    SymMap<SymExpr> replacement;
    replacement.set(symbol, by);
    for (auto& sizes : probed_.plan.sizes)
        for (SymExpr& size : sizes) size = substitute(size, replacement);
}

inline void RangeNarrower::replace(std::size_t symbol, const SymExpr& by) {
    auto& symbols = probed_.plan.symbols;
    rewrite_sizes(symbols[symbol].name, by);
    probed_.given.erase(symbols[symbol].name);
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(symbol));
}

/// `other` is what `symbol` is, or that and a constant.
inline void RangeNarrower::tie(std::size_t symbol, std::size_t other, const Divergence& why) {
    auto& symbols = probed_.plan.symbols;
    if (is_asked(symbols[other].name) && !is_asked(symbols[symbol].name)) std::swap(symbol, other);
    const std::string name = symbols[symbol].name;
    const std::string tied = symbols[other].name;
    const std::int64_t apart = symbols[other].sample - symbols[symbol].sample;
    const SymExpr size = SymExpr::symbol(name) + SymExpr(apart);
    std::string found = "'" + tied + "' must be " + (apart == 0 ? "equal to '" + name + "'" : to_string(size)) + ": " +
                        place_and_reason(why);
    if (is_asked(tied)) {
        if (!wishes_.defers())
            probed_.complaints.push_back(
                {tied, "dimensions depend on each other: " + found,
                 apart == 0 ? "give both the name '" + name + "'" : "ask for " + to_string(size), why.name});
        else
            probed_.deferred.equal.emplace_back(tied, size), found += "; the program checks that when it runs";
    }
    const ValueRange range = symbols[other].range;
    const ValueRange shifted{range.min == ValueRange::no_min ? range.min : range.min - apart,
                             range.max == ValueRange::no_max ? range.max : range.max - apart};
    const ValueRange common = intersect(symbols[symbol].range, shifted);
    if (common != symbols[symbol].range && is_asked(tied) == is_asked(name)) {
        symbols[symbol].range = common;
        if (is_asked(name)) probed_.deferred.ranges.insert(name);
    }
    probed_.notes.push_back(std::move(found));
    replace(other, size);
}

inline void RangeNarrower::cut(std::size_t symbol, const ValueRange& held, bool must_hold, const std::string& why,
                               const std::string& op) {
    ProbeDim& dim = probed_.plan.symbols[symbol];
    dim.range = held;
    std::string found = "'" + dim.name + "' holds for " + to_string(held) + " only: " + why;
    if (must_hold && !wishes_.defers())
        probed_.complaints.push_back({.symbol = dim.name, .found = found, .op = op});
    else if (must_hold)
        probed_.deferred.ranges.insert(dim.name), found += "; the program checks that when it runs";
    const bool is_fixed = held.min == held.max && !is_asked(dim.name) && !is_unbacked_name(dim.name);
    const bool is_usual =
        held == ValueRange::at_least(1) && !must_hold;  // few models have anything to do for no elements
    if (!is_usual) probed_.notes.push_back(is_fixed ? "'" + dim.name + "' is static: " + why : std::move(found));
    if (is_fixed) replace(symbol, SymExpr(held.min));
}

/// The number whose multiples hold around the sample; 0 if there is none.
inline std::int64_t RangeNarrower::factor_of(std::size_t symbol) {
    const ProbeDim& dim = probed_.plan.symbols[symbol];
    if (is_unbacked_name(dim.name) || (wishes_.defers() && must_hold(dim.name))) return 0;
    for (std::int64_t factor = 2; factor <= dim.sample; ++factor) {
        if (dim.sample % factor != 0) continue;
        const bool holds = algo::all_of(std::vector{factor, 2 * factor, 3 * factor}, [&](std::int64_t by) {
            return dim.sample + by > dim.range.max || holds_with(symbol, dim.sample + by, {});
        });
        if (holds && dim.sample + factor <= dim.range.max) return factor;
    }
    return 0;
}

inline void RangeNarrower::take_multiples(std::size_t symbol, std::int64_t factor, const std::string& why,
                                          const std::string& op) {
    ProbeDim& dim = probed_.plan.symbols[symbol];
    rewrite_sizes(dim.name, SymExpr::symbol(dim.name) * SymExpr(factor));
    if (dim.range.min != ValueRange::no_min) dim.range.min = (dim.range.min + factor - 1) / factor;
    if (dim.range.max != ValueRange::no_max) dim.range.max /= factor;
    dim.sample /= factor;
    std::int64_t& all = probed_.factors.try_emplace(dim.name, 1).first->second;
    all *= factor;
    const std::string found = "only multiples of " + std::to_string(all) + " hold for '" + dim.name + "': " + why;
    if (must_hold(dim.name)) probed_.complaints.push_back({.symbol = dim.name, .found = found, .op = op});
    probed_.notes.push_back(found);
}

inline void RangeNarrower::narrow(const ProbePoint& failed, const Divergence& why) {
    auto& symbols = probed_.plan.symbols;
    const ProbePoint sample = probed_.sample_point();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (failed[i] == sample[i]) continue;
        const auto holds = [&](std::int64_t size) { return holds_with(i, size, {}); };
        if (holds(failed[i])) continue;
        ValueRange held = symbols[i].range;
        const auto [good, bad] = detail::last_good_and_first_bad(sample[i], failed[i], holds);
        const Divergence there = parting_with(i, bad).value_or(why);
        if (is_unbacked_name(symbols[i].name)) refuse_branch(prober_.baseline(), symbols[i], bad, there);
        (bad > good ? held.max : held.min) = good;
        const ValueRange domain = probe_domain(symbols[i]);
        const std::int64_t far = bad > good ? domain.min : domain.max;
        if (!holds(far))
            (bad > good ? held.min : held.max) = detail::last_good_and_first_bad(sample[i], far, holds).first;
        const std::string reason = "at " + std::to_string(bad) + ", " + place_and_reason(there);
        if (held.min == held.max && !is_unbacked_name(symbols[i].name))
            if (const auto along = partners(i, failed[i]); !along.empty()) return tie(i, along[0], there);
        const auto is_out = [&](std::int64_t size) { return !symbols[i].range.contains(size) || !holds(size); };
        constexpr std::int64_t few = 3;
        const bool is_island = (held.max != ValueRange::no_max && held.max - held.min < few) ||
                               (is_out(sample[i] - 1) && is_out(sample[i] + 1));
        if (is_island)
            if (const std::int64_t factor = factor_of(i)) return take_multiples(i, factor, reason, there.name);
        if (there.how != Parting::fails) probed_.narrowed.insert_or_assign(symbols[i].name, held);
        return cut(i, held, must_hold(symbols[i].name), reason, there.name);
    }
    // No dimension alone is at fault. One of them stays as it is in the sample, if that helps; rather one that nobody has asked for.
    for (const bool asked : {false, true})
        for (std::size_t i = symbols.size(); i-- > 0;) {
            if (failed[i] == sample[i] || is_unbacked_name(symbols[i].name) || is_asked(symbols[i].name) != asked ||
                (asked && !wishes_.defers()))
                continue;
            ProbePoint point = failed;
            point[i] = sample[i];
            if (!prober_.holds(probed_.plan, point)) continue;
            if (asked)
                return cut(i, ValueRange::exactly(sample[i]), true,
                           "which sizes the model takes there depends on other dimensions, " + why.reason, why.name);
            probed_.notes.push_back("'" + symbols[i].name +
                                    "' is static: which sizes the model takes there depends on other dimensions, " +
                                    why.reason);
            return replace(i, SymExpr(sample[i]));
        }
    throw Error(ErrorKind::unsupported, "runs at different sizes do not do the same: " + why.reason,
                {.hint = "make the dimensions static, or remove what depends on the sizes together",
                 .where = {.stage = "dynamic shapes", .op = why.name}});
}

inline void RangeNarrower::fix_unexplained(const Divergence& why) {
    auto& symbols = probed_.plan.symbols;
    const ProbePoint sample = probed_.sample_point();
    std::vector<std::size_t> involved;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const ValueRange domain = probe_domain(symbols[i]);
        ProbePoint point = sample;
        point[i] = sample[i] + 1 <= domain.max ? sample[i] + 1 : sample[i] - 1;
        const Prober::Attempt tried = prober_.attempt(probed_.plan, point);
        if (domain.min == domain.max || prober_.parting(tried)) continue;
        if (differs_at(prober_.baseline(), tried.outcome->trace, why.op)) involved.push_back(i);
    }
    const bool can_be_fixed = !involved.empty() && algo::none_of(involved, [&](std::size_t i) {
        return must_hold(symbols[i].name) || is_unbacked_name(symbols[i].name);
    });
    if (!can_be_fixed)
        throw Error(ErrorKind::unsupported, "a number does not follow from the dynamic sizes: " + why.reason,
                    {.hint = "make the dimensions that it depends on static",
                     .where = {.stage = "dynamic shapes", .op = why.name}});
    for (const std::size_t i : std::vector(involved.rbegin(), involved.rend())) {
        probed_.notes.push_back("'" + symbols[i].name + "' is static: " + place_and_reason(why));
        replace(i, SymExpr(sample[i]));
    }
}

inline bool RangeNarrower::check_small_ends(const Explanation& explanation) {
    auto& symbols = probed_.plan.symbols;
    Divergence why;
    const auto holds = [&](const ProbePoint& point) {
        const auto parted = prober_.parting(probed_.plan, point, explanation);
        if (parted) why = *parted;
        return !parted;
    };
    // False: the sample itself is among what does not hold.
    const auto cut_below = [&](std::size_t i, std::int64_t least) {
        const ProbeDim& dim = symbols[i];
        const std::string reason = "at " + std::to_string(least - 1) + ", " + place_and_reason(why);
        const auto given = probed_.given.find(dim.name);
        const bool is_left = given != probed_.given.end() && given->second < least;
        const ValueRange* asked = wishes_.range(dim.name);
        if (is_left && asked == nullptr) {
            probed_.notes.push_back("'" + dim.name + "' is static: " + reason);
            replace(i, SymExpr(given->second));
            static_cast<void>(prober_.run_sample(probed_));  // what others are compared with was run near it
            return false;
        }
        cut(i, {least, dim.range.max}, is_left || (asked != nullptr && asked->min >= 0), reason, why.name);
        return true;
    };
    ProbePoint usual = probed_.sample_point();
    for (std::size_t i = 0; i < symbols.size(); ++i)
        if (usual[i] < 2 && symbols[i].range.max >= 2 && !is_unbacked_name(symbols[i].name))
            usual[i] = std::min<std::int64_t>(symbols[i].range.max, 3);
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (is_unbacked_name(symbols[i].name) || symbols[i].range.min > 1 || symbols[i].range.max < 2) continue;
        small.push_back(i);
        for (std::int64_t size = std::min<std::int64_t>(symbols[i].least - 1, 1); size >= symbols[i].range.min;
             --size) {
            ProbePoint point = usual;
            point[i] = size;
            if (holds(point)) continue;
            if (!cut_below(i, size + 1)) return false;
            break;
        }
    }
    ProbePoint ones = usual;  // fine alone is not fine together
    std::vector<std::size_t> moved;
    for (const std::size_t i : small)
        if (symbols[i].range.contains(1)) ones[i] = 1, moved.push_back(i);
    if (moved.size() > 1 && !holds(ones))
        for (const std::size_t i : moved)
            if (!cut_below(i, 2)) return false;
    return true;
}

}  // namespace ferry::capture
