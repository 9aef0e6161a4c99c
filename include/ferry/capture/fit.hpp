#pragma once

#include <ferry/capture/detail/fit_polynomials.hpp>
#include <ferry/capture/detail/fit_reals.hpp>
#include <ferry/capture/detail/fit_rivals.hpp>
#include <ferry/capture/detail/fit_space.hpp>
#include <ferry/capture/detail/fit_steps.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

enum class FitStatus {
    found,              ///< `expr` is the answer
    needs_more_points,  ///< capture at `more` too, then fit again
    none,               ///< no expression of the families gives these numbers, or too many still do at `max_points`
};

struct Fit {
    FitStatus status = FitStatus::none;
    SymExpr expr{};
    std::vector<ProbePoint> more{};
};

/// Finds the expression behind an integer that was observed at each probe point.
///
/// Families, from the simplest: a constant; c*m for a product m of up to four dimensions; a*m + b*m'; polynomials affine in
/// all dimensions, multilinear in two or three, of degree up to three in one or up to two in two (with rational coefficients
/// if the value is always whole, as in s*(s + 1)//2); and the steps and corners of one variable x, times a product of
/// dimensions or plus one: a*((n*x + c)//d) + b (any chain of convolutions and poolings is one of these), a*((x + c) % d) + b
/// and the same of -x, a*max(x, c) + b, a*min(x, c) + b; products of two floors; the larger or smaller of two dimensions.
/// x is a dimension, a product of two, or a sum or difference of two; n is up to 8, d up to 1024 (4096 for remainders). Last, one
/// floor that ends at a number, max(c, f) or min(c, f). With more than four dimensions, products and sums of two stand alone.
///
/// `found` means:
/// - the expression gives every observed number, and there are at least two points more than it has parameters (a step has
///   five, two have six), so two points at least confirm what the others suggest;
/// - no other expression that fits, among the 64 simplest of its family, differs from it on the sizes compared: a sweep of 64
///   sizes of each dimension, 32 random points of the domains (see probe_domain), and the sizes next to the steps and
///   corners of each of them. Families before its own fit nothing; those after it are not tried, but the points have
///   the ends of each domain and sizes without a common step, where steps and corners show;
/// - in a range without end at least two steps were seen.
/// Not excluded are functions of other families that agree at all points, and what happens outside the domains (at 0 and 1, and
/// beyond the probed end of a range that has none).
class Fitter {
public:
    static constexpr std::size_t max_points = 32;  ///< past this a number that still has rivals is given up

    /// `known` are expressions that somebody has found already: one that gives all numbers is taken before any step or corner.
    Fitter(std::vector<ProbeDim> dims, std::vector<ProbePoint> points, std::span<const SymExpr> known = {})
        : space_(std::move(dims), std::move(points)), polynomials_(space_) {
        add_known(known);
        if (!detail::separates(space_.points, space_.dims)) weak_ = missing_points();
    }

    [[nodiscard]] const std::vector<ProbePoint>& points() const noexcept { return space_.points; }

    /// `observed` has a number for each point. Equal vectors are fitted once.
    const Fit& fit(std::span<const std::int64_t> observed) {
        if (observed.size() != space_.points.size())
            throw Error(ErrorKind::internal, "observed values and probe points differ in number");
        key_.assign(observed.begin(), observed.end());
        const auto at = memo_.find(key_);
        if (at != memo_.end()) return at->second;
        return memo_.emplace(key_, find(key_)).first->second;
    }

    /// The same for numbers that are no integers, and so are computed from one: a dimension, or something that the fits so far have
    /// found. Nothing if no function of these gives them.
    [[nodiscard]] std::optional<RealFit> fit(std::span<const double> observed) const {
        std::vector<detail::RealCandidate> candidates;
        const auto add = [&](const Column& column, const SymExpr& expr) {
            for (const std::int64_t by : {0, -1, 1}) {
                Column moved = column;
                for (std::int64_t& each : moved) each += by;
                candidates.push_back({std::move(moved), expr + SymExpr(by)});
            }
        };
        for (std::size_t m = 0; m < space_.squares_end; ++m) add(space_.monomials[m].column, space_.monomials[m].expr);
        std::vector<std::pair<SymExpr, const Column*>> found;
        for (const auto& [column, fit] : memo_)
            if (fit.status == FitStatus::found && !fit.expr.is_constant()) found.emplace_back(fit.expr, &column);
        std::ranges::sort(found, {}, &std::pair<SymExpr, const Column*>::first);
        for (const auto& [expr, column] : found) add(*column, expr);
        return fit_reals(candidates, observed);
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
    using Candidates = detail::Candidates;

    struct Hash {
        std::size_t operator()(const Column& column) const noexcept {
            std::uint64_t hash = 0;
            for (const std::int64_t x : column)
                hash = (hash ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL ^ (hash >> 29);
            return static_cast<std::size_t>(hash);
        }
    };

    void add_known(std::span<const SymExpr> known) {
        for (const SymExpr& expr : known) {
            const bool is_ours = std::ranges::all_of(free_symbols(expr), [&](const std::string& symbol) {
                return std::ranges::find(space_.dims, symbol, &ProbeDim::name) != space_.dims.end();
            });
            if (!is_ours) continue;
            Column column;
            column.reserve(space_.points.size());
            try {
                for (const auto& point : space_.points) {
                    SymBindings sizes;
                    for (std::size_t i = 0; i < point.size(); ++i) sizes.set(space_.dims[i].name, point[i]);
                    column.push_back(evaluate(expr, sizes));
                }
            } catch (const Error&) {
                continue;  // not at all of these points
            }
            known_.emplace(std::move(column), expr);
        }
    }

    [[nodiscard]] std::vector<ProbePoint> missing_points() const {
        std::vector<ProbePoint> missing;
        auto tried = space_.points;
        for (const auto& point : choose_probe_points(space_.dims)) {
            if (std::ranges::find(tried, point) != tried.end()) continue;
            tried.push_back(point);
            missing.push_back(point);
        }
        // Points that came from elsewhere may lack what no further points of the usual kind add.
        if (missing.empty()) missing = more_probe_points(space_.dims, space_.points, 2);
        return missing;
    }

    [[nodiscard]] Fit accept(SymExpr expr, std::size_t parameters) const {
        if (!weak_.empty()) return {FitStatus::needs_more_points, std::move(expr), weak_};
        const std::size_t wanted = parameters + 2;
        if (space_.points.size() >= wanted || all_points_taken()) return {FitStatus::found, std::move(expr), {}};
        return {FitStatus::needs_more_points, std::move(expr),
                more_probe_points(space_.dims, space_.points, wanted - space_.points.size())};
    }
    /// Nothing is left to be wrong about when every point of the domain has been seen.
    [[nodiscard]] bool all_points_taken() const {
        double combinations = 1;
        for (const auto& dim : space_.dims) {
            const ValueRange domain = probe_domain(dim);
            combinations *= static_cast<double>(domain.max - domain.min) + 1;
        }
        if (combinations > static_cast<double>(space_.points.size())) return false;
        auto distinct = space_.points;
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        return static_cast<double>(distinct.size()) >= combinations;
    }

    [[nodiscard]] Fit find(const Column& v) const {
        if (std::ranges::all_of(v, [&](std::int64_t x) { return x == v[0]; })) return accept(v[0], 1);
        Candidates candidates;
        detail::FitPolynomials::single_products(space_, v, candidates);
        if (candidates.empty()) detail::FitPolynomials::two_terms(space_, v, candidates);
        if (candidates.empty()) polynomials_.dense(space_, v, candidates);
        if (const auto known = known_.find(v); candidates.empty() && known != known_.end())
            return accept(known->second, known_parameters);
        if (candidates.empty()) detail::FitSteps(space_, candidates).find(v);
        if (!candidates.empty()) return choose(std::move(candidates));
        if (auto made = of_two_found(v)) return *std::move(made);
        if (auto made = remainder_of_found(v)) return *std::move(made);
        // The larger polynomials could not be tried yet.
        if (space_.points.size() < std::min(polynomials_.largest_basis() + 2, max_points))
            return {FitStatus::needs_more_points,
                    {},
                    more_probe_points(space_.dims, space_.points,
                                      std::min(polynomials_.largest_basis() + 2, max_points) - space_.points.size())};
        return {};
    }

    /// An expression over others, which is no surer than these.
    [[nodiscard]] Fit accept_made_of(SymExpr expr, std::initializer_list<const Fit*> parts) const {
        Fit made = accept(std::move(expr), known_parameters);
        for (const Fit* part : parts)
            if (part->status == FitStatus::needs_more_points)
                made.status = part->status, made.more.insert(made.more.end(), part->more.begin(), part->more.end());
        return made;
    }

    /// As the product or the sum of two numbers that were met before: what code computes from sizes it computes step by step.
    [[nodiscard]] std::optional<Fit> of_two_found(const Column& v) const {
        const std::pair<const Column, Fit>*first = nullptr, *second = nullptr;
        bool is_product = false;
        Column rest(v.size());
        const auto is_rest_found = [&](const std::pair<const Column, Fit>& one, bool divide) {
            for (std::size_t i = 0; i < v.size(); ++i) {
                if (divide && (one.first[i] == 0 || v[i] % one.first[i] != 0)) return false;
                rest[i] = divide ? v[i] / one.first[i] : v[i] - one.first[i];
            }
            const auto other = memo_.find(rest);
            if (other == memo_.end() || other->second.status == FitStatus::none) return false;
            const bool is_better = first == nullptr || (divide && !is_product) ||
                                   (divide == is_product && one.second.expr < first->second.expr);
            if (is_better) first = &one, second = &*other, is_product = divide;
            return true;
        };
        for (const auto& one : memo_)
            if (one.second.status != FitStatus::none && !is_rest_found(one, true))
                static_cast<void>(is_rest_found(one, false));
        if (first == nullptr) return std::nullopt;
        const SymExpr &a = first->second.expr, &b = second->second.expr;
        return accept_made_of(is_product ? a * b : a + b, {&first->second, &second->second});
    }

    /// What is left of a number that was met before, or what it lacks, to the next multiple of something: code that pads.
    [[nodiscard]] std::optional<Fit> remainder_of_found(const Column& v) const {
        const auto [least, most] = std::ranges::minmax(v);
        if (least < 0) return std::nullopt;
        std::optional<Fit> made;
        const SymExpr* of = nullptr;
        for (const auto& [column, fit] : memo_) {
            if (fit.status == FitStatus::none) continue;
            for (const bool lacks : {true, false}) {
                std::int64_t step = 0;
                for (std::size_t i = 0; i < v.size(); ++i)
                    step = std::gcd(step, lacks ? column[i] + v[i] : column[i] - v[i]);
                if (step <= most || (of != nullptr && !(fit.expr < *of))) continue;
                of = &fit.expr;
                const SymExpr below = floor_div(lacks ? fit.expr + SymExpr(step - 1) : fit.expr, SymExpr(step));
                made =
                    accept_made_of(lacks ? below * SymExpr(step) - fit.expr : fit.expr - below * SymExpr(step), {&fit});
            }
        }
        return made;
    }

    /// The simplest, unless another one differs from it somewhere; then the points that tell the most of them apart.
    [[nodiscard]] Fit choose(Candidates candidates) const {
        std::ranges::stable_sort(candidates, {}, &detail::FitCandidate::cost);
        Fit fit = accept(candidates[0].expr, candidates[0].parameters);
        if (candidates.size() == 1) return fit;
        auto splitting = detail::FitRivals(space_).points_apart(candidates);
        if (splitting.empty()) return fit;
        if (space_.points.size() >= max_points) return {};
        fit.status = FitStatus::needs_more_points;
        for (auto& point : fit.more)
            if (splitting.size() < fit.more.size() && std::ranges::find(splitting, point) == splitting.end())
                splitting.push_back(std::move(point));
        fit.more = std::move(splitting);
        return fit;
    }

    detail::FitSpace space_;
    detail::FitPolynomials polynomials_;
    std::vector<ProbePoint> weak_;  // what the points lack for any answer to be trusted
    static constexpr std::size_t known_parameters = 3;
    std::unordered_map<Column, SymExpr, Hash> known_;
    std::unordered_map<Column, Fit, Hash> memo_;
    Column key_;
};

}  // namespace ferry
