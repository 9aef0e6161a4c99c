#pragma once

#include <ferry/capture/detail/fit_met.hpp>
#include <ferry/capture/detail/fit_polynomials.hpp>
#include <ferry/capture/detail/fit_reals.hpp>
#include <ferry/capture/detail/fit_rivals.hpp>
#include <ferry/capture/detail/fit_space.hpp>
#include <ferry/capture/detail/fit_steps.hpp>
#include <ferry/capture/fit_result.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

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
///   five, one of two dimensions ten, two have six), so two points at least confirm what the others suggest;
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
        if (weak_.empty()) weak_ = points_of_known();
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
        algo::sort(found, {}, &std::pair<SymExpr, const Column*>::first);
        for (const auto& [expr, column] : found) add(*column, expr);
        return fit_reals(candidates, observed);
    }

    /// What the fits so far ask for, each point once, those that most ask for first.
    [[nodiscard]] std::vector<ProbePoint> wanted_points(std::size_t limit = 4) const {
        std::vector<std::pair<std::size_t, ProbePoint>> votes;
        for (const auto& [observed, result] : memo_)
            for (const auto& point : result.more) {
                const auto at = algo::find(votes, point, &std::pair<std::size_t, ProbePoint>::second);
                if (at == votes.end())
                    votes.emplace_back(1, point);
                else
                    ++at->first;
            }
        algo::sort(votes, [](const auto& a, const auto& b) {
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

    void add_known(std::span<const SymExpr> known) {
        for (const SymExpr& expr : known) {
            const bool is_ours = algo::all_of(free_symbols(expr), [&](const std::string& symbol) {
                return algo::contains(space_.dims, symbol, &ProbeDim::name);
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
            Candidates& alike = known_alike_[column];
            const bool looks_constant = algo::all_of(column, [&](std::int64_t x) { return x == column[0]; });
            if (alike.empty() && looks_constant) alike.push_back({0, 1, column[0]});
            if (!algo::contains(alike, expr, &detail::FitCandidate::expr))
                alike.push_back({static_cast<int>(alike.size()), known_parameters, expr});
            known_.emplace(std::move(column), Fit{FitStatus::found, expr, {}});
        }
    }

    /// Where numbers differ that are known to be different, and are the same at all points so far.
    [[nodiscard]] std::vector<ProbePoint> points_of_known() const {
        std::vector<ProbePoint> found;
        const detail::FitRivals rivals(space_);
        for (const auto& [column, alike] : known_alike_) {
            if (alike.size() < 2) continue;
            for (ProbePoint& point : rivals.points_apart(alike))
                if (!algo::contains(found, point)) found.push_back(std::move(point));
        }
        return found;
    }

    [[nodiscard]] std::vector<ProbePoint> missing_points() const {
        std::vector<ProbePoint> missing;
        auto tried = space_.points;
        for (const auto& point : choose_probe_points(space_.dims)) {
            if (algo::contains(tried, point)) continue;
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
        algo::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        return static_cast<double>(distinct.size()) >= combinations;
    }

    [[nodiscard]] Fit find(const Column& v) const {
        if (algo::all_of(v, [&](std::int64_t x) { return x == v[0]; })) return accept(v[0], 1);
        Candidates candidates;
        detail::FitPolynomials::single_products(space_, v, candidates);
        if (candidates.empty()) detail::FitPolynomials::two_terms(space_, v, candidates);
        if (candidates.empty()) polynomials_.dense(space_, v, candidates);
        if (const auto known = known_.find(v); candidates.empty() && known != known_.end())
            return accept(known->second.expr, known_parameters);
        if (!candidates.empty()) return choose(std::move(candidates));
        detail::FitSteps(space_, candidates).find(v);
        auto made = detail::FitMet(memo_, known_).find(v);
        if (made && !candidates.empty()) candidates.push_back({rival_cost, known_parameters, made->expr});
        if (!candidates.empty()) return choose(std::move(candidates));
        if (made) return accept_made_of(std::move(*made));
        // The larger polynomials could not be tried yet.
        if (space_.points.size() < std::min(polynomials_.largest_basis() + 2, max_points))
            return {FitStatus::needs_more_points,
                    {},
                    more_probe_points(space_.dims, space_.points,
                                      std::min(polynomials_.largest_basis() + 2, max_points) - space_.points.size())};
        return {};
    }

    /// An expression over others, which is no surer than these.
    [[nodiscard]] Fit accept_made_of(detail::FitMet::Made parts) const {
        Fit made = accept(std::move(parts.expr), known_parameters);
        for (const Fit* part : parts.of)
            if (part->status == FitStatus::needs_more_points)
                made.status = part->status, made.more.insert(made.more.end(), part->more.begin(), part->more.end());
        return made;
    }

    /// The simplest, unless another one differs from it somewhere; then the points that tell the most of them apart.
    [[nodiscard]] Fit choose(Candidates candidates) const {
        algo::stable_sort(candidates, {}, &detail::FitCandidate::cost);
        Fit fit = accept(candidates[0].expr, candidates[0].parameters);
        if (candidates.size() == 1) return fit;
        auto splitting = detail::FitRivals(space_).points_apart(candidates);
        if (splitting.empty()) return fit;
        if (space_.points.size() >= max_points) return {};
        fit.status = FitStatus::needs_more_points;
        for (auto& point : fit.more)
            if (splitting.size() < fit.more.size() && !algo::contains(splitting, point))
                splitting.push_back(std::move(point));
        fit.more = std::move(splitting);
        return fit;
    }

    detail::FitSpace space_;
    detail::FitPolynomials polynomials_;
    std::unordered_map<Column, Candidates, detail::ColumnHash> known_alike_;  // by what they are at the points
    std::vector<ProbePoint> weak_;  // what the points lack for any answer to be trusted
    static constexpr std::size_t known_parameters = 3;
    static constexpr int rival_cost = 1000;  // after all others
    detail::FitsByColumn known_;  // from elsewhere
    detail::FitsByColumn memo_;
    Column key_;
};

}  // namespace ferry
