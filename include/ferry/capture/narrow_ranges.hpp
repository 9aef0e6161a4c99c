#pragma once

#include <ferry/capture/fit.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/capture/unify.hpp>
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
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Cuts the plan to the sizes over which the model does the same. Where a user has asked for more, that is an Error, or a check
/// that the program makes when it runs.
class RangeNarrower {
public:
    RangeNarrower(Prober& prober, const ShapeWishes& wishes, Probed& probed)
        : prober_(prober), wishes_(wishes), probed_(probed) {}

    /// A run at `failed` does not go with the others: keeps what holds around the sample.
    void narrow(const ProbePoint& failed, const Divergence& why);
    /// No probe uses 0 and 1, where ops broadcast or find nothing to do; but a range may have them in it. Then the model must do the
    /// same there, and the expressions that the probes gave must hold.
    void check_small_ends(Unifier& runs, Fitter& fitter);

private:
    [[nodiscard]] bool is_asked(const std::string& symbol) const { return wishes_.range(symbol) != nullptr; }
    [[nodiscard]] bool holds_with(std::size_t symbol, std::int64_t size, const std::vector<std::size_t>& along);
    [[nodiscard]] std::vector<std::size_t> partners(std::size_t symbol, std::int64_t size);
    void tie(std::size_t symbol, std::size_t other, const Divergence& why);
    void cut(ProbeDim& symbol, const ValueRange& held, bool must_hold, const std::string& why, const std::string& op);
    void replace(std::size_t symbol, const SymExpr& by);

    Prober& prober_;
    const ShapeWishes& wishes_;
    Probed& probed_;
};

namespace detail {

[[nodiscard]] inline std::string place_and_reason(const Divergence& why) {
    return (why.name.empty() ? "" : "at " + why.name + ", ") + why.reason;
}

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

/// Whether the model does the same at the sample's sizes, but one of them changed, and others changed by as much.
inline bool RangeNarrower::holds_with(std::size_t symbol, std::int64_t size, const std::vector<std::size_t>& along) {
    ProbePoint point = probed_.sample_point();
    const std::int64_t by = size - point[symbol];
    point[symbol] = size;
    for (const std::size_t other : along) {
        point[other] += by;
        if (!probe_domain(probed_.plan.symbols[other]).contains(point[other])) return false;
    }
    return prober_.holds(probed_.plan, point);
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

inline void RangeNarrower::replace(std::size_t symbol, const SymExpr& by) {
    auto& symbols = probed_.plan.symbols;
    SymMap<SymExpr> replacement;
    replacement.set(symbols[symbol].name, by);
    for (auto& sizes : probed_.plan.sizes)
        for (SymExpr& size : sizes) size = substitute(size, replacement);
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
                        detail::place_and_reason(why);
    if (is_asked(tied)) {
        if (!wishes_.defers())
            throw Error(ErrorKind::invalid_input, "dimensions depend on each other: " + found,
                        {.hint = (apart == 0 ? "give both the name '" + name + "'" : "ask for " + to_string(size)) +
                                 ", or set prefer_deferred_runtime_asserts_over_guards",
                         .where = {.stage = "dynamic shapes", .op = why.name}});
        probed_.deferred.equal.emplace_back(tied, size);
        found += "; the program checks that when it runs";
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

inline void RangeNarrower::cut(ProbeDim& symbol, const ValueRange& held, bool must_hold, const std::string& why,
                               const std::string& op) {
    symbol.range = held;
    std::string found = "'" + symbol.name + "' holds for " + to_string(held) + " only: " + why;
    if (must_hold) {
        if (!wishes_.defers())
            throw Error(
                ErrorKind::invalid_input,
                "the model does not do the same over the whole range of a dimension: " + found,
                {.hint = "ask for Dim{\"" + symbol.name + "\", " + std::to_string(std::max<std::int64_t>(held.min, 0)) +
                         (held.max == ValueRange::no_max ? "" : ", " + std::to_string(held.max)) +
                         "}, remove what depends on the size, or set "
                         "prefer_deferred_runtime_asserts_over_guards",
                 .where = {.stage = "dynamic shapes", .op = op}});
        probed_.deferred.ranges.insert(symbol.name);
        found += "; the program checks that when it runs";
    }
    probed_.notes.push_back(std::move(found));
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
        (bad > good ? held.max : held.min) = good;
        const ValueRange domain = probe_domain(symbols[i]);
        const std::int64_t far = bad > good ? domain.min : domain.max;
        if (!holds(far))
            (bad > good ? held.min : held.max) = detail::last_good_and_first_bad(sample[i], far, holds).first;
        if (held.min == held.max && !is_unbacked_name(symbols[i].name))
            if (const auto along = partners(i, failed[i]); !along.empty()) return tie(i, along[0], why);
        return cut(symbols[i], held, is_asked(symbols[i].name),
                   "at " + std::to_string(bad) + ", " + detail::place_and_reason(why), why.name);
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
                return cut(symbols[i], ValueRange::exactly(sample[i]), true,
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

inline void RangeNarrower::check_small_ends(Unifier& runs, Fitter& fitter) {
    auto& symbols = probed_.plan.symbols;
    Divergence why;
    const auto holds = [&](const ProbePoint& point) {
        Prober::Attempt tried = prober_.attempt(probed_.plan, point);
        if (const auto parted = prober_.parting(tried)) {
            why = *parted;
            return false;
        }
        SymBindings bindings;
        for (std::size_t i = 0; i < symbols.size(); ++i) bindings.set(symbols[i].name, point[i]);
        why = {.reason = "the model's sizes do not follow the same expressions"};
        return explains(runs, tried.outcome->trace, bindings, fitter);
    };
    const auto cut_below = [&](ProbeDim& symbol, std::int64_t least) {
        const ValueRange* asked = wishes_.range(symbol.name);
        // A Dim without a range takes what holds.
        cut(symbol, {least, symbol.range.max}, asked != nullptr && asked->min >= 0,
            "at " + std::to_string(least - 1) + ", " + detail::place_and_reason(why), why.name);
    };
    ProbePoint usual = probed_.sample_point();
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
            cut_below(symbols[i], size + 1);
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
            if (symbols[i].range.contains(size)) cut_below(symbols[i], size + 1);
    }
}

}  // namespace ferry::capture
