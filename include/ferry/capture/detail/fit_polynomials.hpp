#pragma once

#include <ferry/capture/detail/fit_space.hpp>
#include <ferry/capture/detail/prime_field.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/sym_poly.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ferry::detail {

/// Polynomials through the observed numbers: a product, two products, and dense ones of few dimensions.
class FitPolynomials {
public:
    explicit FitPolynomials(const FitSpace& space) { build_bases(space); }

    /// Parameters of the largest family, whether or not there are points enough for it.
    [[nodiscard]] std::size_t largest_basis() const noexcept { return largest_basis_; }

    /// A number times a product; hardly ever more than one.
    static void single_products(const FitSpace& space, const Column& v, Candidates& candidates) {
        for (std::size_t m = 1; m < space.monomials.size(); ++m) {
            const auto& [dims, column, expr] = space.monomials[m];
            if (column[0] == 0 || v[0] % column[0] != 0) continue;
            const std::int64_t a = v[0] / column[0];
            if (a != 0 && is_sum(v, a, column, 0, column))
                candidates.push_back({static_cast<int>(dims.size()), 1, SymExpr(a) * expr});
        }
    }

    /// Every pair of monomials, each solved at two points and tried on the others.
    static void two_terms(const FitSpace& space, const Column& v, Candidates& candidates) {
        if (v.size() < 3) return;
        const std::size_t last = v.size() - 1;
        for (std::size_t m = 1; m < space.monomials.size(); ++m) {
            const Column& x = space.monomials[m].column;
            for (std::size_t n = 0; n < m; ++n) {
                const Column& y = space.monomials[n].column;
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
                const auto degree = static_cast<int>(space.monomials[m].dims.size() + space.monomials[n].dims.size());
                candidates.push_back({2 + degree, 2,
                                      SymExpr(static_cast<std::int64_t>(a)) * space.monomials[m].expr +
                                          SymExpr(static_cast<std::int64_t>(b)) * space.monomials[n].expr});
            }
        }
    }

    void dense(const FitSpace& space, const Column& v, Candidates& candidates) const {
        std::vector<std::uint64_t> solution;
        for (const auto& basis : bases_) {
            const std::size_t size = basis.monomials.size();
            if (!candidates.empty() && basis.cost > candidates.front().cost) return;
            solution.assign(size, 0);
            for (std::size_t r = 0; r < size; ++r)
                for (std::size_t c = 0; c < size; ++c)
                    solution[r] = PrimeField::add(
                        solution[r],
                        PrimeField::mul(basis.inverse.inverse[r][c], PrimeField::from(v[basis.inverse.rows[c]])));
            for (const std::int64_t under : {1, 2, 3, 4, 6, 8, 12, 16, 24})
                if (const auto expr = polynomial(space, v, basis, solution, under)) {
                    candidates.push_back({basis.cost, size, *expr});
                    break;
                }
        }
    }

private:
    __extension__ using Wide = __int128;
    static constexpr std::int64_t fit_coefficient = std::int64_t{1} << 40;

    struct Basis {
        std::vector<std::size_t> monomials;
        BasisInverse inverse;
        int cost = 0;
    };

    static bool is_sum(const Column& v, std::int64_t a, const Column& x, std::int64_t b, const Column& y) {
        for (std::size_t i = 0; i < v.size(); ++i)
            if (Wide{a} * x[i] + Wide{b} * y[i] != v[i]) return false;
        return true;
    }

    [[nodiscard]] static std::optional<SymExpr> polynomial(const FitSpace& space, const Column& v, const Basis& basis,
                                                           const std::vector<std::uint64_t>& solution,
                                                           std::int64_t under) {
        std::vector<std::int64_t> coefficients;
        for (const std::uint64_t x : solution) {
            const std::int64_t c = PrimeField::to_signed(PrimeField::mul(x, static_cast<std::uint64_t>(under)));
            if (c > fit_coefficient || c < -fit_coefficient) return std::nullopt;
            coefficients.push_back(c);
        }
        for (std::size_t i = 0; i < v.size(); ++i) {
            Wide total = 0;
            for (std::size_t t = 0; t < coefficients.size(); ++t)
                total += Wide{coefficients[t]} * space.monomials[basis.monomials[t]].column[i];
            if (total != Wide{v[i]} * under) return std::nullopt;
        }
        std::vector<SymExpr> parts;
        parts.reserve(coefficients.size());
        for (std::size_t t = 0; t < coefficients.size(); ++t)
            parts.push_back(SymExpr(coefficients[t]) * space.monomials[basis.monomials[t]].expr);
        SymExpr over = sym_sum(parts);
        if (under == 1) return over;
        return always_divides(over, under) ? std::optional(floor_div(over, under)) : std::nullopt;
    }

    void add_basis(const FitSpace& space, const std::vector<std::vector<std::size_t>>& products) {
        Basis basis;
        std::vector<const Column*> columns;
        for (auto product : products) {
            algo::sort(product);
            const auto at = algo::find(space.monomials, product, &FitSpace::Monomial::dims);
            if (at == space.monomials.end()) return;
            basis.monomials.push_back(static_cast<std::size_t>(at - space.monomials.begin()));
            columns.push_back(&at->column);
        }
        largest_basis_ = std::max(largest_basis_, products.size());
        auto inverse = BasisInverse::of(columns);
        if (!inverse || products.size() + 1 > space.points.size()) return;
        basis.inverse = std::move(*inverse);
        basis.cost = 6 + static_cast<int>(products.size());
        bases_.push_back(std::move(basis));
    }

    void build_bases(const FitSpace& space) {
        const auto& v = space.varying;
        if (v.size() > 8) {
            affine_basis(space);
            return;
        }
        for (const std::size_t a : v) {
            add_basis(space, {{}, {a}, {a, a}});
            add_basis(space, {{}, {a}, {a, a}, {a, a, a}});
        }
        affine_basis(space);
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i + 1; j < v.size(); ++j) {
                const std::size_t a = v[i];
                const std::size_t b = v[j];
                add_basis(space, {{}, {a}, {b}, {a, b}});
                add_basis(space, {{}, {a}, {b}, {a, b}, {a, a}, {b, b}});
                for (std::size_t k = j + 1; k < v.size(); ++k) {
                    const std::size_t c = v[k];
                    add_basis(space, {{}, {a}, {b}, {c}, {a, b}, {a, c}, {b, c}, {a, b, c}});
                }
            }
        algo::stable_sort(bases_, {}, [](const Basis& basis) { return basis.monomials.size(); });
    }
    void affine_basis(const FitSpace& space) {
        std::vector<std::vector<std::size_t>> products{{}};
        for (const std::size_t a : space.varying) products.push_back({a});
        if (space.varying.size() > 1) add_basis(space, products);
    }

    std::vector<Basis> bases_;
    std::size_t largest_basis_ = 0;
};

}  // namespace ferry::detail
