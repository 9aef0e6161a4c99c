#pragma once

#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/value_range.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

namespace detail {

// Saturating: the ends of int64 are infinite, and what leaves them is too.
constexpr std::int64_t far_end(bool negative) { return negative ? ValueRange::no_min : ValueRange::no_max; }
constexpr bool is_far(std::int64_t x) { return x == ValueRange::no_min || x == ValueRange::no_max; }

inline std::int64_t range_add(std::int64_t a, std::int64_t b) {
    if (is_far(a)) return a;
    if (is_far(b)) return b;
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? far_end(a < 0) : result;
}
inline std::int64_t range_mul(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return 0;
    std::int64_t result = 0;
    if (is_far(a) || is_far(b) || __builtin_mul_overflow(a, b, &result)) return far_end((a < 0) != (b < 0));
    return result;
}
inline std::int64_t range_div(std::int64_t a, std::int64_t b) {
    if (is_far(b)) return a == 0 || (a < 0) == (b < 0) ? 0 : -1;
    if (is_far(a)) return far_end((a < 0) != (b < 0));
    return checked_floor_div(a, b);
}

inline ValueRange operator+(const ValueRange& a, const ValueRange& b) {
    return {range_add(a.min, b.min), range_add(a.max, b.max)};
}
template <class Corner>
ValueRange corners(const ValueRange& a, const ValueRange& b, Corner corner) {
    const auto [low, high] =
        std::minmax({corner(a.min, b.min), corner(a.min, b.max), corner(a.max, b.min), corner(a.max, b.max)});
    return {low, high};
}
inline ValueRange operator*(const ValueRange& a, const ValueRange& b) { return corners(a, b, range_mul); }

inline ValueRange range_power(const ValueRange& base, std::int64_t exponent) {
    const auto raise = [exponent](std::int64_t x) {
        std::int64_t result = 1;
        // Past 64 factors anything but -1, 0 and 1 is infinite; the parity of the exponent has to stay.
        for (std::int64_t i = std::min<std::int64_t>(exponent, 64 + exponent % 2); i > 0; --i)
            result = range_mul(result, x);
        return result;
    };
    const ValueRange ends{raise(base.min), raise(base.max)};
    if (exponent % 2 != 0) return ends;
    return {base.contains(0) ? 0 : std::min(ends.min, ends.max), std::max(ends.min, ends.max)};
}

inline ValueRange range_floor_div(const ValueRange& a, const ValueRange& b) {
    // A divisor of zero has no value, so it bounds nothing.
    ValueRange result{1, 0};
    if (const ValueRange positive = intersect(b, {1, ValueRange::no_max}); !positive.empty())
        result = hull(result, corners(a, positive, range_div));
    if (const ValueRange negative = intersect(b, {ValueRange::no_min, -1}); !negative.empty())
        result = hull(result, corners(a, negative, range_div));
    return result.empty() ? ValueRange{} : result;
}

inline ValueRange range_mod(const ValueRange& a, const ValueRange& b) {
    if (b.min == b.max && b.min > 0 && a.bounded() &&
        checked_floor_div(a.min, b.min) == checked_floor_div(a.max, b.min))
        return {checked_mod(a.min, b.min), checked_mod(a.max, b.min)};
    ValueRange result{0, 0};
    if (b.max > 0) result.max = is_far(b.max) ? b.max : b.max - 1;
    if (b.min < 0) result.min = is_far(b.min) ? b.min : b.min + 1;
    if (a.min >= 0 && b.min > 0) {
        result.max = std::min(result.max, a.max);
        if (a.max < b.min) result.min = a.min;
    }
    return result;
}

/// Rounded operations are monotone, so the rounded values at the ends bound those between.
struct RealRange {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
};

struct SymBounds {
    const SymRanges& ranges;

    [[nodiscard]] ValueRange integer(const SymExpr& a, bool refine = true) const {
        const auto& args = a.args();
        switch (a.op()) {
            case SymOp::constant: return ValueRange::exactly(a.value());
            case SymOp::symbol:
                if (const auto* range = ranges.find(a.name())) return *range;
                return is_unbacked_name(a.name()) ? ValueRange{} : ValueRange::at_least(0);
            case SymOp::sum: return refine ? intersect(plain_sum(a, refine), without_floors(a)) : plain_sum(a, refine);
            case SymOp::floor_div: return range_floor_div(integer(args[0], refine), integer(args[1], refine));
            case SymOp::mod: return range_mod(integer(args[0], refine), integer(args[1], refine));
            case SymOp::min:
            case SymOp::max: {
                ValueRange result = integer(args[0], refine);
                for (std::size_t i = 1; i < args.size(); ++i) {
                    const ValueRange other = integer(args[i], refine);
                    result = a.op() == SymOp::min
                                 ? ValueRange{std::min(result.min, other.min), std::min(result.max, other.max)}
                                 : ValueRange{std::max(result.min, other.min), std::max(result.max, other.max)};
                }
                return result;
            }
            case SymOp::power: {
                const ValueRange base = integer(args[0], refine);
                const ValueRange exponent = integer(args[1], refine);
                if (base.min < 1) return base.min < 0 ? ValueRange{} : ValueRange::at_least(0);
                return {range_power(base, std::max<std::int64_t>(exponent.min, 0)).min,
                        range_power(base, std::max<std::int64_t>(exponent.max, 0)).max};
            }
            case SymOp::piecewise: {
                ValueRange result{1, 0};
                for (std::size_t i = 0; i < args.size(); i += 2) result = hull(result, integer(args[i], refine));
                return result;
            }
            case SymOp::ceil_to_int: return rounded(args[0], [](double x) { return std::ceil(x); });
            case SymOp::floor_to_int: return rounded(args[0], [](double x) { return std::floor(x); });
            case SymOp::trunc_to_int: return rounded(args[0], [](double x) { return std::trunc(x); });
            case SymOp::round_to_int: return rounded(args[0], [](double x) { return std::nearbyint(x); });
            default: return {};
        }
    }

private:
    [[nodiscard]] ValueRange plain_sum(const SymExpr& a, bool refine) const {
        ValueRange total = ValueRange::exactly(a.value());
        for (const auto& term : a.terms()) {
            ValueRange product = ValueRange::exactly(term.coefficient);
            for (const auto& factor : term.factors)
                product = product * range_power(integer(factor.base, refine), factor.exponent);
            total = total + product;
        }
        return total;
    }

    /// s - s//2 varies far less than s and s//2 apart. With p//d = (p - r)/d and 0 <= r < d the floors go away, and what is
    /// left of the same symbol cancels.
    [[nodiscard]] ValueRange without_floors(const SymExpr& a) const {
        const auto divisor = [](const SymTerm& term) -> std::int64_t {
            if (term.factors.size() != 1 || term.factors[0].exponent != 1) return 0;
            const SymExpr& base = term.factors[0].base;
            if (base.op() != SymOp::floor_div || !base.args()[1].is_constant() || base.args()[1].value() < 1) return 0;
            return base.args()[1].value();
        };
        std::int64_t scale = 1;
        bool any = false;
        for (const auto& term : a.terms()) {
            const std::int64_t d = divisor(term);
            if (d == 0) continue;
            any = true;
            if (d > (1 << 20)) return {};
            scale = std::lcm(scale, d);
            if (scale > (1 << 20)) return {};
        }
        if (!any || a.terms().size() < 2) return {};
        try {
            SymPoly scaled;
            scaled.constant = checked_mul(a.value(), scale);
            ValueRange slack = ValueRange::exactly(0);
            for (const auto& term : a.terms()) {
                const std::int64_t d = divisor(term);
                if (d == 0) {
                    scaled.terms.push_back({checked_mul(term.coefficient, scale), term.factors});
                    continue;
                }
                const std::int64_t share = checked_mul(term.coefficient, scale / d);
                scaled.add(term.factors[0].base.args()[0], share);
                slack = slack + ValueRange::exactly(checked_neg(share)) * ValueRange{0, d - 1};
            }
            const ValueRange range = integer(from_poly(std::move(scaled)), false) + slack;
            const std::int64_t low =
                is_far(range.min) ? range.min : checked_neg(checked_floor_div(checked_neg(range.min), scale));
            return {low, is_far(range.max) ? range.max : checked_floor_div(range.max, scale)};
        } catch (const Error&) {
            return {};  // does not fit: no finer bound than the plain one
        }
    }

    template <class Round>
    [[nodiscard]] ValueRange rounded(const SymExpr& a, Round round) const {
        const RealRange range = real(a);
        const double low = round(range.min);
        const double high = round(range.max);
        ValueRange result;
        if (low > -9.2e18)
            result.min = low < 9.2e18 ? static_cast<std::int64_t>(low) : std::int64_t{9'200'000'000'000'000'000};
        if (high < 9.2e18)
            result.max = high > -9.2e18 ? static_cast<std::int64_t>(high) : std::int64_t{-9'200'000'000'000'000'000};
        return result;
    }

    static double end_of(std::int64_t x) {
        if (is_far(x)) return x < 0 ? RealRange{}.min : RealRange{}.max;
        return static_cast<double>(x);
    }
    static RealRange times(const RealRange& a, const RealRange& b) {
        const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; };
        const auto [low, high] =
            std::minmax({product(a.min, b.min), product(a.min, b.max), product(a.max, b.min), product(a.max, b.max)});
        return {low, high};
    }

    [[nodiscard]] RealRange real(const SymExpr& a) const {
        const auto& args = a.args();
        if (a.type() == SymType::integer) {
            const ValueRange range = integer(a);
            return {end_of(range.min), end_of(range.max)};
        }
        switch (a.op()) {
            case SymOp::real:
                if (std::isnan(a.real_value())) return {};
                return {a.real_value(), a.real_value()};
            case SymOp::to_float: return real(args[0]);
            case SymOp::trunc_to_float: {
                const RealRange range = real(args[0]);
                return {std::trunc(range.min), std::trunc(range.max)};
            }
            case SymOp::int_true_div:
            case SymOp::float_true_div: {
                const RealRange over = real(args[0]);
                const RealRange under = real(args[1]);
                if (under.min <= 0 || std::isinf(under.min)) return {};
                const double low = over.min / (over.min < 0 ? under.min : under.max);
                const double high = over.max / (over.max < 0 ? under.max : under.min);
                return std::isnan(low) || std::isnan(high) ? RealRange{} : RealRange{low, high};
            }
            case SymOp::real_sum: {
                RealRange total{0, 0};
                for (const auto& arg : args) {
                    const RealRange range = real(arg);
                    total = {total.min + range.min, total.max + range.max};
                }
                return total;
            }
            case SymOp::real_product: {
                RealRange total{1, 1};
                for (const auto& arg : args) total = times(total, real(arg));
                return total;
            }
            default: return {};
        }
    }
};

}  // namespace detail

/// A range that holds every value of the integer `a` while its symbols stay in theirs. A symbol without a range may be any
/// size (zero or more), or anything at all if it is unbacked. Not always the smallest such range.
[[nodiscard]] inline ValueRange bounds(const SymExpr& a, const SymRanges& ranges) {
    return detail::SymBounds{ranges}.integer(a);
}

/// True or false if the ranges decide the condition for all values; nothing if they do not.
[[nodiscard]] inline std::optional<bool> decide(const SymExpr& condition, const SymRanges& ranges) {
    const auto& args = condition.args();
    switch (condition.op()) {
        case SymOp::boolean: return condition.value() != 0;
        case SymOp::negation:
            if (const auto inner = decide(args[0], ranges)) return !*inner;
            return std::nullopt;
        case SymOp::all_of:
        case SymOp::any_of: {
            const bool absorbing = condition.op() == SymOp::any_of;
            bool all = true;
            for (const auto& arg : args) {
                const auto inner = decide(arg, ranges);
                if (inner == absorbing) return absorbing;
                all = all && inner.has_value();
            }
            return all ? std::optional(!absorbing) : std::nullopt;
        }
        default: break;
    }
    if (condition.op() < SymOp::eq || condition.op() > SymOp::ge) return std::nullopt;
    if (args[0].type() != SymType::integer || args[1].type() != SymType::integer) return std::nullopt;
    const ValueRange difference = bounds(args[0] - args[1], ranges);
    const bool below = difference.max < 0;
    const bool above = difference.min > 0;
    const bool same = difference == ValueRange::exactly(0);
    switch (condition.op()) {
        case SymOp::eq: return same ? std::optional(true) : below || above ? std::optional(false) : std::nullopt;
        case SymOp::ne: return same ? std::optional(false) : below || above ? std::optional(true) : std::nullopt;
        case SymOp::lt: return below ? std::optional(true) : difference.min >= 0 ? std::optional(false) : std::nullopt;
        case SymOp::le: return difference.max <= 0 ? std::optional(true) : above ? std::optional(false) : std::nullopt;
        case SymOp::gt: return above ? std::optional(true) : difference.max <= 0 ? std::optional(false) : std::nullopt;
        default: return difference.min >= 0 ? std::optional(true) : below ? std::optional(false) : std::nullopt;
    }
}

}  // namespace ferry
