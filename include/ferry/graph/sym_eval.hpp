#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_map.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

namespace detail {

inline double unary_value(std::string_view name, double x) {
    if (name == "sqrt") return std::sqrt(x);
    if (name == "cos") return std::cos(x);
    if (name == "cosh") return std::cosh(x);
    if (name == "sin") return std::sin(x);
    if (name == "sinh") return std::sinh(x);
    if (name == "tan") return std::tan(x);
    if (name == "tanh") return std::tanh(x);
    if (name == "asin") return std::asin(x);
    if (name == "acos") return std::acos(x);
    if (name == "atan") return std::atan(x);
    if (name == "exp") return std::exp(x);
    if (name == "log") return std::log(x);
    if (name == "asinh") return std::asinh(x);
    if (name == "log2") return std::log2(x);
    throw Error(ErrorKind::unsupported, "unknown function in a symbolic size: " + std::string(name));
}

inline std::int64_t to_integer(double x) {
    // The bounds are powers of two, so exact; NaN fails both comparisons.
    if (!(x >= -9223372036854775808.0 && x < 9223372036854775808.0)) sym_overflow();
    return static_cast<std::int64_t>(x);
}

/// Python divides integers with one rounding; so does a division of doubles as long as both are exact.
inline double true_quotient(std::int64_t a, std::int64_t b) {
    if (b == 0) sym_division_by_zero();
    return static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b));
}

inline double round_decimal(double x, std::int64_t digits) {
    if (std::abs(digits) > 300) return x;
    const double scale = std::pow(10.0, static_cast<double>(std::abs(digits)));
    return digits >= 0 ? std::nearbyint(x * scale) / scale : std::nearbyint(x / scale) * scale;
}

struct SymEvaluator {
    const SymBindings& bindings;

    [[nodiscard]] std::int64_t integer(const SymExpr& a) const {
        const auto& args = a.args();
        switch (a.op()) {
            case SymOp::constant: return a.value();
            case SymOp::symbol:
                if (const auto* value = bindings.find(a.name())) return *value;
                throw Error(ErrorKind::invalid_input, "no value for the symbol " + a.name());
            case SymOp::sum: {
                std::int64_t total = a.value();
                for (const auto& term : a.terms()) {
                    std::int64_t product = term.coefficient;
                    for (const auto& factor : term.factors)
                        product = checked_mul(product, checked_pow(integer(factor.base), factor.exponent));
                    total = checked_add(total, product);
                }
                return total;
            }
            case SymOp::floor_div: return checked_floor_div(integer(args[0]), integer(args[1]));
            case SymOp::mod: return checked_mod(integer(args[0]), integer(args[1]));
            case SymOp::power: return checked_pow(integer(args[0]), integer(args[1]));
            case SymOp::min:
            case SymOp::max: {
                std::int64_t best = integer(args[0]);
                for (std::size_t i = 1; i < args.size(); ++i)
                    best = a.op() == SymOp::min ? std::min(best, integer(args[i])) : std::max(best, integer(args[i]));
                return best;
            }
            case SymOp::piecewise: return integer(chosen(a));
            case SymOp::ceil_to_int: return to_integer(std::ceil(real(args[0])));
            case SymOp::floor_to_int: return to_integer(std::floor(real(args[0])));
            case SymOp::trunc_to_int: return to_integer(std::trunc(real(args[0])));
            case SymOp::round_to_int: return to_integer(std::nearbyint(real(args[0])));
            case SymOp::infinity: throw Error(ErrorKind::unsupported, "an infinite symbolic size has no value");
            default: throw Error(ErrorKind::invalid_input, "a symbolic integer was expected");
        }
    }

    [[nodiscard]] double real(const SymExpr& a) const {
        if (a.type() == SymType::integer) return static_cast<double>(integer(a));
        const auto& args = a.args();
        switch (a.op()) {
            case SymOp::real: return a.real_value();
            case SymOp::to_float: return real(args[0]);
            case SymOp::int_true_div: return true_quotient(integer(args[0]), integer(args[1]));
            case SymOp::float_true_div:
                if (const double divisor = real(args[1]); divisor != 0) return real(args[0]) / divisor;
                sym_division_by_zero();
            case SymOp::float_pow: return std::pow(real(args[0]), real(args[1]));
            case SymOp::trunc_to_float: return std::trunc(real(args[0]));
            case SymOp::round_decimal: return round_decimal(real(args[0]), integer(args[1]));
            case SymOp::unary: return unary_value(a.name(), real(args[0]));
            case SymOp::real_sum: {
                double total = 0;
                for (const auto& arg : args) total += real(arg);
                return total;
            }
            case SymOp::real_product: {
                double total = 1;
                for (const auto& arg : args) total *= real(arg);
                return total;
            }
            case SymOp::min:
            case SymOp::max: {
                double best = real(args[0]);
                for (std::size_t i = 1; i < args.size(); ++i)
                    best = a.op() == SymOp::min ? std::min(best, real(args[i])) : std::max(best, real(args[i]));
                return best;
            }
            case SymOp::piecewise: return real(chosen(a));
            default: throw Error(ErrorKind::invalid_input, "a symbolic number was expected");
        }
    }

    [[nodiscard]] bool boolean(const SymExpr& a) const {
        const auto& args = a.args();
        switch (a.op()) {
            case SymOp::boolean: return a.value() != 0;
            case SymOp::all_of: return algo::all_of(args, [this](const SymExpr& arg) { return boolean(arg); });
            case SymOp::any_of: return algo::any_of(args, [this](const SymExpr& arg) { return boolean(arg); });
            case SymOp::negation: return !boolean(args[0]);
            default: break;
        }
        if (a.op() < SymOp::eq || a.op() > SymOp::ge)
            throw Error(ErrorKind::invalid_input, "a symbolic condition was expected");
        if (args[0].type() == SymType::boolean) return (boolean(args[0]) == boolean(args[1])) == (a.op() == SymOp::eq);
        if (args[0].type() == SymType::integer && args[1].type() == SymType::integer)
            return holds(a.op(), integer(args[0]) <=> integer(args[1]));
        const double left = real(args[0]);
        const double right = real(args[1]);
        switch (a.op()) {
            case SymOp::eq: return left == right;
            case SymOp::ne: return left != right;
            case SymOp::lt: return left < right;
            case SymOp::le: return left <= right;
            case SymOp::gt: return left > right;
            default: return left >= right;
        }
    }

    [[nodiscard]] const SymExpr& chosen(const SymExpr& a) const {
        for (std::size_t i = 0; i < a.args().size(); i += 2)
            if (boolean(a.args()[i + 1])) return a.args()[i];
        throw Error(ErrorKind::invalid_input, "no case of a piecewise symbolic size holds");
    }
};

inline void collect_symbols(const SymExpr& a, std::vector<std::string>& into) {
    if (a.is_symbol()) into.push_back(a.name());
    for (const auto& arg : a.args()) collect_symbols(arg, into);
    for (const auto& term : a.terms())
        for (const auto& factor : term.factors) collect_symbols(factor.base, into);
}

}  // namespace detail

/// Throws on a missing symbol, a division by zero, and what does not fit into 64 bits.
[[nodiscard]] inline std::int64_t evaluate(const SymExpr& a, const SymBindings& bindings) {
    return detail::SymEvaluator{bindings}.integer(a);
}
[[nodiscard]] inline double evaluate_real(const SymExpr& a, const SymBindings& bindings) {
    return detail::SymEvaluator{bindings}.real(a);
}
[[nodiscard]] inline bool evaluate_bool(const SymExpr& a, const SymBindings& bindings) {
    return detail::SymEvaluator{bindings}.boolean(a);
}

/// Names in sorted order, each once.
[[nodiscard]] inline std::vector<std::string> free_symbols(const SymExpr& a) {
    std::vector<std::string> names;
    detail::collect_symbols(a, names);
    algo::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/// The same expression built anew, so simplified anew; symbols that the map does not have stay.
[[nodiscard]] inline SymExpr substitute(const SymExpr& a, const SymMap<SymExpr>& values) {
    if (a.is_constant()) return a;
    if (a.is_symbol()) {
        const auto* value = values.find(a.name());
        return value != nullptr ? *value : a;
    }
    if (a.op() == SymOp::sum) {
        std::vector<SymExpr> parts{a.value()};
        for (const auto& term : a.terms()) {
            SymExpr product = term.coefficient;
            for (const auto& factor : term.factors)
                product = product * pow(substitute(factor.base, values), factor.exponent);
            parts.push_back(std::move(product));
        }
        return sym_sum(parts);
    }
    std::vector<SymExpr> args;
    args.reserve(a.args().size());
    for (const auto& arg : a.args()) args.push_back(substitute(arg, values));
    switch (a.op()) {
        case SymOp::floor_div: return floor_div(args[0], args[1]);
        case SymOp::mod: return mod(args[0], args[1]);
        case SymOp::power: return pow(args[0], args[1]);
        case SymOp::min: return sym_min(std::move(args));
        case SymOp::max: return sym_max(std::move(args));
        case SymOp::piecewise: return piecewise(args);
        case SymOp::real_sum: return sym_sum(args);
        case SymOp::real_product: return detail::real_arithmetic(SymOp::real_product, std::move(args));
        case SymOp::unary: return unary_call(a.name(), args[0]);
        case SymOp::all_of: return all_of(args);
        case SymOp::any_of: return any_of(args);
        case SymOp::negation: return negation(args[0]);
        default: break;
    }
    if (args.empty()) return a;
    if (a.op() >= SymOp::eq && a.op() <= SymOp::ge) return compare(a.op(), args[0], args[1]);
    return real_call(a.op(), std::move(args));
}

}  // namespace ferry
