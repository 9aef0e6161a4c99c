#pragma once

#include <ferry/capture/detail/fit_families.hpp>
#include <ferry/capture/detail/fit_space.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ferry::detail {

/// Floors, remainders and corners, with what they may be multiplied with or added to.
class FitSteps {
public:
    FitSteps(const FitSpace& all, Candidates& found) : space(all), candidates(found) {}

    /// Steps and corners of one variable; times a product, or plus one; then products of two, and what ends at a number.
    void find(const Column& v) const {
        if (v.size() < 3 || algo::any_of(v, [](std::int64_t x) { return x > fit_limit || x < -fit_limit; })) return;
        const auto shapes = variables();
        const auto factors = multipliers();
        const auto explain = [&](const Column& y, int cost, const auto& wrap) {
            for (const auto& x : shapes)
                CornerFamilies(x.column, y, x.expr, x.open).all(x.cost == 0 ? 8 : 1, [&](int found, const auto& build) {
                    keep(candidates, found + cost + x.cost, parameters_of(x), [&] { return wrap(build()); });
                });
            for (std::size_t i = 0; i < space.varying.size(); ++i)
                for (std::size_t j = i + 1; j < space.varying.size(); ++j) extremes(y, i, j, cost, wrap);
        };
        for (const auto& factor : factors)
            if (const auto y = quotient(v, factor.column))
                explain(*y, factor.cost, [&](const SymExpr& f) { return f * factor.expr; });
        for (std::size_t m = 1; m < std::min(space.squares_end, std::size_t{40}); ++m)
            for (const std::int64_t times : {1, -1, 2})
                explain(difference(v, space.monomials[m].column, times),
                        3 + 3 * static_cast<int>(space.monomials[m].dims.size()),
                        [&](const SymExpr& f) { return f + SymExpr(times) * space.monomials[m].expr; });
        if (!candidates.empty()) return;
        for (const std::int64_t offset : {0, 1, 2, -1}) {
            const Column shifted = difference(v, space.monomials[0].column, offset);
            for (const auto& factor : factors) {
                const auto y = quotient(shifted, factor.column);
                if (!y) continue;
                const auto wrap = [&](const SymExpr& f) { return f * factor.expr + offset; };
                const int cost = factor.cost + (offset == 0 ? 0 : 4);
                if (offset != 0) explain(*y, cost, wrap);
                if (factor.cost <= 6) two_floors(*y, cost, wrap);
            }
            if (!candidates.empty()) return;
        }
        for (const auto& factor : factors)
            if (const auto y = quotient(v, factor.column))
                for (const auto& x : shapes)
                    CornerFamilies(x.column, *y, x.expr, x.open).clipped_floors([&](int found, const auto& build) {
                        keep(candidates, found + factor.cost + x.cost, two_steps,
                             [&] { return build() * factor.expr; });
                    });
        if (!candidates.empty() || !has_many()) return;
        for (const auto& x : pairs())
            CornerFamilies(x.column, v, x.expr, x.open).all(1, [&](int found, const auto& build) {
                keep(candidates, found + x.cost, parameters_of(x), [&] { return build(); });
            });
    }

private:
    static constexpr std::size_t one_step = 5;   // a, n, c, d, b
    static constexpr std::size_t two_steps = 6;  // a, c, d; c, d; b

    struct Variable {
        Column column;
        SymExpr expr;
        int cost = 0;
        bool open = false;  // the range goes on where the domain ends
    };

    /// A step of a sum and the sum of two steps differ by one at most, and only at some points: that takes more of them.
    [[nodiscard]] static std::size_t parameters_of(const Variable& x) { return x.cost == 0 ? one_step : 2 * one_step; }
    /// Too many dimensions to try every pair of them with everything else.
    [[nodiscard]] bool has_many() const { return space.varying.size() > 4; }

    [[nodiscard]] std::vector<Variable> variables() const {
        std::vector<Variable> result;
        result.reserve(space.varying.size());
        for (std::size_t i = 0; i < space.varying.size(); ++i)
            result.push_back({space.column_of(i), space.symbol(i), 0, space.is_open(space.varying[i])});
        if (has_many()) return result;
        for (Variable& pair : pairs()) result.push_back(std::move(pair));
        return result;
    }
    /// Products, sums and differences of two.
    [[nodiscard]] std::vector<Variable> pairs() const {
        std::vector<Variable> result;
        for (std::size_t m = 1; m < space.squares_end; ++m)
            if (space.monomials[m].dims.size() == 2)
                result.push_back(
                    {space.monomials[m].column, space.monomials[m].expr, 4,
                     algo::any_of(space.monomials[m].dims, [this](std::size_t d) { return space.is_open(d); })});
        for (std::size_t i = 0; i < space.varying.size(); ++i)
            for (std::size_t j = 0; j < space.varying.size(); ++j) {
                if (i == j) continue;
                for (const int sign : {1, -1}) {
                    if (sign == 1 && j < i) continue;
                    Column column;
                    column.reserve(space.points.size());
                    for (const auto& point : space.points)
                        column.push_back(point[space.varying[i]] + sign * point[space.varying[j]]);
                    result.push_back({std::move(column), space.symbol(i) + SymExpr(sign) * space.symbol(j), 4,
                                      space.is_open(space.varying[i]) || space.is_open(space.varying[j])});
                }
            }
        return result;
    }
    static std::optional<Column> quotient(const Column& v, const Column& by) {
        Column result(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) {
            if (by[i] <= 0 || v[i] % by[i] != 0) return std::nullopt;
            result[i] = v[i] / by[i];
        }
        return result;
    }
    static Column difference(const Column& v, const Column& less, std::int64_t times) {
        Column result(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) result[i] = v[i] - times * less[i];
        return result;
    }

    /// What a step may be multiplied with: a product of dimensions, or one dimension more or less one.
    [[nodiscard]] std::vector<Variable> multipliers() const {
        std::vector<Variable> result;
        result.reserve(space.monomials.size() + 2 * space.varying.size());
        for (const auto& monomial : space.monomials)
            result.push_back({monomial.column, monomial.expr, 3 * static_cast<int>(monomial.dims.size())});
        for (std::size_t i = 0; i < space.varying.size(); ++i)
            for (const std::int64_t offset : {1, -1}) {
                Column column = space.column_of(i);
                for (auto& x : column) x += offset;
                result.push_back({std::move(column), space.symbol(i) + offset, 6});
            }
        return result;
    }

    template <class Wrap>
    void extremes(const Column& y, std::size_t i, std::size_t j, int cost, const Wrap& wrap) const {
        bool larger = true;
        bool smaller = true;
        for (std::size_t p = 0; p < space.points.size(); ++p) {
            const auto [low, high] = std::minmax(space.points[p][space.varying[i]], space.points[p][space.varying[j]]);
            smaller = smaller && y[p] == low;
            larger = larger && y[p] == high;
        }
        if (larger)
            keep(candidates, 7 + cost, one_step, [&] { return wrap(sym_max({space.symbol(i), space.symbol(j)})); });
        if (smaller)
            keep(candidates, 7 + cost, one_step, [&] { return wrap(sym_min({space.symbol(i), space.symbol(j)})); });
    }

    /// (s + c)//d * (t + e)//f * a, the number of patches of an image: try all of the first, solve for the second.
    template <class Wrap>
    void two_floors(const Column& y, int cost, const Wrap& wrap) const {
        if (algo::any_of(y, [](std::int64_t x) { return x < 0; })) return;
        std::vector<Column> columns;
        columns.reserve(space.varying.size());
        for (std::size_t j = 0; j < space.varying.size(); ++j) columns.push_back(space.column_of(j));
        Column rest;
        Column at;
        for (std::size_t i = 0; i < space.varying.size(); ++i)
            for (std::int64_t d = 2; d <= 64; ++d)
                for (std::int64_t c = 1 - d; c < d; ++c) {
                    // Where the first is zero so is the product, and nothing is said of the second.
                    bool divides = true;
                    std::size_t known = 0;
                    for (std::size_t p = 0; p < y.size() && divides; ++p) {
                        const std::int64_t factor = checked_floor_div(columns[i][p] + c, d);
                        divides = factor > 0 ? y[p] % factor == 0 : factor == 0 && y[p] == 0;
                        known += factor > 0 ? 1 : 0;
                    }
                    if (!divides || known < 3) continue;
                    const auto [low, high] = std::minmax_element(columns[i].begin(), columns[i].end());
                    const std::int64_t rise = checked_floor_div(*high + c, d) - checked_floor_div(*low + c, d);
                    if (rise < (space.is_open(space.varying[i]) ? 2 : 1)) continue;
                    const int first = cost + 4 + divisor_cost(d) + (c == 0 ? 0 : c == d - 1 ? 1 : 3);
                    for (std::size_t j = i; j < space.varying.size(); ++j) {
                        rest.clear();
                        at.clear();
                        for (std::size_t p = 0; p < y.size(); ++p) {
                            const std::int64_t factor = checked_floor_div(columns[i][p] + c, d);
                            if (factor == 0) continue;
                            rest.push_back(y[p] / factor);
                            at.push_back(columns[j][p]);
                        }
                        const SymExpr other = space.symbol(j);
                        CornerFamilies(at, rest, other, space.is_open(space.varying[j]))
                            .only_floors([&](int found, const auto& build) {
                                keep(candidates, first + found, two_steps,
                                     [&] { return wrap(floor_div(space.symbol(i) + c, d) * build()); });
                            });
                    }
                }
    }

    const FitSpace& space;
    Candidates& candidates;
};

}  // namespace ferry::detail
