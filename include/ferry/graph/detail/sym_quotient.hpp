#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/detail/sym_poly.hpp>
#include <ferry/graph/detail/sym_scanner.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ferry::detail {

/// An expression over a whole number: sympy divides where integers would not, and multiplies back later.
struct SymQuotient {
    SymExpr over;
    std::int64_t under = 1;
};

/// Arithmetic in quotients; errors speak of what `scanner` reads.
class SymQuotients {
public:
    static constexpr std::size_t max_work = 1U << 20;

    explicit SymQuotients(const SymScanner& scanner) : scanner_(scanner) {}

    /// What a quotient is where an integer is wanted.
    SymExpr whole(const SymQuotient& a) {
        if (a.under == 1) return a.over;
        if (a.over.type() != SymType::integer) scanner_.fail("divides something that is no integer");
        if (!always_divides(a.over, a.under))
            throw Error(ErrorKind::unsupported, "the symbolic expression '" +
                                                    std::string(scanner_.text().substr(0, 80)) + "' is not an integer");
        return floor_div(a.over, a.under);
    }
    static SymExpr as_real(const SymQuotient& a) {
        if (a.under == 1) return a.over;
        if (a.over.is_constant()) return SymExpr::real(true_quotient(a.over.value(), a.under));
        return real_call(SymOp::int_true_div, {a.over, a.under});
    }
    static SymQuotient reduced(SymExpr over, std::int64_t under) {
        if (under == 1) return {std::move(over), 1};
        if (under < 0) return reduced(-over, checked_neg(under));
        const SymPoly poly(over);
        std::int64_t common = content(poly, under);
        if (poly.constant == std::numeric_limits<std::int64_t>::min()) common = 1;
        common = std::gcd(common, poly.constant);
        if (common > 1) over = floor_div(over, common);
        return {std::move(over), under / common};
    }

    static SymExpr relation(SymOp op, const SymQuotient& a, const SymQuotient& b) {
        // Both sides times both denominators, which are positive.
        if (a.under != 1 || b.under != 1) return compare(op, a.over * SymExpr(b.under), b.over * SymExpr(a.under));
        return compare(op, a.over, b.over);
    }
    /// Collected first and added once, so that a long sum takes no quadratic time.
    SymQuotient total(const std::vector<SymQuotient>& parts) {
        if (parts.size() == 1) return parts[0];
        std::int64_t under = 1;
        bool real = false;
        for (const auto& part : parts) {
            real = is_real(part.over) || real;
            under = checked_mul(under / std::gcd(under, part.under), part.under);
        }
        std::vector<SymExpr> args;
        args.reserve(parts.size());
        for (const auto& part : parts) {
            if (real)
                args.push_back(as_real(part));
            else
                args.push_back(under == part.under ? part.over : part.over * SymExpr(under / part.under));
        }
        return reduced(sym_sum(args), real ? 1 : under);
    }
    static SymQuotient times(const SymQuotient& a, const SymQuotient& b) {
        if (is_real(a.over) || is_real(b.over)) return {as_real(a) * as_real(b)};
        return reduced(a.over * b.over, checked_mul(a.under, b.under));
    }
    SymQuotient divided(const SymQuotient& a, const SymQuotient& b) {
        if (is_real(a.over) || is_real(b.over)) return {real_call(SymOp::float_true_div, {as_real(a), as_real(b)})};
        if (b.over.is_constant(0)) scanner_.fail("divides by zero");
        if (b.over.is_constant()) return reduced(a.over * SymExpr(b.under), checked_mul(a.under, b.over.value()));
        // Only what divides without rest, as sympy has it after cancelling.
        const SymExpr dividend = a.over * SymExpr(b.under);
        const SymExpr divisor = b.over * SymExpr(a.under);
        if (!mod(dividend, divisor).is_constant(0))
            throw Error(ErrorKind::unsupported, "the symbolic expression '" +
                                                    std::string(scanner_.text().substr(0, 80)) + "' is not an integer");
        return {floor_div(dividend, divisor)};
    }
    /// A chain of operations on one large sum costs its size each time, though it is short to write.
    void spend(const SymQuotient& a) {
        work_ += a.over.weight();
        if (work_ > max_work) scanner_.fail("takes too much work");
    }
    SymQuotient raised(const SymQuotient& base, const SymQuotient& exponent) {
        if (is_real(base.over) || is_real(exponent.over) || exponent.under != 1)
            return {real_call(SymOp::float_pow, {as_real(base), as_real(exponent)})};
        if (exponent.over.is_constant(-1)) return divided({1}, base);
        if (exponent.over.is_constant() && base.under != 1)
            return reduced(pow(base.over, exponent.over), checked_pow(base.under, exponent.over.value()));
        return {pow(whole(base), exponent.over)};
    }

private:
    const SymScanner& scanner_;
    std::size_t work_ = 0;
};

}  // namespace ferry::detail
