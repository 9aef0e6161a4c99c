#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
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
    using Places = std::vector<Place>;

    struct Stepped {
        std::string symbol;
        Places places;
        std::int64_t step;
    };

    /// One dimension was tried for another.
    struct StandIn {
        Place of, is;
    };

    /// A run with these dimensions moved, and no others.
    struct Move {
        static constexpr std::size_t whole_way = std::numeric_limits<std::size_t>::max();

        Places places;
        std::int64_t by;
        std::size_t reach;  ///< how many ops are those of the sample's run
        std::string why{};  ///< it gets no further
        Trace trace{};      ///< of a run that got there
    };

    [[nodiscard]] std::int64_t sample(const Place& place) const {
        return prober_.leaves()[place.leaf].tensor().size(static_cast<std::int64_t>(place.dim));
    }
    [[nodiscard]] const Move& move(const Places& together, std::int64_t by);
    [[nodiscard]] bool may_move(const Places& together, std::int64_t by) {
        return move(together, by).reach == Move::whole_way;
    }
    [[nodiscard]] std::int64_t odd_move(const Place& place) const;
    [[nodiscard]] std::int64_t step_of(const Places& together);
    [[nodiscard]] bool alike(const Place& a, const Place& b) const {
        return a.dim == b.dim && sample(a) == sample(b) &&
               probed_.plan.sizes[a.leaf].size() == probed_.plan.sizes[b.leaf].size();
    }
    [[nodiscard]] std::vector<Places> units_of(const Places& places) const;
    [[nodiscard]] Places company_of(Places company, const Places& stuck, std::int64_t by);
    [[nodiscard]] std::vector<Places> likely_companies(const Places& stuck) const;
    [[nodiscard]] std::int64_t find_company(Places& together, const Places& stuck);
    template <class Find>
    void move_stuck(Places& stuck, Find&& find);
    /// What the model does when this dimension alone is larger; of many that look the same, what it did with one of them.
    [[nodiscard]] const Move& alone(const Place& place) {
        const auto known = algo::find(stand_ins_, place, &StandIn::of);
        return move({known == stand_ins_.end() ? place : known->is}, odd_move(place));
    }
    [[nodiscard]] bool stops_like(const Place& a, const Place& b) {
        return alike(a, b) && alone(a).why == alone(b).why;
    }
    void choose_stand_ins(const Places& places);
    void move_small(Places& small, Places& stuck);
    void add_symbol(const std::string& symbol, const Places& places, std::int64_t step);
    void find_sums(const Places& stuck);
    void join(std::vector<Places>& units);
    [[nodiscard]] bool adds_to_known(const Places& part);
    void settle_steps();
    [[nodiscard]] std::string fresh_symbol() { return "s" + std::to_string(next_symbol_++); }

    Prober& prober_;
    const ShapeWishes& wishes_;
    Probed& probed_;
    std::vector<Stepped> stepped_;
    std::deque<Move> moves_;  // stay where they are when more are added
    std::vector<StandIn> stand_ins_;
    std::size_t next_symbol_ = 0;
};

/// What the model does when these dimensions, and no others, are larger by `by`.
inline const DimDiscovery::Move& DimDiscovery::move(const Places& together, std::int64_t by) {
    for (const Move& known : moves_)
        if (known.by == by && known.places == together) return known;
    ShapePlan plan = probed_.plan;
    for (const Place& place : together) plan.sizes[place.leaf][place.dim] = SymExpr(sample(place) + by);
    Prober::Attempt tried = prober_.attempt(plan, probed_.sample_point());
    Move made{together, by, Move::whole_way};
    if (const auto parted = prober_.parting(tried)) {
        made.reach = parted->op;
        made.why = "at " + std::to_string(sample(together[0]) + by) + ", " + place_and_reason(*parted);
    } else {
        made.trace = std::move(tried.outcome->trace);
    }
    moves_.push_back(std::move(made));
    return moves_.back();
}

/// Without a common divisor with the sample: where only multiples of something will do, this is none. And to a size that no other
/// dimension has, where two of one size may take a path of their own.
inline std::int64_t DimDiscovery::odd_move(const Place& place) const {
    const std::int64_t size = sample(place);
    const auto is_taken = [&](std::int64_t other) {
        bool found = false;
        detail::for_each_place(prober_.leaves(), [&](const Place& each, at::IntArrayRef sizes) {
            found = found || sizes[each.dim] == other;
        });
        return found;
    };
    for (const std::int64_t by : {5, 7, 11, 13})
        if (size % by != 0 && !is_taken(size + by)) return by;
    return size % 5 != 0 ? 5 : 7;
}

/// Their sizes are multiples of `step`.
inline void DimDiscovery::add_symbol(const std::string& symbol, const Places& places, std::int64_t step) {
    for (Move& known : moves_)
        if (step == 1 && known.reach == Move::whole_way && known.by == odd_move(places[0]) && known.places == places)
            probed_.seeds.push_back({symbol, sample(places[0]) + known.by, std::move(known.trace)});
    // Code that divides by a size would end the process at 0: only who has such a size, or asks for it, is tried there.
    std::int64_t least = std::min<std::int64_t>(sample(places[0]), 1);
    for (const Place& place : places) least = std::min(least, wishes_.tried_from(place, prober_.leaves()));
    probed_.plan.symbols.push_back({symbol, ValueRange::at_least(least), sample(places[0]) / step});
    for (const Place& place : places)
        probed_.plan.sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
    if (step > 1) stepped_.push_back({symbol, places, step});
}

/// In which steps these dimensions move together: 1 for any size, more if only multiples will do, 0 if they do not move.
inline std::int64_t DimDiscovery::step_of(const Places& together) {
    const std::int64_t size = sample(together[0]);
    if (may_move(together, odd_move(together[0]))) return 1;
    if (size < 2) return 0;
    if (size > 3 && may_move(together, size))
        for (std::int64_t step = 2; step <= size / 2; ++step)
            if (size % step == 0 && may_move(together, step) && may_move(together, 3 * step)) return step;
    // The range may end near the sample.
    if (may_move(together, 1) && may_move(together, 2)) return 1;
    return size > 3 && may_move(together, -1) && may_move(together, -2) ? 1 : 0;
}

/// Dimensions that look the same, in groups.
inline std::vector<DimDiscovery::Places> DimDiscovery::units_of(const Places& places) const {
    std::vector<Places> units;
    for (const Place& place : places) {
        const auto unit = algo::find_if(units, [&](const Places& each) { return alike(each[0], place); });
        if (unit != units.end())
            unit->push_back(place);
        else
            units.push_back({place});
    }
    return units;
}

/// The dimensions that must move along with the first ones: those with which the model gets further than without them. Sizes that
/// are equal in the sample alone bring it no further.
inline DimDiscovery::Places DimDiscovery::company_of(Places company, const Places& stuck, std::int64_t by) {
    Places others;
    for (const Place& place : stuck)
        if (!algo::contains(company, place) && sample(place) == sample(company[0])) others.push_back(place);
    const auto with = [&](const Places& more) {
        Places larger = company;
        for (const Place& place : more)
            if (!algo::contains(company, place)) larger.push_back(place);
        return larger;
    };
    const auto gets_further = [&](const Places& more) {
        Places larger = with(more);
        if (larger.size() == company.size() || move(larger, by).reach <= move(company, by).reach) return false;
        company = std::move(larger);
        return true;
    };
    // The op that stops the model takes those that it stops alone.
    const auto stopped_here = [&](const Places& unit) {
        Places found;
        for (const Place& place : unit)
            if (move({place}, odd_move(place)).reach == move(company, by).reach) found.push_back(place);
        return found;
    };
    constexpr std::size_t most_tried = 16;  // a cache has some of each layer, and to try each with each takes too long
    const auto units = units_of(others);
    for (bool further = true; further && !may_move(company, by);) {
        further = algo::any_of(units, [&](const Places& unit) {
            const auto next = algo::find_if(unit, [&](const Place& place) { return !algo::contains(company, place); });
            if (next == unit.end()) return false;
            return gets_further({*next}) || (!may_move(with(unit), by) && gets_further(stopped_here(unit))) ||
                   gets_further(unit);
        });
        if (further) continue;
        const Places& tried = others.size() > most_tried ? stopped_here(others) : others;
        further = algo::any_of(tried, [&](const Place& place) { return gets_further({place}); });
    }
    return company;
}

/// Where an op takes many of them at once, none alone brings the model further. Likely ones first: all of that size in the same
/// position, since in square inputs all sizes are equal; all of that size; and fewer, since a size that is fixed may happen to be
/// the same.
inline std::vector<DimDiscovery::Places> DimDiscovery::likely_companies(const Places& stuck) const {
    Places in_position, of_size;
    for (const Place& place : stuck) {
        if (sample(place) != sample(stuck[0])) continue;
        of_size.push_back(place);
        if (place.dim == stuck[0].dim) in_position.push_back(place);
    }
    std::vector<Places> made{std::move(in_position), of_size};
    const auto units = units_of(of_size);
    constexpr std::size_t most_units = 4;
    for (std::size_t chosen = 0; chosen < std::size_t{1} << std::min(units.size() - 1, most_units); ++chosen) {
        Places& company = made.emplace_back(units[0]);
        for (std::size_t i = 1; i < units.size() && i <= most_units; ++i)
            if ((chosen >> (i - 1) & 1) != 0) company.insert(company.end(), units[i].begin(), units[i].end());
    }
    return made;
}

/// The step in which the first of the stuck ones moves, with those that must move along; 0 if nothing helps.
inline std::int64_t DimDiscovery::find_company(Places& together, const Places& stuck) {
    std::vector<Places> candidates{company_of({stuck[0]}, stuck, sample(stuck[0]))};
    for (Places& likely : likely_companies(stuck)) candidates.push_back(std::move(likely));
    for (std::size_t which = 0; which < candidates.size(); ++which) {
        together = std::move(candidates[which]);
        std::int64_t step = together.size() > 1 ? step_of(together) : 0;
        if (step == 0) continue;
        if (which == 0) return step;  // each of them was needed to get on
        for (std::size_t i = together.size(); i-- > 1;) {  // without those that need not move along
            Places fewer = together;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (const std::int64_t alone = step_of(fewer)) together = std::move(fewer), step = alone;
        }
        return step;
    }
    return 0;
}

/// Of size 1, and 0: alone they often move, since 1 goes with any other size. Those in the same position of all inputs are likely
/// the batch, and belong together.
inline void DimDiscovery::move_small(Places& small, Places& stuck) {
    while (!small.empty()) {
        Places together;
        for (const Place& place : small)
            if (place.dim == small[0].dim && sample(place) == sample(small[0])) together.push_back(place);
        const std::int64_t by = odd_move(small[0]);
        if (!may_move(together, by)) together = company_of(std::move(together), small, by);
        if (!may_move(together, by)) together = company_of({small[0]}, small, by);
        const bool moves = may_move(together, by);
        if (moves)
            add_symbol(fresh_symbol(), together, 1);
        else
            together.assign(1, small[0]), stuck.push_back(small[0]);
        for (const Place& place : together) std::erase(small, place);
    }
}

/// A cache has some of each layer that look the same, and the deeper the layer, the longer the run that is stopped there. Where none of a
/// few moves alone, from the first to the last of them, none of them does.
inline void DimDiscovery::choose_stand_ins(const Places& places) {
    constexpr std::size_t few = 5, many = 12;
    for (const Places& unit : units_of(places)) {
        if (unit.size() < many) continue;
        Places spread;
        for (std::size_t i = 0; i < few; ++i) spread.push_back(unit[i * (unit.size() - 1) / (few - 1)]);
        if (algo::any_of(spread, [&](const Place& place) { return may_move({place}, odd_move(place)); })) continue;
        for (std::size_t i = 0; i < unit.size(); ++i)
            if (!algo::contains(spread, unit[i])) stand_ins_.push_back({unit[i], spread[i * few / unit.size()]});
    }
}

/// Takes those out of `stuck` that `find(rest, together)` gives a step, and whatever moves along with them. A cache has some of each
/// layer that look the same and are stopped for the same reason: where nothing helps a few of them, nothing helps the others.
template <class Find>
void DimDiscovery::move_stuck(Places& stuck, Find&& find) {
    constexpr std::ptrdiff_t few = 3;
    Places tried;
    for (Places rest = stuck; !rest.empty();) {
        Places together{rest[0]};
        const bool is_hopeless = std::count_if(tried.begin(), tried.end(),
                                               [&](const Place& each) { return stops_like(each, rest[0]); }) >= few;
        if (const std::int64_t step = is_hopeless ? 0 : find(rest, together)) {
            add_symbol(fresh_symbol(), together, step);
            for (const Place& place : together) std::erase(stuck, place);
        } else {
            together.assign(1, rest[0]);
            if (!is_hopeless) tried.push_back(rest[0]);
        }
        for (const Place& place : together) std::erase(rest, place);
    }
}

/// Moves dimensions alone, then with those that bring the model further, then in steps, then in likely companies, and sums along
/// with their parts: what a model ties together shows in what it refuses.
inline void DimDiscovery::run() {
    Places small, large, stuck;
    for (const Place& place : wishes_.automatic(prober_.leaves())) (sample(place) < 2 ? small : large).push_back(place);
    choose_stand_ins(large);
    for (const Place& place : large)
        if (alone(place).reach == Move::whole_way)
            add_symbol(fresh_symbol(), {place}, 1);
        else
            stuck.push_back(place);
    move_stuck(stuck, [&](const Places& rest, Places& together) {
        const std::int64_t by = odd_move(rest[0]);
        together = company_of({rest[0]}, rest, by);
        return may_move(together, by) ? 1 : 0;
    });
    move_stuck(stuck, [&](const Places&, Places& together) { return step_of(together); });
    move_stuck(stuck, [&](const Places& rest, Places& together) { return find_company(together, rest); });
    // Multiples of the sample's own size are the last guess: much works with twice as many that is no size of its own.
    move_stuck(stuck, [&](const Places&, Places& together) {
        const std::int64_t size = sample(together[0]);
        return may_move(together, size) && may_move(together, 3 * size) ? size : 0;
    });
    move_small(small, stuck);
    find_sums(stuck);
    settle_steps();
}

/// Steps were found with everything else at the sample's sizes, which may have been what made them enough.
inline void DimDiscovery::settle_steps() {
    auto& symbols = probed_.plan.symbols;
    auto& sizes = probed_.plan.sizes;
    for (const Stepped& each : stepped_) {
        const std::string& symbol = each.symbol;
        const Places& places = each.places;
        const std::int64_t first = each.step;
        const auto at = static_cast<std::size_t>(algo::find(symbols, symbol, &ProbeDim::name) - symbols.begin());
        const std::int64_t size = sample(places[0]);
        const auto holds = [&](std::int64_t by) {
            ProbePoint point = probed_.sample_point();
            for (std::size_t i = 0; i < point.size(); ++i)
                if (i == at || symbols[i].range.contains(point[i] + by)) point[i] += i == at ? 1 : by;
            return prober_.holds(probed_.plan, point);
        };
        std::int64_t step = first;
        for (; step <= size; step += first) {
            if (size % step != 0) continue;
            symbols[at].sample = size / step;
            for (const Place& place : places) sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
            if (holds(5) && holds(6)) break;
        }
        if (step <= size) continue;
        for (const Place& place : places) {
            sizes[place.leaf][place.dim] = SymExpr(size);
            probed_.notes.push_back(wishes_.name(place) +
                                    " is static: which sizes the model takes there depends on other dimensions");
        }
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

/// The same where the past is empty in the sample: then the sum was taken for the present, or for one of several such.
inline bool DimDiscovery::adds_to_known(const Places& part) {
    Places known;
    for (std::size_t leaf = 0; leaf < probed_.plan.sizes.size(); ++leaf)
        for (std::size_t dim = 0; dim < probed_.plan.sizes[leaf].size(); ++dim)
            if (prober_.leaves()[leaf].is_tensor() && !probed_.plan.sizes[leaf][dim].is_constant())
                known.push_back({leaf, dim});
    std::vector<Places> sums = units_of(known);
    for (const Place& place : known) sums.push_back({place});
    for (const Places& sum : sums) {
        Places both = part;
        both.insert(both.end(), sum.begin(), sum.end());
        if (!may_move(both, 6) || !may_move(both, 5)) continue;
        add_symbol(fresh_symbol(), part, 1);
        for (const Place& place : sum) {
            SymExpr& size = probed_.plan.sizes[place.leaf][place.dim];
            size = size + SymExpr::symbol(probed_.plan.symbols.back().name) - SymExpr(sample(part[0]));
        }
        return true;
    }
    return false;
}

/// Those of one size in other positions, where both bring the model further than either: tokens [batch, tokens] and their places
/// [axes, batch, tokens].
inline void DimDiscovery::join(std::vector<Places>& units) {
    for (std::size_t i = 0; i < units.size(); ++i)
        for (std::size_t k = i + 1; k < units.size();) {
            const std::int64_t by = odd_move(units[i][0]);
            Places both = units[i];
            both.insert(both.end(), units[k].begin(), units[k].end());
            if (sample(units[i][0]) == sample(units[k][0]) &&
                move(both, by).reach > std::max(move(units[i], by).reach, move(units[k], by).reach)) {
                units[i] = std::move(both);
                units.erase(units.begin() + static_cast<std::ptrdiff_t>(k));
                k = i + 1;
            } else {
                ++k;
            }
        }
}

/// A mask's length is that of past and present: it moves along with each of them.
inline void DimDiscovery::find_sums(const Places& stuck) {
    std::vector<Places> units = units_of(stuck);
    while (units.size() > 1) {
        std::size_t sum = 0;
        std::vector<std::size_t> parts;
        for (std::size_t i = 0; i < units.size(); ++i) {
            std::vector<std::size_t> partners;
            for (std::size_t k = 0; k < units.size(); ++k) {
                Places both = units[i];
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
        algo::sort(parts, std::greater{});
        for (const std::size_t done : parts) units.erase(units.begin() + static_cast<std::ptrdiff_t>(done));
    }
    const auto add_to_known = [&] { std::erase_if(units, [&](const Places& unit) { return adds_to_known(unit); }); };
    add_to_known();
    join(units);
    add_to_known();
    for (const Places& unit : units)
        for (const Place& place : unit)
            probed_.notes.push_back(wishes_.name(place) + " is static: " + alone(place).why);
}

}  // namespace ferry::capture
