#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Finds out which dimensions may vary where the user leaves that open, which of them move together, and in which steps.
class DimDiscovery {
public:
    DimDiscovery(Prober& prober, const ShapeWishes& wishes, Probed& probed)
        : prober_(prober), wishes_(wishes), probed_(probed) {}

    /// Adds symbols to the plan, and a note for each dimension that stays as it is.
    void run();

private:
    struct Stepped {
        std::string symbol;
        std::vector<Place> places;
        std::int64_t step;
    };

    struct Move {
        std::vector<Place> places;
        std::int64_t by;
        bool holds;
    };

    [[nodiscard]] std::int64_t sample(const Place& place) const {
        return prober_.leaves()[place.leaf].tensor().size(static_cast<std::int64_t>(place.dim));
    }
    [[nodiscard]] bool may_move(const std::vector<Place>& together, std::int64_t by);
    [[nodiscard]] std::int64_t step_of(const std::vector<Place>& together);
    [[nodiscard]] bool alike(const Place& a, const Place& b) const {
        return a.dim == b.dim && sample(a) == sample(b) &&
               probed_.plan.sizes[a.leaf].size() == probed_.plan.sizes[b.leaf].size();
    }
    [[nodiscard]] std::vector<std::vector<Place>> units_of(const std::vector<Place>& places) const;
    [[nodiscard]] std::vector<std::vector<Place>> companies(const std::vector<Place>& stuck) const;
    void add_symbol(const std::string& symbol, const std::vector<Place>& places, std::int64_t step);
    void find_sums(const std::vector<Place>& stuck);
    void settle_steps();
    [[nodiscard]] std::string fresh_symbol() { return "s" + std::to_string(next_symbol_++); }

    Prober& prober_;
    const ShapeWishes& wishes_;
    Probed& probed_;
    std::vector<Stepped> stepped_;
    std::vector<Move> moves_;  // each is a run of the model
    std::size_t next_symbol_ = 0;
};

/// Whether the model does the same when these dimensions, and no others, are larger by `by`.
inline bool DimDiscovery::may_move(const std::vector<Place>& together, std::int64_t by) {
    for (const Move& known : moves_)
        if (known.by == by && known.places == together) return known.holds;
    ShapePlan plan = probed_.plan;
    for (const Place& place : together) plan.sizes[place.leaf][place.dim] = SymExpr(sample(place) + by);
    const bool holds = prober_.holds(plan, probed_.sample_point());
    moves_.push_back({together, by, holds});
    return holds;
}

/// Their sizes are multiples of `step`.
inline void DimDiscovery::add_symbol(const std::string& symbol, const std::vector<Place>& places, std::int64_t step) {
    probed_.plan.symbols.push_back(
        {symbol, ValueRange::at_least(2), std::max<std::int64_t>(sample(places[0]) / step, 2)});
    for (const Place& place : places)
        probed_.plan.sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
    if (step > 1) stepped_.push_back({symbol, places, step});
}

/// In which steps these dimensions move together: 1 for any size, more if only multiples will do, 0 if they do not move.
inline std::int64_t DimDiscovery::step_of(const std::vector<Place>& together) {
    const std::int64_t size = sample(together[0]);
    // Without a common divisor with the sample: where only multiples of something will do, this is none.
    const std::int64_t by = size % 5 != 0 ? 5 : 7;
    if (may_move(together, by)) return 1;
    if (size < 4 || !may_move(together, size)) return 0;
    for (std::int64_t step = 2; step <= std::min<std::int64_t>(size / 2, 64); ++step)
        if (size % step == 0 && may_move(together, step) && may_move(together, 3 * step)) return step;
    return 0;
}

/// Dimensions that look the same, in groups.
inline std::vector<std::vector<Place>> DimDiscovery::units_of(const std::vector<Place>& places) const {
    std::vector<std::vector<Place>> units;
    for (const Place& place : places) {
        const auto unit =
            std::ranges::find_if(units, [&](const std::vector<Place>& each) { return alike(each[0], place); });
        if (unit != units.end())
            unit->push_back(place);
        else
            units.push_back({place});
    }
    return units;
}

/// Which dimensions may have to move along with the first one, likely ones first: all of its size in the same position, since in
/// square inputs all sizes are equal; all of its size; and fewer, since a size that is fixed may happen to be the same.
inline std::vector<std::vector<Place>> DimDiscovery::companies(const std::vector<Place>& stuck) const {
    std::vector<Place> in_position, of_size;
    for (const Place& place : stuck) {
        if (sample(place) != sample(stuck[0])) continue;
        of_size.push_back(place);
        if (place.dim == stuck[0].dim) in_position.push_back(place);
    }
    std::vector<std::vector<Place>> made{std::move(in_position), of_size};
    const auto units = units_of(of_size);
    constexpr std::size_t most_units = 4;
    for (std::size_t chosen = 0; chosen < std::size_t{1} << std::min(units.size() - 1, most_units); ++chosen) {
        std::vector<Place>& company = made.emplace_back(units[0]);
        for (std::size_t i = 1; i < units.size() && i <= most_units; ++i)
            if ((chosen >> (i - 1) & 1) != 0) company.insert(company.end(), units[i].begin(), units[i].end());
    }
    return made;
}

/// Moves dimensions alone, then those of equal size together, then sums along with their parts: what a model ties together shows
/// in what it refuses.
inline void DimDiscovery::run() {
    std::vector<Place> stuck;
    for (const Place& place : wishes_.automatic(prober_.leaves())) {
        if (sample(place) < 2) {
            probed_.notes.push_back(wishes_.name(place) + " is static: its sample has size " +
                                    std::to_string(sample(place)) + ", at which ops broadcast");
            continue;
        }
        if (const std::int64_t step = step_of({place}))
            add_symbol(fresh_symbol(), {place}, step);
        else
            stuck.push_back(place);
    }
    for (std::vector<Place> rest = stuck; !rest.empty();) {
        std::vector<Place> together;
        std::int64_t step = 0;
        for (std::vector<Place>& candidate : companies(rest)) {
            together = std::move(candidate);
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
    find_sums(stuck);
    settle_steps();
}

/// Steps were found with everything else at the sample's sizes, which may have been what made them enough.
inline void DimDiscovery::settle_steps() {
    auto& symbols = probed_.plan.symbols;
    auto& sizes = probed_.plan.sizes;
    for (const Stepped& each : stepped_) {
        const std::string& symbol = each.symbol;
        const std::vector<Place>& places = each.places;
        const std::int64_t first = each.step;
        const auto at = static_cast<std::size_t>(std::ranges::find(symbols, symbol, &ProbeDim::name) - symbols.begin());
        const std::int64_t size = sample(places[0]);
        const auto holds = [&](std::int64_t by) {
            ProbePoint point = probed_.sample_point();
            for (std::size_t i = 0; i < point.size(); ++i)
                if (i == at || symbols[i].range.contains(point[i] + by)) point[i] += i == at ? 1 : by;
            return prober_.holds(probed_.plan, point);
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
            probed_.notes.push_back(wishes_.name(place) +
                                    " is static: which sizes the model takes there depends on other dimensions");
        }
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

/// A mask's length is that of past and present: it moves along with each of them.
inline void DimDiscovery::find_sums(const std::vector<Place>& stuck) {
    std::vector<std::vector<Place>> units = units_of(stuck);
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
            probed_.notes.push_back(wishes_.name(place) + " is static: the model takes no other size there");
}

}  // namespace ferry::capture
