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
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace ferry::capture {

/// Cuts ranges to the sizes over which the model does the same; one that a user has asked for is refused instead.
class RangeNarrower {
public:
    RangeNarrower(Prober& prober, const ShapeWishes& wishes, Probed& probed)
        : prober_(prober), wishes_(wishes), probed_(probed) {}

    void narrow(const ProbePoint& failed, const Divergence& why);
    void check_small_ends(Unifier& runs, Fitter& fitter);

private:
    Prober& prober_;
    const ShapeWishes& wishes_;
    Probed& probed_;
};

/// A run at `failed` does not go with the others: the range of the dimension at fault is cut to what holds around the sample.
inline void RangeNarrower::narrow(const ProbePoint& failed, const Divergence& why) {
    auto& symbols = probed_.plan.symbols;
    const ProbePoint sample = probed_.sample_point();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (failed[i] == sample[i]) continue;
        const auto holds = [&](std::int64_t size) {
            ProbePoint point = sample;
            point[i] = size;
            return prober_.holds(probed_.plan, point);
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
        if (wishes_.range(symbols[i].name) != nullptr && before.contains(bad))
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
        if (failed[i] == sample[i] || is_unbacked_name(symbols[i].name) || wishes_.range(symbols[i].name) != nullptr)
            continue;
        ProbePoint point = failed;
        point[i] = sample[i];
        if (!prober_.holds(probed_.plan, point)) continue;
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

/// No probe uses 0 and 1, where ops broadcast or find nothing to do; but a range may have them in it. Then the model must do the same
/// there, and the expressions that the probes gave must hold.
inline void RangeNarrower::check_small_ends(Unifier& runs, Fitter& fitter) {
    auto& symbols = probed_.plan.symbols;
    std::string why;
    const auto holds = [&](const ProbePoint& point) {
        Prober::Attempt tried = prober_.attempt(probed_.plan, point);
        if (const auto parted = prober_.parting(tried)) {
            why = (parted->name.empty() ? "" : "at " + parted->name + ", ") + parted->reason;
            return false;
        }
        SymBindings bindings;
        for (std::size_t i = 0; i < symbols.size(); ++i) bindings.set(symbols[i].name, point[i]);
        why = "the model's sizes do not follow the same expressions";
        return explains(runs, tried.outcome->trace, bindings, fitter);
    };
    const auto cut = [&](ProbeDim& symbol, std::int64_t least) {
        const ValueRange* asked = wishes_.range(symbol.name);
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

}  // namespace ferry::capture
