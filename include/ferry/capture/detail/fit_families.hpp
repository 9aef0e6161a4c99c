#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

/// Functions of one variable with a corner or a step, each solved for its parameters rather than searched.
namespace ferry::detail {

using Column = std::vector<std::int64_t>;

struct FitCandidate {
    int cost = 0;  ///< the smaller the simpler
    std::size_t parameters = 0;
    SymExpr expr;
};

/// Nothing here may overflow: larger observations are left to the polynomials.
inline constexpr std::int64_t fit_limit = std::int64_t{1} << 40;

inline int digits_cost(std::int64_t x) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(x))));
}

/// Strides and paddings are mostly even, many of them powers of two.
inline int divisor_cost(std::int64_t d) {
    return digits_cost(d) - std::min(std::countr_zero(static_cast<std::uint64_t>(d)), 4);
}

inline std::vector<std::int64_t> divisors(std::int64_t x, std::int64_t limit) {
    std::vector<std::int64_t> result;
    for (std::int64_t d = 1; d <= limit && d <= x; ++d)
        if (x % d == 0) result.push_back(d);
    return result;
}

/// Sizes of one dimension just before and at the steps of an expression: where it differs from others like it, if anywhere.
inline void critical_sizes(const SymExpr& a, std::string_view name, const ValueRange& domain,
                           std::vector<std::int64_t>& sizes) {
    for (const auto& arg : a.args()) critical_sizes(arg, name, domain, sizes);
    for (const auto& term : a.terms())
        for (const auto& factor : term.factors) critical_sizes(factor.base, name, domain, sizes);
    // slope * size + offset, if that is what it is
    const auto line = [&](const SymExpr& x) -> std::pair<std::int64_t, std::int64_t> {
        if (x.is_symbol() && x.name() == name) return {1, 0};
        if (x.op() != SymOp::sum || x.terms().size() != 1 || x.terms()[0].factors.size() != 1) return {0, 0};
        const auto& factor = x.terms()[0].factors[0];
        if (factor.exponent != 1 || !factor.base.is_symbol() || factor.base.name() != name) return {0, 0};
        return {x.terms()[0].coefficient, x.value()};
    };
    const auto add = [&](std::int64_t size) {
        for (const std::int64_t near : {size - 1, size, size + 1})
            if (domain.contains(near)) sizes.push_back(near);
    };
    const bool steps = a.op() == SymOp::floor_div || a.op() == SymOp::mod;
    if (steps && a.args()[1].is_constant()) {
        const auto [slope, offset] = line(a.args()[0]);
        const std::int64_t d = a.args()[1].value();
        if (slope <= 0 || d <= 0 || slope > fit_limit || std::abs(offset) > fit_limit) return;
        const std::int64_t first = checked_floor_div(slope * domain.min + offset, d) + 1;
        const std::int64_t last = checked_floor_div(slope * domain.max + offset, d);
        for (const std::int64_t k : {first, first + 1, first + 2, first + (last - first) / 2, last - 2, last - 1, last})
            if (k >= first && k <= last) add(-checked_floor_div(-(k * d - offset), slope));
    } else if (a.op() == SymOp::min || a.op() == SymOp::max) {
        for (const auto& arg : a.args()) {
            const auto [slope, offset] = line(arg);
            if (slope != 0 && a.args()[0].is_constant()) add(checked_floor_div(a.args()[0].value() - offset, slope));
        }
    }
}

class CornerFamilies {
public:
    /// `x` is the variable at each point, `y` what is to be explained. In an open range a single step says nothing of the next one.
    CornerFamilies(const Column& x, const Column& y, const SymExpr& variable, bool open)
        : x_(x), y_(y), variable_(variable), least_steps_(open ? 2 : 1) {
        order_.resize(x.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        algo::sort(order_, [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
        for (std::size_t i = 0; i < y.size(); ++i) step_ = std::gcd(step_, y[i] - y[0]);
        for (std::size_t i = 1; i < order_.size(); ++i)
            if (x[order_[i]] == x[order_[i - 1]] && y[order_[i]] != y[order_[i - 1]]) step_ = 0;  // no function of x
        for (std::size_t i = 0; i < y.size(); ++i)
            if (std::abs(x[i]) > fit_limit || std::abs(y[i]) > fit_limit) step_ = 0;
    }

    /// `emit(cost, build)`, where build() makes the expression: most are never built.
    template <class Emit>
    void all(std::int64_t max_slope, Emit emit) const {
        if (step_ == 0) return;
        const auto scales = divisors(step_, 1024);
        corners(emit);
        floors(scales, max_slope, emit);
        remainders(scales, emit);
    }
    template <class Emit>
    void only_floors(Emit emit) const {
        if (step_ != 0) floors(divisors(step_, 64), 1, emit);
    }
    /// max(c, f) and min(c, f) of a floor f: c is what is seen where it does not move, f fits the rest.
    template <class Emit>
    void clipped_floors(Emit emit) const {
        if (step_ == 0) return;
        for (const bool upper : {false, true}) {
            const std::int64_t flat = y(upper ? order_.size() - 1 : 0);
            Column rest_x;
            Column rest_y;
            for (std::size_t i = 0; i < y_.size(); ++i)
                if (y_[i] != flat) rest_x.push_back(x_[i]), rest_y.push_back(y_[i]);
            if (rest_x.size() < 3 || rest_x.size() == x_.size()) continue;
            if (algo::any_of(rest_y, [&](std::int64_t value) { return upper ? value > flat : value < flat; })) continue;
            const CornerFamilies rest(rest_x, rest_y, variable_, least_steps_ == 2);
            if (rest.step_ == 0) continue;
            const auto is_clipped = [&](const Floor& floor) {
                for (std::size_t i = 0; i < y_.size(); ++i)
                    if (y_[i] == flat && (upper ? floor.at(x_[i]) < flat : floor.at(x_[i]) > flat)) return false;
                return true;
            };
            rest.floors(
                divisors(rest.step_, 64), 1,
                [&](int cost, const auto& build) {
                    emit(cost + 4, [&] { return upper ? sym_min({flat, build()}) : sym_max({flat, build()}); });
                },
                is_clipped);
        }
    }

private:
    /// a * floor((n * x + c) / d) + b
    struct Floor {
        std::int64_t a, n, c, d, b;
        [[nodiscard]] std::int64_t at(std::int64_t x) const { return a * checked_floor_div(n * x + c, d) + b; }
    };
    struct Anything {
        bool operator()(const Floor&) const { return true; }
    };

    [[nodiscard]] std::int64_t x(std::size_t rank) const { return x_[order_[rank]]; }
    [[nodiscard]] std::int64_t y(std::size_t rank) const { return y_[order_[rank]]; }

    /// a * max(x, c) + b and a * min(x, c) + b: the line comes from two points at one end, the corner from the other end.
    template <class Emit>
    void corners(Emit emit) const {
        const std::size_t last = order_.size() - 1;
        if (last < 2) return;
        for (const bool upper : {false, true}) {
            const std::size_t near = upper ? 0 : last;
            std::size_t other = near;
            while (other <= last && x(other) == x(near)) other += upper ? 1 : std::size_t(-1);
            if (other > last) continue;
            const std::int64_t run = x(near) - x(other);
            const std::int64_t rise = y(near) - y(other);
            if (rise == 0 || rise % run != 0) continue;
            const std::int64_t a = rise / run;
            const std::int64_t b = y(near) - a * x(near);
            const std::int64_t flat = y(upper ? last : 0) - b;
            if (flat % a != 0) continue;
            const std::int64_t c = flat / a;
            bool fits = true;
            for (std::size_t i = 0; i <= last && fits; ++i)
                fits = y(i) == a * (upper ? std::min(x(i), c) : std::max(x(i), c)) + b;
            if (!fits || (upper ? c >= x(last) : c <= x(0))) continue;
            emit(9 + (a == 1 ? 0 : 2) + (b == 0 ? 0 : 2),
                 [&] { return SymExpr(a) * (upper ? sym_min({variable_, c}) : sym_max({variable_, c})) + b; });
        }
    }

    /// a * floor((n * x + c) / d) + b. For each a, n and d the points leave an interval for c. The roundest number within is the
    /// likeliest; its neighbours are the rivals that are hardest to tell from it, so whatever tells those apart settles c.
    template <class Emit, class Accept = Anything>
    void floors(const std::vector<std::int64_t>& scales, std::int64_t max_slope, Emit emit, Accept accept = {}) const {
        const std::size_t last = order_.size() - 1;
        if (last < 1 || x(0) == x(last)) return;
        for (const std::int64_t magnitude : scales) {
            const std::int64_t a = y(last) < y(0) ? -magnitude : magnitude;
            const std::int64_t b = checked_mod(y_[0], magnitude);
            const std::int64_t rise = (y(last) - y(0)) / a;
            if (rise < least_steps_) continue;
            for (std::int64_t n = 1; n <= max_slope; ++n) {
                const std::int64_t run = n * (x(last) - x(0));
                const std::int64_t largest = n == 1 ? 1024 : 64;
                const std::int64_t d_max = std::min(rise > 1 ? (run - 1) / (rise - 1) : largest, largest);
                std::int64_t d = std::max<std::int64_t>(run / (rise + 1) + 1, 2);
                for (; d <= d_max; ++d) {
                    if (std::gcd(n, d) != 1) continue;
                    std::int64_t low = std::numeric_limits<std::int64_t>::min();
                    std::int64_t high = std::numeric_limits<std::int64_t>::max();
                    for (std::size_t i = 0; i <= last && low <= high; ++i) {
                        const std::int64_t start = d * ((y_[i] - b) / a) - n * x_[i];
                        low = std::max(low, start);
                        high = std::min(high, start + d - 1);
                    }
                    if (low > high) continue;
                    const int cost = 10 + divisor_cost(d) + (n == 1 ? 0 : 2 + static_cast<int>(n)) +
                                     (a == 1             ? 0
                                      : std::abs(a) == d ? 1
                                                         : 4) +
                                     (b == 0 ? 0 : 2);
                    const auto offer = [&](std::int64_t c, int extra) {
                        if (c < low || c > high || !accept(Floor{a, n, c, d, b})) return;
                        emit(cost + extra, [&] { return SymExpr(a) * floor_div(SymExpr(n) * variable_ + c, d) + b; });
                    };
                    const bool plain = low <= 0 && 0 <= high;
                    const bool ceiling = low <= d - 1 && d - 1 <= high;
                    const std::int64_t likeliest = plain ? 0 : ceiling ? d - 1 : low + (high - low) / 2;
                    offer(likeliest, plain ? 0 : ceiling ? 1 : 3);
                    offer(likeliest - 1, 3);
                    offer(likeliest + 1, 3);
                    if (plain && ceiling) offer(d - 1, 1);
                    // Larger c, larger value: if these two agree with the likeliest somewhere, so do all between.
                    if (low < likeliest - 1) offer(low, 5);
                    if (high > likeliest + 1) offer(high, 5);
                    if (high - low > 3) offer(low + (high - low) / 2, 5);
                }
            }
        }
    }

    /// a * ((x + c) mod d) + b and the same of -x: d divides whatever y and x differ by.
    template <class Emit>
    void remainders(const std::vector<std::int64_t>& scales, Emit emit) const {
        for (const std::int64_t a : scales) {
            for (const int sign : {1, -1}) {
                for (const std::int64_t b : {0, 1}) {
                    if (checked_mod(y_[0] - b, a) != 0) continue;
                    std::int64_t common = 0;
                    std::int64_t top = 0;
                    std::int64_t bottom = 0;
                    const auto value = [&](std::size_t i) { return (y_[i] - b) / a; };
                    for (std::size_t i = 0; i < y_.size(); ++i) {
                        common = std::gcd(common, (value(i) - sign * x_[i]) - (value(0) - sign * x_[0]));
                        top = std::max(top, value(i));
                        bottom = std::min(bottom, value(i));
                    }
                    if (common == 0 || bottom < 0) continue;
                    for (const std::int64_t d : divisors(common, 4096)) {
                        if (d < 2 || d <= top) continue;
                        const std::int64_t c = checked_mod(value(0) - sign * x_[0], d);
                        const std::int64_t first = checked_floor_div(sign * x(0) + c, d);
                        const std::int64_t last = checked_floor_div(sign * x(order_.size() - 1) + c, d);
                        if (std::abs(last - first) < least_steps_) continue;
                        const int cost = 11 + divisor_cost(d) + (c == 0 ? 0 : 2) + (b == 0 ? 0 : 2) +
                                         (sign < 0 ? 1 : 0) + (a == 1 ? 0 : 3);
                        emit(cost, [&] { return SymExpr(a) * mod(SymExpr(sign) * variable_ + c, d) + b; });
                    }
                }
            }
        }
    }

    const Column& x_;
    const Column& y_;
    const SymExpr& variable_;
    std::vector<std::size_t> order_;
    std::int64_t least_steps_;
    std::int64_t step_ = 0;  ///< what divides all differences of y; 0 when there is nothing to look for
};

}  // namespace ferry::detail
