#pragma once

#include <ferry/capture/detail/fit_families.hpp>
#include <ferry/capture/detail/prime_field.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

enum class FitStatus {
    found,              ///< `expr` is the answer
    needs_more_points,  ///< capture at `more` too, then fit again
    none,               ///< no expression of the families gives these numbers, at any number of points
};

struct Fit {
    FitStatus status = FitStatus::none;
    SymExpr expr{};
    std::vector<ProbePoint> more{};
};

/// Finds the expression behind an integer that was observed at each probe point.
///
/// Families, from the simplest: a constant; c*m for a product m of up to four dimensions; a*m + b*m'; polynomials that are affine in
/// all dimensions, multilinear in two or three, of degree up to three in one or two in two (rational coefficients if the value is
/// always whole, as in s*(s + 1)//2); and, times a product of dimensions or plus one, the steps and corners of one variable x, which is
/// a dimension, a product of two, or a sum or difference of two: a*((n*x + c)//d) + b with n up to 8 (so all chains of
/// convolutions and poolings), a*((x + c) % d) + b and with -x, a*max(x, c) + b, a*min(x, c) + b; products of two such floors; the
/// larger or smaller of two dimensions.
///
/// `found` means: the expression gives every observed number; at least two of the points were not needed to determine its
/// parameters (of the step families at least three, and seven points in all); no other member of the families that
/// was found to fit differs from it on the sizes compared: a sweep of 64 sizes of each dimension, 32 points at random in the domains
/// (see probe_domain), and the sizes next to the steps and corners of each that fits. Simpler polynomials are preferred to steps without comparison, because choose_probe_points has
/// the ends of each range and sizes without a common step, where steps and corners show. In a range without end at least two steps must
/// have been seen. What lies outside the domains (sizes 0 and 1, beyond a range's probed end) and functions outside the families
/// that agree at all points are not excluded: `strict` exports check those at run time.
class Fitter {
public:
    static constexpr std::size_t max_points = 32;  ///< past this a number that still has rivals is given up

    Fitter(std::vector<ProbeDim> dims, std::vector<ProbePoint> points)
        : dims_(std::move(dims)), points_(std::move(points)) {
        if (points_.empty()) throw Error(ErrorKind::internal, "no probe points to fit an expression to");
        for (const auto& point : points_)
            if (point.size() != dims_.size())
                throw Error(ErrorKind::internal, "a probe point without a size for each dimension");
        build_monomials();
        build_bases();
        if (!detail::separates(points_, dims_)) weak_ = missing_points();
    }

    [[nodiscard]] const std::vector<ProbePoint>& points() const noexcept { return points_; }

    /// `observed` has a number for each point. Equal vectors are fitted once.
    const Fit& fit(std::span<const std::int64_t> observed) {
        if (observed.size() != points_.size())
            throw Error(ErrorKind::internal, "observed values and probe points differ in number");
        key_.assign(observed.begin(), observed.end());
        const auto at = memo_.find(key_);
        if (at != memo_.end()) return at->second;
        return memo_.emplace(key_, find(key_)).first->second;
    }

    /// What the fits so far ask for, each point once, those that most ask for first.
    [[nodiscard]] std::vector<ProbePoint> wanted_points(std::size_t limit = 4) const {
        std::vector<std::pair<std::size_t, ProbePoint>> votes;
        for (const auto& [observed, result] : memo_)
            for (const auto& point : result.more) {
                const auto at = std::ranges::find(votes, point, &std::pair<std::size_t, ProbePoint>::second);
                if (at == votes.end())
                    votes.emplace_back(1, point);
                else
                    ++at->first;
            }
        std::ranges::sort(votes, [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        std::vector<ProbePoint> wanted;
        for (auto& [count, point] : votes)
            if (wanted.size() < limit) wanted.push_back(std::move(point));
        return wanted;
    }

private:
    using Column = detail::Column;
    using Candidates = std::vector<detail::FitCandidate>;
    __extension__ using Wide = __int128;

    struct Monomial {
        std::vector<std::size_t> dims;  // with repetition
        Column column;
        SymExpr expr;
    };
    struct Basis {
        std::vector<std::size_t> monomials;
        detail::BasisInverse inverse;
        int cost = 0;
    };
    struct Hash {
        std::size_t operator()(const Column& column) const noexcept {
            std::uint64_t hash = 0;
            for (const std::int64_t x : column)
                hash = (hash ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL ^ (hash >> 29);
            return static_cast<std::size_t>(hash);
        }
    };

    void add_monomial(std::vector<std::size_t> dims) {
        Monomial monomial{std::move(dims), Column(points_.size(), 1), 1};
        for (const std::size_t d : monomial.dims) {
            for (std::size_t i = 0; i < points_.size(); ++i)
                if (__builtin_mul_overflow(monomial.column[i], points_[i][d], &monomial.column[i])) return;
            monomial.expr = monomial.expr * SymExpr::symbol(dims_[d].name);
        }
        monomials_.push_back(std::move(monomial));
    }

    void build_monomials() {
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            const ValueRange domain = probe_domain(dims_[d]);
            if (domain.min < domain.max) varying_.push_back(d);
        }
        const auto& v = varying_;
        add_monomial({});
        for (const std::size_t a : v) add_monomial({a});
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i + 1; j < v.size(); ++j) add_monomial({v[i], v[j]});
        for (const std::size_t a : v) add_monomial({a, a});
        squares_end_ = monomials_.size();
        if (v.size() > 8) return;
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i; j < v.size(); ++j)
                for (std::size_t k = j; k < v.size(); ++k) {
                    add_monomial({v[i], v[j], v[k]});
                    for (std::size_t l = k + 1; l < v.size() && i < j && j < k; ++l)
                        add_monomial({v[i], v[j], v[k], v[l]});
                }
    }

    void add_basis(const std::vector<std::vector<std::size_t>>& products) {
        Basis basis;
        std::vector<const Column*> columns;
        for (auto product : products) {
            std::ranges::sort(product);
            const auto at = std::ranges::find(monomials_, product, &Monomial::dims);
            if (at == monomials_.end()) return;
            basis.monomials.push_back(static_cast<std::size_t>(at - monomials_.begin()));
            columns.push_back(&at->column);
        }
        largest_basis_ = std::max(largest_basis_, products.size());
        auto inverse = detail::BasisInverse::of(columns);
        if (!inverse || products.size() + 1 > points_.size()) return;
        basis.inverse = std::move(*inverse);
        basis.cost = 6 + static_cast<int>(products.size());
        bases_.push_back(std::move(basis));
    }

    void build_bases() {
        const auto& v = varying_;
        if (v.size() > 8) {
            affine_basis();
            return;
        }
        for (const std::size_t a : v) {
            add_basis({{}, {a}, {a, a}});
            add_basis({{}, {a}, {a, a}, {a, a, a}});
        }
        affine_basis();
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i + 1; j < v.size(); ++j) {
                const std::size_t a = v[i];
                const std::size_t b = v[j];
                add_basis({{}, {a}, {b}, {a, b}});
                add_basis({{}, {a}, {b}, {a, b}, {a, a}, {b, b}});
                for (std::size_t k = j + 1; k < v.size(); ++k) {
                    const std::size_t c = v[k];
                    add_basis({{}, {a}, {b}, {c}, {a, b}, {a, c}, {b, c}, {a, b, c}});
                }
            }
        std::ranges::stable_sort(bases_, {}, [](const Basis& basis) { return basis.monomials.size(); });
    }
    void affine_basis() {
        std::vector<std::vector<std::size_t>> products{{}};
        for (const std::size_t a : varying_) products.push_back({a});
        if (varying_.size() > 1) add_basis(products);
    }

    [[nodiscard]] std::vector<ProbePoint> missing_points() const {
        std::vector<ProbePoint> missing;
        auto tried = points_;
        for (const auto& point : choose_probe_points(dims_)) {
            if (std::ranges::find(tried, point) != tried.end()) continue;
            tried.push_back(point);
            missing.push_back(point);
        }
        // Points that came from elsewhere may lack what no further points of the usual kind add.
        if (missing.empty()) missing = more_probe_points(dims_, points_, 2);
        return missing;
    }

    [[nodiscard]] Fit accept(SymExpr expr, std::size_t parameters) const {
        if (!weak_.empty()) return {FitStatus::needs_more_points, std::move(expr), weak_};
        return accept_with_spare(std::move(expr), parameters + 2);
    }
    [[nodiscard]] Fit accept_with_spare(SymExpr expr, std::size_t wanted) const {
        if (points_.size() >= wanted || all_points_taken()) return {FitStatus::found, std::move(expr), {}};
        return {FitStatus::needs_more_points, std::move(expr),
                more_probe_points(dims_, points_, wanted - points_.size())};
    }
    /// Nothing is left to be wrong about when every point of the domain has been seen.
    [[nodiscard]] bool all_points_taken() const {
        double combinations = 1;
        for (const auto& dim : dims_) {
            const ValueRange domain = probe_domain(dim);
            combinations *= static_cast<double>(domain.max - domain.min) + 1;
        }
        if (combinations > static_cast<double>(points_.size())) return false;
        auto distinct = points_;
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        return static_cast<double>(distinct.size()) >= combinations;
    }

    [[nodiscard]] Fit find(const Column& v) const {
        if (std::ranges::all_of(v, [&](std::int64_t x) { return x == v[0]; })) return accept(v[0], 1);
        if (auto product = single_product(v)) return accept(std::move(*product), 1);
        Candidates candidates;
        two_terms(v, candidates);
        if (candidates.empty()) dense(v, candidates);
        if (!candidates.empty()) return choose(std::move(candidates), 2);
        steps(v, candidates);
        if (!candidates.empty()) return choose(std::move(candidates), 5);
        // The larger polynomials could not be tried yet.
        if (points_.size() < std::min(largest_basis_ + 2, max_points))
            return {FitStatus::needs_more_points,
                    {},
                    more_probe_points(dims_, points_, std::min(largest_basis_ + 2, max_points) - points_.size())};
        return {};
    }

    [[nodiscard]] std::optional<SymExpr> single_product(const Column& v) const {
        for (std::size_t m = 1; m < monomials_.size(); ++m) {
            const Column& column = monomials_[m].column;
            if (column[0] == 0 || v[0] % column[0] != 0) continue;
            const std::int64_t a = v[0] / column[0];
            if (a != 0 && is_sum(v, a, column, 0, column)) return SymExpr(a) * monomials_[m].expr;
        }
        return std::nullopt;
    }
    static bool is_sum(const Column& v, std::int64_t a, const Column& x, std::int64_t b, const Column& y) {
        for (std::size_t i = 0; i < v.size(); ++i)
            if (Wide{a} * x[i] + Wide{b} * y[i] != v[i]) return false;
        return true;
    }

    /// Every pair of monomials, each solved at two points and tried on the others.
    void two_terms(const Column& v, Candidates& candidates) const {
        if (v.size() < 3) return;
        const std::size_t last = v.size() - 1;
        for (std::size_t m = 1; m < monomials_.size(); ++m) {
            const Column& x = monomials_[m].column;
            for (std::size_t n = 0; n < m; ++n) {
                const Column& y = monomials_[n].column;
                std::size_t i = 1;
                Wide determinant = 0;
                for (; i <= last && determinant == 0; ++i) determinant = Wide{x[0]} * y[i] - Wide{x[i]} * y[0];
                if (determinant == 0) continue;
                --i;
                const Wide over_a = Wide{v[0]} * y[i] - Wide{v[i]} * y[0];
                const Wide over_b = Wide{x[0]} * v[i] - Wide{x[i]} * v[0];
                if (over_a % determinant != 0 || over_b % determinant != 0) continue;
                const Wide a = over_a / determinant;
                const Wide b = over_b / determinant;
                if (a > fit_coefficient || a < -fit_coefficient || b > fit_coefficient || b < -fit_coefficient)
                    continue;
                if (!is_sum(v, static_cast<std::int64_t>(a), x, static_cast<std::int64_t>(b), y)) continue;
                const auto degree = static_cast<int>(monomials_[m].dims.size() + monomials_[n].dims.size());
                candidates.push_back({2 + degree, SymExpr(static_cast<std::int64_t>(a)) * monomials_[m].expr +
                                                      SymExpr(static_cast<std::int64_t>(b)) * monomials_[n].expr});
            }
        }
        // A sum of two products that has a single rival among hundreds is chosen by choose(), with four points at least.
    }

    void dense(const Column& v, Candidates& candidates) const {
        std::vector<std::uint64_t> solution;
        for (const auto& basis : bases_) {
            const std::size_t size = basis.monomials.size();
            if (!candidates.empty() && basis.cost > candidates.front().cost) return;
            solution.assign(size, 0);
            for (std::size_t r = 0; r < size; ++r)
                for (std::size_t c = 0; c < size; ++c)
                    solution[r] = detail::PrimeField::add(
                        solution[r], detail::PrimeField::mul(basis.inverse.inverse[r][c],
                                                             detail::PrimeField::from(v[basis.inverse.rows[c]])));
            for (const std::int64_t under : {1, 2, 3, 4, 6, 8, 12, 16, 24})
                if (const auto expr = polynomial(v, basis, solution, under)) {
                    candidates.push_back({basis.cost, *expr});
                    break;
                }
        }
    }
    [[nodiscard]] std::optional<SymExpr> polynomial(const Column& v, const Basis& basis,
                                                    const std::vector<std::uint64_t>& solution,
                                                    std::int64_t under) const {
        std::vector<std::int64_t> coefficients;
        for (const std::uint64_t x : solution) {
            const std::int64_t c =
                detail::PrimeField::to_signed(detail::PrimeField::mul(x, static_cast<std::uint64_t>(under)));
            if (c > fit_coefficient || c < -fit_coefficient) return std::nullopt;
            coefficients.push_back(c);
        }
        for (std::size_t i = 0; i < v.size(); ++i) {
            Wide total = 0;
            for (std::size_t t = 0; t < coefficients.size(); ++t)
                total += Wide{coefficients[t]} * monomials_[basis.monomials[t]].column[i];
            if (total != Wide{v[i]} * under) return std::nullopt;
        }
        std::vector<SymExpr> parts;
        parts.reserve(coefficients.size());
        for (std::size_t t = 0; t < coefficients.size(); ++t)
            parts.push_back(SymExpr(coefficients[t]) * monomials_[basis.monomials[t]].expr);
        SymExpr over = sym_sum(parts);
        if (under == 1) return over;
        return detail::always_divides(over, under) ? std::optional(floor_div(over, under)) : std::nullopt;
    }

    struct Variable {
        Column column;
        SymExpr expr;
        int cost = 0;
        bool open = false;  // the range goes on where the domain ends
    };
    [[nodiscard]] bool is_open(std::size_t d) const { return dims_[d].range.max != probe_domain(dims_[d]).max; }
    [[nodiscard]] std::vector<Variable> variables() const {
        std::vector<Variable> result;
        if (varying_.size() > 4) {  // of many dimensions each alone
            for (std::size_t i = 0; i < varying_.size(); ++i)
                result.push_back({column_of(i), symbol(i), 0, is_open(varying_[i])});
            return result;
        }
        for (std::size_t m = 1; m < squares_end_; ++m)
            result.push_back({monomials_[m].column, monomials_[m].expr, monomials_[m].dims.size() == 1 ? 0 : 4,
                              std::ranges::any_of(monomials_[m].dims, [this](std::size_t d) { return is_open(d); })});
        for (std::size_t i = 0; i < varying_.size(); ++i)
            for (std::size_t j = 0; j < varying_.size(); ++j) {
                if (i == j) continue;
                for (const int sign : {1, -1}) {
                    if (sign == 1 && j < i) continue;
                    Column column;
                    for (const auto& point : points_) column.push_back(point[varying_[i]] + sign * point[varying_[j]]);
                    result.push_back({std::move(column), symbol(i) + SymExpr(sign) * symbol(j), 4,
                                      is_open(varying_[i]) || is_open(varying_[j])});
                }
            }
        return result;
    }
    [[nodiscard]] SymExpr symbol(std::size_t which) const { return SymExpr::symbol(dims_[varying_[which]].name); }

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
        result.reserve(monomials_.size() + 2 * varying_.size());
        for (const auto& monomial : monomials_)
            result.push_back({monomial.column, monomial.expr, 3 * static_cast<int>(monomial.dims.size())});
        for (std::size_t i = 0; i < varying_.size(); ++i)
            for (const std::int64_t offset : {1, -1}) {
                Column column = column_of(i);
                for (auto& x : column) x += offset;
                result.push_back({std::move(column), symbol(i) + offset, 6});
            }
        return result;
    }

    /// Steps and corners of one variable; times a product, or plus one; then products of two.
    void steps(const Column& v, Candidates& candidates) const {
        if (v.size() < 3 ||
            std::ranges::any_of(v, [](std::int64_t x) { return x > detail::fit_limit || x < -detail::fit_limit; }))
            return;
        const auto shapes = variables();
        const auto factors = multipliers();
        const auto explain = [&](const Column& y, int cost, const auto& wrap) {
            for (const auto& x : shapes)
                detail::CornerFamilies(x.column, y, x.expr, x.open)
                    .all(x.cost == 0 ? 8 : 1, [&](int found, const auto& build) {
                        keep(candidates, found + cost + x.cost, [&] { return wrap(build()); });
                    });
            for (std::size_t i = 0; i < varying_.size(); ++i)
                for (std::size_t j = i + 1; j < varying_.size(); ++j) extremes(y, i, j, cost, candidates, wrap);
        };
        for (const auto& factor : factors)
            if (const auto y = quotient(v, factor.column))
                explain(*y, factor.cost, [&](const SymExpr& f) { return f * factor.expr; });
        for (std::size_t m = 1; m < std::min(squares_end_, std::size_t{40}); ++m)
            for (const std::int64_t times : {1, -1, 2})
                explain(difference(v, monomials_[m].column, times), 3 + 3 * static_cast<int>(monomials_[m].dims.size()),
                        [&](const SymExpr& f) { return f + SymExpr(times) * monomials_[m].expr; });
        if (!candidates.empty()) return;
        for (const std::int64_t offset : {0, 1, 2, -1}) {
            const Column shifted = difference(v, monomials_[0].column, offset);
            for (const auto& factor : factors) {
                const auto y = quotient(shifted, factor.column);
                if (!y) continue;
                const auto wrap = [&](const SymExpr& f) { return f * factor.expr + offset; };
                const int cost = factor.cost + (offset == 0 ? 0 : 4);
                if (offset != 0) explain(*y, cost, wrap);
                if (factor.cost <= 6) two_floors(*y, cost, candidates, wrap);
            }
            if (!candidates.empty()) return;
        }
    }

    template <class Wrap>
    void extremes(const Column& y, std::size_t i, std::size_t j, int cost, Candidates& candidates,
                  const Wrap& wrap) const {
        bool larger = true;
        bool smaller = true;
        for (std::size_t p = 0; p < points_.size(); ++p) {
            const auto [low, high] = std::minmax(points_[p][varying_[i]], points_[p][varying_[j]]);
            smaller = smaller && y[p] == low;
            larger = larger && y[p] == high;
        }
        if (larger) keep(candidates, 7 + cost, [&] { return wrap(sym_max({symbol(i), symbol(j)})); });
        if (smaller) keep(candidates, 7 + cost, [&] { return wrap(sym_min({symbol(i), symbol(j)})); });
    }

    /// (s + c)//d * (t + e)//f * a, the number of patches of an image: try all of the first, solve for the second.
    template <class Wrap>
    void two_floors(const Column& y, int cost, Candidates& candidates, const Wrap& wrap) const {
        if (std::ranges::any_of(y, [](std::int64_t x) { return x < 0; })) return;
        std::vector<Column> columns;
        columns.reserve(varying_.size());
        for (std::size_t j = 0; j < varying_.size(); ++j) columns.push_back(column_of(j));
        Column rest;
        Column at;
        for (std::size_t i = 0; i < varying_.size(); ++i)
            for (std::int64_t d = 2; d <= 64; ++d)
                for (std::int64_t c = 1 - d; c < d; ++c) {
                    // Where the first is zero so is the product, and nothing is said of the second.
                    bool divides = true;
                    std::size_t known = 0;
                    for (std::size_t p = 0; p < y.size() && divides; ++p) {
                        const std::int64_t factor = detail::checked_floor_div(columns[i][p] + c, d);
                        divides = factor > 0 ? y[p] % factor == 0 : factor == 0 && y[p] == 0;
                        known += factor > 0 ? 1 : 0;
                    }
                    if (!divides || known < 3) continue;
                    const auto [low, high] = std::ranges::minmax(columns[i]);
                    const std::int64_t rise =
                        detail::checked_floor_div(high + c, d) - detail::checked_floor_div(low + c, d);
                    if (rise < (is_open(varying_[i]) ? 2 : 1)) continue;
                    const int first = cost + 4 + detail::divisor_cost(d) + (c == 0 ? 0 : c == d - 1 ? 1 : 3);
                    for (std::size_t j = i; j < varying_.size(); ++j) {
                        rest.clear();
                        at.clear();
                        for (std::size_t p = 0; p < y.size(); ++p) {
                            const std::int64_t factor = detail::checked_floor_div(columns[i][p] + c, d);
                            if (factor == 0) continue;
                            rest.push_back(y[p] / factor);
                            at.push_back(columns[j][p]);
                        }
                        const SymExpr other = symbol(j);
                        detail::CornerFamilies(at, rest, other, is_open(varying_[j]))
                            .only_floors([&](int found, const auto& build) {
                                keep(candidates, first + found,
                                     [&] { return wrap(floor_div(symbol(i) + c, d) * build()); });
                            });
                    }
                }
    }
    [[nodiscard]] Column column_of(std::size_t which) const {
        Column column;
        for (const auto& point : points_) column.push_back(point[varying_[which]]);
        return column;
    }

    static constexpr std::size_t max_candidates = 64;
    template <class Build>
    static void keep(Candidates& candidates, int cost, const Build& build) {
        const auto worst = std::ranges::max_element(candidates, {}, &detail::FitCandidate::cost);
        const bool full = candidates.size() == max_candidates;
        if (full && cost >= worst->cost) return;
        const SymExpr expr = build();
        const auto same = std::ranges::find(candidates, expr, &detail::FitCandidate::expr);
        if (same != candidates.end())
            same->cost = std::min(same->cost, cost);
        else if (full)
            *worst = {cost, expr};
        else
            candidates.push_back({cost, expr});
    }

    /// The simplest, unless another one differs from it somewhere; then the points that tell the most of them apart.
    [[nodiscard]] Fit choose(Candidates candidates, std::size_t parameters) const {
        std::ranges::stable_sort(candidates, {}, &detail::FitCandidate::cost);
        Fit fit = accept(candidates[0].expr, parameters);
        if (candidates.size() == 1 || fit.status == FitStatus::none) return fit;
        std::vector<Column> values(candidates.size());
        std::vector<ProbePoint> places;
        const auto compare_at = [&](const std::vector<ProbePoint>& more) {
            for (const auto& place : more) {
                SymBindings bindings;
                for (std::size_t d = 0; d < dims_.size(); ++d) bindings.set(dims_[d].name, place[d]);
                for (std::size_t c = 0; c < candidates.size(); ++c)
                    values[c].push_back(value_or_none(candidates[c].expr, bindings));
            }
            places.insert(places.end(), more.begin(), more.end());
        };
        const auto rivals = [&] {
            return std::ranges::count_if(values, [&](const Column& column) { return column != values[0]; });
        };
        compare_at(comparison_points());
        // With a crowd of rivals any point will do; the last few may differ only near their steps.
        if (rivals() <= 8) compare_at(critical_points(candidates));
        std::vector<std::size_t> alive;
        for (std::size_t c = 0; c < candidates.size(); ++c)
            if (c == 0 || values[c] != values[0]) alive.push_back(c);
        if (alive.size() == 1) return fit;
        if (points_.size() >= max_points) return {};
        fit.status = FitStatus::needs_more_points;
        std::vector<ProbePoint> splitting;
        // Where most of the others are wrong if the favourite is right. When that has gone on for a while, it is not: then the
        // second point is where the most are told apart.
        const bool doubtful = points_.size() > 10;
        while (alive.size() > 1 && splitting.size() < 3) {
            const std::size_t at =
                doubtful && splitting.size() == 1 ? best_split(values, alive) : best_refutation(values, alive);
            if (std::ranges::find(splitting, places[at]) != splitting.end()) break;
            splitting.push_back(places[at]);
            if (splitting.size() != 2)
                std::erase_if(alive, [&](std::size_t c) { return values[c][at] != values[0][at]; });
        }
        for (auto& point : fit.more)
            if (splitting.size() < fit.more.size() && std::ranges::find(splitting, point) == splitting.end())
                splitting.push_back(std::move(point));
        fit.more = std::move(splitting);
        return fit;
    }
    /// Where most of the living differ from the first.
    static std::size_t best_refutation(const std::vector<Column>& values, const std::vector<std::size_t>& alive) {
        std::size_t best = 0;
        std::ptrdiff_t most = -1;
        for (std::size_t p = 0; p < values[0].size(); ++p) {
            const auto differs = [&](std::size_t c) { return values[c][p] != values[0][p]; };
            if (const auto wrong = std::ranges::count_if(alive, differs); wrong > most) {
                most = wrong;
                best = p;
            }
        }
        return best;
    }
    /// Where the fewest would be left in the worst case.
    static std::size_t best_split(const std::vector<Column>& values, const std::vector<std::size_t>& alive) {
        std::size_t best = 0;
        std::size_t least = alive.size() + 1;
        Column seen;
        for (std::size_t p = 0; p < values[0].size(); ++p) {
            seen.clear();
            for (const std::size_t c : alive) seen.push_back(values[c][p]);
            std::ranges::sort(seen);
            std::size_t largest = 0;
            for (auto at = seen.begin(); at != seen.end();) {
                const auto next = std::upper_bound(at, seen.end(), *at);
                largest = std::max(largest, static_cast<std::size_t>(next - at));
                at = next;
            }
            if (largest < least) {
                least = largest;
                best = p;
            }
        }
        return best;
    }
    [[nodiscard]] std::vector<ProbePoint> critical_points(const Candidates& candidates) const {
        std::vector<ProbePoint> result;
        for (const std::size_t d : varying_) {
            std::vector<std::int64_t> sizes;
            for (const auto& candidate : candidates)
                detail::critical_sizes(candidate.expr, dims_[d].name, probe_domain(dims_[d]), sizes);
            std::ranges::sort(sizes);
            sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
            // The other dimensions as large as can be, so that no factor is zero there.
            ProbePoint base;
            for (const auto& dim : dims_)
                base.push_back(probe_domain(dim).max - 1 > probe_domain(dim).min ? probe_domain(dim).max - 1
                                                                                 : probe_domain(dim).max);
            for (const std::int64_t size : sizes) {
                result.push_back(base);
                result.back()[d] = size;
            }
        }
        return result;
    }
    static std::int64_t value_or_none(const SymExpr& expr, const SymBindings& bindings) {
        try {
            return evaluate(expr, bindings);
        } catch (const Error&) {
            return std::numeric_limits<std::int64_t>::min();  // too large to be a size
        }
    }

    [[nodiscard]] const std::vector<ProbePoint>& comparison_points() const {
        if (!comparison_points_.empty()) return comparison_points_;
        detail::ProbeRandom random{99};
        const auto anywhere = [&] {
            ProbePoint point;
            for (const auto& dim : dims_) point.push_back(random.within(probe_domain(dim)));
            return point;
        };
        for (int i = 0; i < 32; ++i) comparison_points_.push_back(anywhere());
        for (const std::size_t d : varying_) {
            const ValueRange domain = probe_domain(dims_[d]);
            const ProbePoint base = anywhere();
            for (std::int64_t i = 0; i < 64 && i <= domain.max - domain.min; ++i) {
                comparison_points_.push_back(base);
                comparison_points_.back()[d] = domain.min + i;
            }
        }
        return comparison_points_;
    }

    static constexpr std::int64_t fit_coefficient = std::int64_t{1} << 40;

    std::vector<ProbeDim> dims_;
    std::vector<ProbePoint> points_;
    std::vector<std::size_t> varying_;
    std::vector<Monomial> monomials_;
    std::size_t squares_end_ = 0;  // of the monomials of degree two or less
    std::vector<Basis> bases_;
    std::size_t largest_basis_ = 0;
    std::vector<ProbePoint> weak_;  // what the points lack for any answer to be trusted
    std::unordered_map<Column, Fit, Hash> memo_;
    Column key_;
    mutable std::vector<ProbePoint> comparison_points_;
};

}  // namespace ferry
