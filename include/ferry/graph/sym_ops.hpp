#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/detail/sym_poly.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// Integer arithmetic on expressions. Division and remainder are Python's: they round towards minus infinity.
namespace ferry {
namespace detail {

inline SymExpr extremum(SymOp op, std::vector<SymExpr> args);
inline SymExpr real_arithmetic(SymOp op, std::vector<SymExpr> args);

inline bool is_real(const SymExpr& a) {
    if (a.type() == SymType::boolean) throw Error(ErrorKind::invalid_input, "a symbolic condition is used as a number");
    return a.type() == SymType::real;
}
inline void refuse_infinity(const SymExpr& a) {
    if (a.op() == SymOp::infinity) throw Error(ErrorKind::unsupported, "arithmetic with an infinite symbolic size");
}

}  // namespace detail

/// Linear in the parts, unlike repeated `+`.
[[nodiscard]] inline SymExpr sym_sum(const std::vector<SymExpr>& parts) {
    if (algo::any_of(parts, detail::is_real)) return detail::real_arithmetic(SymOp::real_sum, parts);
    detail::SymPoly poly;
    for (const auto& part : parts) {
        detail::refuse_infinity(part);
        poly.add(part);
    }
    return detail::from_poly(std::move(poly));
}

[[nodiscard]] inline SymExpr operator+(const SymExpr& a, const SymExpr& b) {
    if (a.is_constant() && b.is_constant()) return detail::checked_add(a.value(), b.value());
    if (a.is_constant(0)) return b;
    if (b.is_constant(0)) return a;
    return sym_sum({a, b});
}

[[nodiscard]] inline SymExpr operator*(const SymExpr& a, const SymExpr& b) {
    if (a.is_constant() && b.is_constant()) return detail::checked_mul(a.value(), b.value());
    if (detail::is_real(a) || detail::is_real(b)) return detail::real_arithmetic(SymOp::real_product, {a, b});
    for (const auto& [infinite, factor] : {std::pair(&a, &b), std::pair(&b, &a)})
        if (infinite->op() == SymOp::infinity && factor->is_constant() && factor->value() != 0)
            return SymExpr::infinity((infinite->value() > 0) == (factor->value() > 0));
    detail::refuse_infinity(a);
    detail::refuse_infinity(b);
    if (a.is_constant(0) || b.is_constant(0)) return 0;
    if (a.is_constant(1)) return b;
    if (b.is_constant(1)) return a;
    const detail::SymPoly left(a);
    const detail::SymPoly right(b);
    // Refused before the work is done: a product of many sums is exponential in its length.
    const std::uint64_t count = (left.terms.size() + 1) * static_cast<std::uint64_t>(right.terms.size() + 1);
    if (count > SymExpr::max_weight) detail::sym_too_large();
    detail::SymPoly product;
    product.constant = detail::checked_mul(left.constant, right.constant);
    for (const auto& term : left.terms)
        if (right.constant != 0)
            product.terms.push_back({detail::checked_mul(term.coefficient, right.constant), term.factors});
    for (const auto& term : right.terms)
        if (left.constant != 0)
            product.terms.push_back({detail::checked_mul(term.coefficient, left.constant), term.factors});
    for (const auto& x : left.terms)
        for (const auto& y : right.terms)
            product.terms.push_back(
                {detail::checked_mul(x.coefficient, y.coefficient), detail::multiply(x.factors, y.factors)});
    return detail::from_poly(std::move(product));
}

[[nodiscard]] inline SymExpr operator-(const SymExpr& a) { return a * SymExpr(-1); }
[[nodiscard]] inline SymExpr operator-(const SymExpr& a, const SymExpr& b) { return a + -b; }

/// Zero or more for all values of its symbols, as far as its form shows.
[[nodiscard]] inline bool is_nonnegative(const SymExpr& a) {
    const auto holds = [](const SymExpr& part) { return is_nonnegative(part); };
    switch (a.op()) {
        case SymOp::constant: return a.value() >= 0;
        case SymOp::infinity: return a.value() > 0;
        case SymOp::symbol: return !is_unbacked_name(a.name());
        case SymOp::mod: return is_nonnegative(a.args()[1]);
        case SymOp::floor_div:
        case SymOp::min: return algo::all_of(a.args(), holds);
        case SymOp::max: return algo::any_of(a.args(), holds);
        case SymOp::power: return is_nonnegative(a.args()[0]);
        case SymOp::sum:
            return a.value() >= 0 && algo::all_of(a.terms(), [&](const SymTerm& term) {
                       return term.coefficient >= 0 && algo::all_of(term.factors, [&](const SymFactor& factor) {
                                  return factor.exponent % 2 == 0 || is_nonnegative(factor.base);
                              });
                   });
        default: return false;
    }
}

namespace detail {

/// torch uses Mod where both sides are known not to be negative, since its Mod refuses negative numbers.
inline SymExpr make_mod(SymExpr a, SymExpr b) {
    SymNode node{.op = SymOp::mod};
    node.name = is_nonnegative(a) && is_nonnegative(b) ? "Mod" : "PythonMod";
    node.args = {std::move(a), std::move(b)};
    return sym_access::make(std::move(node));
}

/// k, if a = k * b.
inline bool is_multiple(const SymExpr& a, const SymExpr& b, std::int64_t& k) {
    if (a.op() != SymOp::sum || b.op() != SymOp::sum || a.terms().size() != b.terms().size()) return false;
    const std::int64_t lead = b.terms()[0].coefficient;
    if (lead == -1 || a.terms()[0].coefficient % lead != 0) return false;
    k = a.terms()[0].coefficient / lead;
    return a == b * SymExpr(k);
}

}  // namespace detail

[[nodiscard]] inline SymExpr floor_div(const SymExpr& a, const SymExpr& b) {
    if (detail::is_real(a) || detail::is_real(b))
        throw Error(ErrorKind::unsupported, "floor division of real numbers in a symbolic size");
    if (b.is_constant(0)) detail::sym_division_by_zero();
    if (a.is_constant() && b.is_constant()) return detail::checked_floor_div(a.value(), b.value());
    detail::refuse_infinity(a);
    detail::refuse_infinity(b);
    if (a.is_constant(0)) return 0;
    if (a == b) return 1;
    if (!b.is_constant()) {
        detail::SymPoly divisor(b);
        if (std::int64_t k = 0; detail::is_multiple(a, b, k)) return k;
        if (divisor.terms.size() == 1 && divisor.constant == 0) {
            detail::SymPoly dividend(a);
            if (detail::cancel_common_factors(dividend, divisor.terms[0])) {
                detail::SymPoly rest;
                if (divisor.terms[0].factors.empty())
                    rest.constant = divisor.terms[0].coefficient;
                else
                    rest.terms = std::move(divisor.terms);
                return floor_div(detail::from_poly(std::move(dividend)), detail::from_poly(std::move(rest)));
            }
        }
        // floor(floor(x / y) / b) is floor(x / (y * b)) unless b is negative.
        if (a.op() == SymOp::floor_div && is_nonnegative(b)) return floor_div(a.args()[0], a.args()[1] * b);
        return detail::make_call(SymOp::floor_div, {a, b});
    }
    if (b.value() == 1) return a;
    if (b.value() < 0 && detail::lacks_int64_min(b)) return floor_div(-a, -b);
    if (b.value() < 0) return detail::make_call(SymOp::floor_div, {a, b});
    auto [whole, rest] = detail::split_multiples(a, b.value());
    std::int64_t divisor = b.value();
    if (rest.terms.empty()) return whole;  // 0 <= rest < b
    if (const std::int64_t common = detail::content(rest, divisor); common > 1) {
        for (auto& term : rest.terms) term.coefficient /= common;
        rest.constant /= common;  // what the floor drops anyway
        divisor /= common;
        if (divisor == 1) return whole + detail::from_poly(std::move(rest));
        return whole + floor_div(detail::from_poly(std::move(rest)), divisor);
    }
    // floor((floor(x / y) + k) / b) is floor((x + k * y) / (y * b)).
    if (detail::is_single(rest, SymOp::floor_div)) {
        const auto& inner = rest.terms[0].factors[0].base.args();
        if (inner[1].is_constant() && inner[1].value() > 0)
            return whole + floor_div(inner[0] + SymExpr(rest.constant) * inner[1], inner[1] * SymExpr(divisor));
        if (rest.constant == 0) return whole + floor_div(inner[0], inner[1] * SymExpr(divisor));
    }
    return whole + detail::make_call(SymOp::floor_div, {detail::from_poly(std::move(rest)), divisor});
}

[[nodiscard]] inline SymExpr mod(const SymExpr& a, const SymExpr& b) {
    if (detail::is_real(a) || detail::is_real(b))
        throw Error(ErrorKind::unsupported, "remainder of real numbers in a symbolic size");
    if (b.is_constant(0)) detail::sym_division_by_zero();
    if (a.is_constant() && b.is_constant()) return detail::checked_mod(a.value(), b.value());
    detail::refuse_infinity(a);
    detail::refuse_infinity(b);
    if (a.is_constant(0) || a == b) return 0;
    if (!b.is_constant()) {
        if (std::int64_t k = 0; detail::is_multiple(a, b, k)) return 0;
        detail::SymPoly divisor(b);
        if (divisor.terms.size() == 1 && divisor.constant == 0) {
            detail::SymPoly dividend(a);
            detail::cancel_common_factors(dividend, divisor.terms[0]);
            const std::int64_t scale = divisor.terms[0].coefficient;
            const auto divides = [scale](std::int64_t number) { return detail::checked_mod(number, scale) == 0; };
            if (divisor.terms[0].factors.empty() && divides(dividend.constant) &&
                algo::all_of(dividend.terms, divides, &SymTerm::coefficient))
                return 0;
        }
        return detail::make_mod(a, b);
    }
    if (b.value() == 1) return 0;
    if (b.value() < 0 && detail::lacks_int64_min(b)) return -mod(-a, -b);
    if (b.value() < 0) return detail::make_mod(a, b);
    auto [whole, rest] = detail::split_multiples(a, b.value());
    // k * (x mod y) is k * x modulo b when b divides k * y.
    for (const auto& term : rest.terms) {
        if (term.factors.size() != 1 || term.factors[0].exponent != 1 || term.factors[0].base.op() != SymOp::mod)
            continue;
        const SymExpr inner = term.factors[0].base;
        const SymExpr k = term.coefficient;
        std::int64_t period = 0;
        if (!inner.args()[1].is_constant() || __builtin_mul_overflow(k.value(), inner.args()[1].value(), &period) ||
            detail::checked_mod(period, b.value()) != 0)
            continue;
        return mod(detail::from_poly(std::move(rest)) - k * inner + k * inner.args()[0], b);
    }
    if (rest.terms.empty()) return rest.constant;
    std::int64_t divisor = b.value();
    if (const std::int64_t common = detail::content(rest, divisor); common > 1) {
        for (auto& term : rest.terms) term.coefficient /= common;
        const std::int64_t dropped = rest.constant % common;
        rest.constant /= common;
        divisor /= common;
        return SymExpr(common) * mod(detail::from_poly(std::move(rest)), divisor) + SymExpr(dropped);
    }
    return detail::make_mod(detail::from_poly(std::move(rest)), divisor);
}

[[nodiscard]] inline SymExpr ceil_div(const SymExpr& a, const SymExpr& b) {
    if (is_nonnegative(b)) return floor_div(a + b - 1, b);  // as torch writes it
    return -floor_div(-a, b);
}

[[nodiscard]] inline SymExpr pow(const SymExpr& base, const SymExpr& exponent) {
    if (detail::is_real(base) || detail::is_real(exponent))
        return detail::real_arithmetic(SymOp::float_pow, {base, exponent});
    if (base.is_constant() && exponent.is_constant()) return detail::checked_pow(base.value(), exponent.value());
    detail::refuse_infinity(base);
    detail::refuse_infinity(exponent);
    if (!exponent.is_constant()) {
        if (base.is_constant(1)) return 1;
        return detail::make_call(SymOp::power, {base, exponent});
    }
    if (exponent.value() < 0) throw Error(ErrorKind::unsupported, "a symbolic size is raised to a negative power");
    if (exponent.value() > SymExpr::max_degree) detail::sym_too_large();
    SymExpr result = 1;
    for (std::int64_t i = 0; i < exponent.value(); ++i) result = result * base;
    return result;
}

namespace detail {

inline SymExpr extremum(SymOp op, std::vector<SymExpr> args) {
    if (args.empty()) throw Error(ErrorKind::invalid_input, "a minimum or maximum of nothing");
    const bool greater = op == SymOp::max;
    std::vector<SymExpr> kept;
    bool has_number = false;
    std::int64_t number = 0;
    bool real = false;
    std::vector<SymExpr> todo(args.rbegin(), args.rend());
    while (!todo.empty()) {
        const SymExpr arg = std::move(todo.back());
        todo.pop_back();
        real = is_real(arg) || real;
        if (arg.op() == op) {
            todo.insert(todo.end(), arg.args().rbegin(), arg.args().rend());
        } else if (arg.op() == SymOp::infinity) {
            if ((arg.value() > 0) == greater) return arg;
        } else if (arg.is_constant()) {
            number = !has_number ? arg.value()
                     : greater   ? std::max(number, arg.value())
                                 : std::min(number, arg.value());
            has_number = true;
        } else {
            kept.push_back(arg);
        }
    }
    if (kept.empty()) return has_number ? SymExpr(number) : SymExpr::infinity(!greater);
    algo::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    if (real) {
        if (has_number) kept.insert(kept.begin(), number);
        return kept.size() == 1 ? kept[0] : make_call(op, std::move(kept));
    }
    // Of two that differ by a constant one will do. Quadratic, so only for the few arguments that real programs have.
    if (kept.size() <= 8) {
        std::vector<SymExpr> best;
        for (const auto& arg : kept) {
            bool dominated = false;
            for (auto other = best.begin(); other != best.end() && !dominated;) {
                const SymExpr difference = arg - *other;
                if (!difference.is_constant()) {
                    ++other;
                } else if ((difference.value() > 0) == greater) {
                    other = best.erase(other);
                } else {
                    dominated = true;
                }
            }
            if (!dominated) best.push_back(arg);
        }
        kept = std::move(best);
    }
    if (has_number && number <= 0) {
        if (greater && algo::any_of(kept, is_nonnegative)) has_number = false;
        if (!greater && algo::all_of(kept, is_nonnegative)) return number;
    }
    if (has_number) kept.insert(kept.begin(), number);
    return kept.size() == 1 ? kept[0] : make_call(op, std::move(kept));
}

/// Real arithmetic is kept as written, but for the folding of constants: it must round as torch's does.
inline SymExpr real_arithmetic(SymOp op, std::vector<SymExpr> args) {
    if (op == SymOp::real_sum || op == SymOp::real_product) {
        std::vector<SymExpr> flat;
        SymExpr exact = op == SymOp::real_product ? 1 : 0;  // what is integer is gathered first, without rounding
        const auto take = [&](const SymExpr& arg) {
            if (arg.type() == SymType::integer)
                exact = op == SymOp::real_product ? exact * arg : exact + arg;
            else
                flat.push_back(arg);
        };
        for (const auto& arg : args) {
            if (arg.op() == op)
                for (const auto& part : arg.args()) take(part);
            else
                take(arg);
        }
        if (!exact.is_constant(op == SymOp::real_product ? 1 : 0)) flat.push_back(exact);
        if (flat.size() == 1) return flat[0];
        algo::sort(flat);
        args = std::move(flat);
    }
    return make_call(op, std::move(args));
}

}  // namespace detail

[[nodiscard]] inline SymExpr sym_min(std::vector<SymExpr> args) {
    return detail::extremum(SymOp::min, std::move(args));
}
[[nodiscard]] inline SymExpr sym_max(std::vector<SymExpr> args) {
    return detail::extremum(SymOp::max, std::move(args));
}

}  // namespace ferry
