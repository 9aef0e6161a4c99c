#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ferry::detail {

/// A sum taken apart, while it is being worked on.
struct SymPoly {
    std::vector<SymTerm> terms;
    std::int64_t constant = 0;

    SymPoly() = default;
    explicit SymPoly(const SymExpr& a) { add(a); }

    void add(const SymExpr& a, std::int64_t scale = 1) {
        if (scale == 0) return;
        if (a.is_constant() || a.op() == SymOp::sum) constant = checked_add(constant, checked_mul(scale, a.value()));
        if (a.is_constant()) return;
        if (a.op() != SymOp::sum) {
            terms.push_back({scale, {{a, 1}}});
            return;
        }
        for (const auto& term : a.terms()) terms.push_back({checked_mul(scale, term.coefficient), term.factors});
    }
};

inline SymExpr from_poly(SymPoly&& poly) {
    auto& terms = poly.terms;
    algo::sort(terms, [](const SymTerm& a, const SymTerm& b) { return compare_products(a.factors, b.factors) < 0; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size();) {
        SymTerm term = std::move(terms[i]);
        for (++i; i < terms.size() && compare_products(term.factors, terms[i].factors) == 0; ++i)
            term.coefficient = checked_add(term.coefficient, terms[i].coefficient);
        if (term.coefficient != 0) terms[kept++] = std::move(term);
    }
    terms.resize(kept);
    if (terms.empty()) return poly.constant;
    if (kept == 1 && poly.constant == 0 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
        terms[0].factors[0].exponent == 1)
        return terms[0].factors[0].base;
    SymNode node{.op = SymOp::sum, .constant = poly.constant};
    node.terms = std::move(terms);
    return sym_access::make(std::move(node));
}

inline std::vector<SymFactor> multiply(const std::vector<SymFactor>& a, const std::vector<SymFactor>& b) {
    std::vector<SymFactor> product;
    product.reserve(a.size() + b.size());
    std::int32_t degree = 0;
    auto left = a.begin();
    auto right = b.begin();
    while (left != a.end() || right != b.end()) {
        const auto order = left == a.end()    ? std::strong_ordering::greater
                           : right == b.end() ? std::strong_ordering::less
                                              : left->base <=> right->base;
        SymFactor factor = order <= 0 ? *left : *right;
        if (order == 0) factor.exponent += right->exponent;
        left += order <= 0 ? 1 : 0;
        right += order >= 0 ? 1 : 0;
        degree += factor.exponent;
        if (degree > SymExpr::max_degree) sym_too_large();
        product.push_back(std::move(factor));
    }
    return product;
}

/// What the divisor's product has in common with every term of the dividend, and both without it.
inline bool cancel_common_factors(SymPoly& dividend, SymTerm& divisor) {
    if (dividend.constant != 0 || dividend.terms.empty()) return false;
    bool changed = false;
    for (auto factor = divisor.factors.begin(); factor != divisor.factors.end();) {
        std::int32_t common = factor->exponent;
        for (const auto& term : dividend.terms) {
            const auto at = algo::find(term.factors, factor->base, &SymFactor::base);
            common = std::min(common, at == term.factors.end() ? 0 : at->exponent);
        }
        if (common > 0) {
            changed = true;
            for (auto& term : dividend.terms) {
                const auto at = algo::find(term.factors, factor->base, &SymFactor::base);
                at->exponent -= common;
                if (at->exponent == 0) term.factors.erase(at);
            }
            factor->exponent -= common;
        }
        factor = factor->exponent == 0 ? divisor.factors.erase(factor) : factor + 1;
    }
    // A term that lost all its factors is a number.
    for (auto term = dividend.terms.begin(); term != dividend.terms.end();) {
        if (!term->factors.empty()) {
            ++term;
            continue;
        }
        dividend.constant = checked_add(dividend.constant, term->coefficient);
        term = dividend.terms.erase(term);
    }
    return changed;
}

inline std::int64_t content(const SymPoly& poly, std::int64_t start) {
    for (const auto& term : poly.terms) {
        if (term.coefficient == std::numeric_limits<std::int64_t>::min()) return 1;
        start = std::gcd(start, term.coefficient);
    }
    return start;
}

inline bool lacks_int64_min(const SymExpr& a) { return !a.is_constant(std::numeric_limits<std::int64_t>::min()); }

/// a = quotient * b + remainder for sums with b > 0, coefficient by coefficient.
inline std::pair<SymExpr, SymPoly> split_multiples(const SymExpr& a, std::int64_t b) {
    SymPoly multiples;
    SymPoly rest(a);
    const auto split = [b](std::int64_t& number) {
        const std::int64_t quotient = checked_floor_div(number, b);
        number = checked_mod(number, b);
        return quotient;
    };
    multiples.constant = split(rest.constant);
    for (auto& term : rest.terms)
        if (const std::int64_t quotient = split(term.coefficient); quotient != 0)
            multiples.terms.push_back({quotient, term.factors});
    std::erase_if(rest.terms, [](const SymTerm& term) { return term.coefficient == 0; });
    return {from_poly(std::move(multiples)), std::move(rest)};
}

inline bool is_single(const SymPoly& poly, SymOp op) {
    return poly.terms.size() == 1 && poly.terms[0].coefficient == 1 && poly.terms[0].factors.size() == 1 &&
           poly.terms[0].factors[0].exponent == 1 && poly.terms[0].factors[0].base.op() == op;
}

/// Whether a/d is an integer for all integers in the place of a's atoms: only residues modulo d matter.
inline bool always_divides(const SymExpr& a, std::int64_t d) {
    SymPoly poly(a);
    std::vector<SymExpr> atoms;
    for (const auto& term : poly.terms)
        for (const auto& factor : term.factors)
            if (!algo::contains(atoms, factor.base)) atoms.push_back(factor.base);
    std::int64_t cases = 1;
    for (std::size_t i = 0; i < atoms.size(); ++i)
        if (cases *= d; cases > 4096 || d > 4096) return false;
    const auto residue = [d](std::int64_t x, std::int64_t y) {
        return checked_mod(checked_mod(x, d) * checked_mod(y, d), d);
    };
    for (std::int64_t which = 0; which < cases; ++which) {
        std::int64_t total = checked_mod(poly.constant, d);
        for (const auto& term : poly.terms) {
            std::int64_t product = checked_mod(term.coefficient, d);
            for (const auto& factor : term.factors) {
                std::int64_t value = which;
                for (const auto& atom : atoms) {
                    if (atom == factor.base) break;
                    value /= d;
                }
                for (std::int32_t i = 0; i < factor.exponent; ++i) product = residue(product, value % d);
            }
            total = (total + product) % d;
        }
        if (total != 0) return false;
    }
    return true;
}

}  // namespace ferry::detail
