#pragma once

#include <ferry/capture/detail/fit_families.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ferry::detail {

using Candidates = std::vector<FitCandidate>;

inline constexpr std::size_t max_candidates = 64;
template <class Build>
void keep(Candidates& candidates, int cost, std::size_t parameters, const Build& build) {
    const auto worst = algo::max_element(candidates, {}, &FitCandidate::cost);
    const bool full = candidates.size() == max_candidates;
    if (full && cost >= worst->cost) return;
    const SymExpr expr = build();
    const auto same = algo::find(candidates, expr, &FitCandidate::expr);
    if (same != candidates.end())
        same->cost = std::min(same->cost, cost);
    else if (full)
        *worst = {cost, parameters, expr};
    else
        candidates.push_back({cost, parameters, expr});
}

/// The probe points, and the products of dimensions at each of them.
struct FitSpace {
    struct Monomial {
        std::vector<std::size_t> dims;  // with repetition
        Column column;
        SymExpr expr;
    };
    FitSpace(std::vector<ProbeDim> all_dims, std::vector<ProbePoint> all_points)
        : dims(std::move(all_dims)), points(std::move(all_points)) {
        if (points.empty()) throw Error(ErrorKind::internal, "no probe points to fit an expression to");
        for (const auto& point : points)
            if (point.size() != dims.size())
                throw Error(ErrorKind::internal, "a probe point without a size for each dimension");
        build_monomials();
    }

    [[nodiscard]] SymExpr symbol(std::size_t which) const { return SymExpr::symbol(dims[varying[which]].name); }

    [[nodiscard]] Column column_of(std::size_t which) const {
        Column column;
        for (const auto& point : points) column.push_back(point[varying[which]]);
        return column;
    }

    /// Whether the range goes on where the domain ends.
    [[nodiscard]] bool is_open(std::size_t d) const { return dims[d].range.max != probe_domain(dims[d]).max; }

    std::vector<ProbeDim> dims;
    std::vector<ProbePoint> points;
    std::vector<std::size_t> varying;
    std::vector<Monomial> monomials;
    std::size_t squares_end = 0;  // of the monomials of degree two or less

private:
    void add_monomial(std::vector<std::size_t> product) {
        Monomial monomial{std::move(product), Column(points.size(), 1), 1};
        for (const std::size_t d : monomial.dims) {
            for (std::size_t i = 0; i < points.size(); ++i)
                if (__builtin_mul_overflow(monomial.column[i], points[i][d], &monomial.column[i])) return;
            monomial.expr = monomial.expr * SymExpr::symbol(dims[d].name);
        }
        monomials.push_back(std::move(monomial));
    }

    void build_monomials() {
        for (std::size_t d = 0; d < dims.size(); ++d) {
            const ValueRange domain = probe_domain(dims[d]);
            if (domain.min < domain.max) varying.push_back(d);
        }
        const auto& v = varying;
        add_monomial({});
        for (const std::size_t a : v) add_monomial({a});
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i + 1; j < v.size(); ++j) add_monomial({v[i], v[j]});
        for (const std::size_t a : v) add_monomial({a, a});
        squares_end = monomials.size();
        if (v.size() > 8) return;
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i; j < v.size(); ++j)
                for (std::size_t k = j; k < v.size(); ++k) {
                    add_monomial({v[i], v[j], v[k]});
                    for (std::size_t l = k + 1; l < v.size() && i < j && j < k; ++l)
                        add_monomial({v[i], v[j], v[k], v[l]});
                }
    }
};

}  // namespace ferry::detail
