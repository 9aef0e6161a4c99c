#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ferry {

/// What code computes from a size and is no integer.
enum class RealFunction : std::uint8_t { itself, square_root, inverse, inverse_root, logarithm };

inline constexpr std::array real_functions{RealFunction::itself, RealFunction::inverse, RealFunction::square_root,
                                           RealFunction::inverse_root, RealFunction::logarithm};

/// factor * function(of).
struct RealFit {
    RealFunction function = RealFunction::itself;
    SymExpr of{};
    double factor = 1;
};

namespace detail {

[[nodiscard]] inline double apply(RealFunction function, double x) {
    switch (function) {
        case RealFunction::itself: return x;
        case RealFunction::square_root: return std::sqrt(x);
        case RealFunction::inverse: return 1 / x;
        case RealFunction::inverse_root: return 1 / std::sqrt(x);
        case RealFunction::logarithm: return std::log(x);
    }
    return x;
}

/// Half of a unit of float's last place where the numbers are floats, and some of double's otherwise.
[[nodiscard]] inline double real_tolerance(std::span<const double> observed) {
    const bool are_floats =
        algo::all_of(observed, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
    const bool are_short = algo::all_of(observed, [](double x) { return x == std::nearbyint(x * 1024) / 1024; });
    return are_floats && !are_short ? 1e-6 : 1e-12;
}

/// One integer that a run has for each point, and what it is.
struct RealCandidate {
    std::vector<std::int64_t> column;
    SymExpr of;
};

/// Whether b is to a as y to x, as far as numbers go that were computed so.
[[nodiscard]] inline bool same_ratio(RealFunction function, std::int64_t x, std::int64_t y, double a, double b,
                                     double tolerance) {
    if (x <= 0 || y <= 0 || a == 0) return false;
    const double wanted = b * apply(function, static_cast<double>(x)),
                 found = a * apply(function, static_cast<double>(y));
    return std::abs(wanted - found) <= tolerance * std::abs(found);
}

/// All numbers are one multiple of the function.
[[nodiscard]] inline std::optional<RealFit> solve_real(RealFunction function, const RealCandidate& candidate,
                                                       std::span<const double> observed) {
    const double tolerance = real_tolerance(observed);
    const auto& column = candidate.column;
    for (std::size_t i = 1; i < observed.size(); ++i)
        if (!same_ratio(function, column[0], column[i], observed[0], observed[i], tolerance)) return std::nullopt;
    RealFit fit{function, candidate.of, observed[0] / apply(function, static_cast<double>(column[0]))};
    const auto agrees = [&](double factor) {
        for (std::size_t i = 0; i < observed.size(); ++i)
            if (!(std::abs(factor * apply(function, static_cast<double>(column[i])) - observed[i]) <=
                  tolerance * std::abs(observed[i])))
                return false;
        return factor != 0;
    };
    // The code has a short number there; what was solved for it is off in the last place.
    for (const double digits : {1.0, 10.0, 1000.0, 1024.0, 1e6})
        if (const double shorter = std::nearbyint(fit.factor * digits) / digits; agrees(shorter)) {
            fit.factor = shorter;
            break;
        }
    return std::isfinite(fit.factor) ? std::optional(fit) : std::nullopt;
}

}  // namespace detail

/// The function of one integer among the candidates that gives all these numbers, from the simplest.
[[nodiscard]] inline std::optional<RealFit> fit_reals(std::span<const detail::RealCandidate> candidates,
                                                      std::span<const double> observed) {
    if (!algo::all_of(observed, [](double x) { return std::isfinite(x) && x != 0; })) return std::nullopt;
    for (const RealFunction function : real_functions)
        for (const detail::RealCandidate& candidate : candidates)
            if (auto fit = detail::solve_real(function, candidate, observed)) return fit;
    return std::nullopt;
}

}  // namespace ferry
