#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

/// Conditions over sizes, values that depend on conditions, and the functions over real numbers that sizes pass through
/// (`int(1.5 * s0)`).
namespace ferry {
namespace detail {

inline bool holds(SymOp op, std::strong_ordering order) {
    switch (op) {
        case SymOp::eq: return order == 0;
        case SymOp::ne: return order != 0;
        case SymOp::lt: return order < 0;
        case SymOp::le: return order <= 0;
        case SymOp::gt: return order > 0;
        default: return order >= 0;
    }
}

inline SymOp opposite(SymOp op) {
    switch (op) {
        case SymOp::eq: return SymOp::ne;
        case SymOp::ne: return SymOp::eq;
        case SymOp::lt: return SymOp::ge;
        case SymOp::le: return SymOp::gt;
        case SymOp::gt: return SymOp::le;
        default: return SymOp::lt;
    }
}

inline void require_condition(const SymExpr& a) {
    if (a.type() != SymType::boolean) throw Error(ErrorKind::invalid_input, "a symbolic number is used as a condition");
}

/// Twice the nodes of sympy's tree, as it counts them to order And and Or: a float is half a node.
inline std::size_t sympy_nodes(const SymExpr& a) {
    if (a.is_constant()) return 2;
    if (a.op() == SymOp::real) return 1;
    std::size_t count = 0;
    if (a.op() != SymOp::sum) {
        for (const auto& arg : a.args()) count += sympy_nodes(arg);
        if (a.op() == SymOp::piecewise) count += a.args().size();
        return count + 2;
    }
    for (const auto& term : a.terms()) {
        for (const auto& factor : term.factors) count += sympy_nodes(factor.base) + (factor.exponent == 1 ? 0 : 4);
        if (term.coefficient != 1 || term.factors.size() > 1) count += term.coefficient != 1 ? 4 : 2;
    }
    if (a.value() != 0) count += 2;
    return a.terms().size() > 1 || a.value() != 0 ? count + 2 : count;
}

inline SymExpr connective(SymOp op, const std::vector<SymExpr>& args) {
    const bool absorbing = op == SymOp::any_of;
    std::vector<SymExpr> kept;
    for (const auto& arg : args) {
        require_condition(arg);
        if (arg.op() == op) {
            kept.insert(kept.end(), arg.args().begin(), arg.args().end());
        } else if (arg.op() != SymOp::boolean) {
            kept.push_back(arg);
        } else if ((arg.value() != 0) == absorbing) {
            return arg;
        }
    }
    algo::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    if (kept.empty()) return SymExpr::boolean(!absorbing);
    algo::stable_sort(kept, {}, sympy_nodes);  // as sympy's And and Or print: the smallest first
    return kept.size() == 1 ? kept[0] : make_call(op, std::move(kept));
}

}  // namespace detail

/// `op` is one of eq, ne, lt, le, gt, ge. Decided at once when the two sides differ by a number.
[[nodiscard]] inline SymExpr compare(SymOp op, const SymExpr& a, const SymExpr& b) {
    const bool equality = op == SymOp::eq || op == SymOp::ne;
    if (equality && a.type() == SymType::boolean && b.type() == SymType::boolean) {
        if (a == b) return SymExpr::boolean(op == SymOp::eq);
        return detail::make_call(op, {a, b});
    }
    const bool real = detail::is_real(a) || detail::is_real(b);
    const bool infinite = a.op() == SymOp::infinity || b.op() == SymOp::infinity;
    if (infinite && !real) {
        const auto sign = [](const SymExpr& x) { return x.op() == SymOp::infinity ? x.value() : 0; };
        return SymExpr::boolean(detail::holds(op, sign(a) <=> sign(b)));
    }
    if (a == b && !real) return SymExpr::boolean(detail::holds(op, std::strong_ordering::equal));
    if (!real)
        if (const SymExpr difference = a - b; difference.is_constant())
            return SymExpr::boolean(detail::holds(op, difference.value() <=> 0));
    return detail::make_call(op, {a, b});
}
[[nodiscard]] inline SymExpr eq(const SymExpr& a, const SymExpr& b) { return compare(SymOp::eq, a, b); }
[[nodiscard]] inline SymExpr ne(const SymExpr& a, const SymExpr& b) { return compare(SymOp::ne, a, b); }
[[nodiscard]] inline SymExpr lt(const SymExpr& a, const SymExpr& b) { return compare(SymOp::lt, a, b); }
[[nodiscard]] inline SymExpr le(const SymExpr& a, const SymExpr& b) { return compare(SymOp::le, a, b); }
[[nodiscard]] inline SymExpr gt(const SymExpr& a, const SymExpr& b) { return compare(SymOp::gt, a, b); }
[[nodiscard]] inline SymExpr ge(const SymExpr& a, const SymExpr& b) { return compare(SymOp::ge, a, b); }

[[nodiscard]] inline SymExpr all_of(const std::vector<SymExpr>& args) {
    return detail::connective(SymOp::all_of, args);
}
[[nodiscard]] inline SymExpr any_of(const std::vector<SymExpr>& args) {
    return detail::connective(SymOp::any_of, args);
}

[[nodiscard]] inline SymExpr negation(const SymExpr& a) {
    detail::require_condition(a);
    if (a.op() == SymOp::boolean) return SymExpr::boolean(a.value() == 0);
    if (a.op() == SymOp::negation) return a.args()[0];
    if (a.op() >= SymOp::eq && a.op() <= SymOp::ge) {
        // With real numbers a comparison and its opposite may both be false (NaN).
        const bool real = a.args()[0].type() == SymType::real || a.args()[1].type() == SymType::real;
        if (!real) return compare(detail::opposite(a.op()), a.args()[0], a.args()[1]);
    }
    return detail::make_call(SymOp::negation, {a});
}

/// Values and conditions in turn; the value of the first condition that holds.
[[nodiscard]] inline SymExpr piecewise(const std::vector<SymExpr>& cases) {
    std::vector<SymExpr> kept;
    for (std::size_t i = 0; i + 1 < cases.size(); i += 2) {
        const SymExpr& condition = cases[i + 1];
        detail::require_condition(condition);
        const bool decided = condition.op() == SymOp::boolean;
        if (decided && condition.value() == 0) continue;
        kept.push_back(cases[i]);
        kept.push_back(condition);
        if (decided) break;
    }
    if (kept.empty()) throw Error(ErrorKind::invalid_input, "a piecewise expression without a case that can hold");
    if (kept[0].type() == SymType::boolean)
        throw Error(ErrorKind::unsupported, "a piecewise expression whose values are conditions");
    for (std::size_t i = 0; i < kept.size(); i += 2)
        if (kept[i].type() != kept[0].type())
            throw Error(ErrorKind::unsupported, "a piecewise expression whose values differ in type");
    return kept[1].op() == SymOp::boolean ? kept[0] : detail::make_call(SymOp::piecewise, std::move(kept));
}

/// A function of real numbers, or from real numbers to integers: `to_float`, `int_true_div`, `trunc_to_int`, ...
[[nodiscard]] inline SymExpr real_call(SymOp op, std::vector<SymExpr> args) {
    for (const auto& arg : args) detail::is_real(arg);
    const bool rounds = op >= SymOp::ceil_to_int && op <= SymOp::round_to_int;
    if (rounds && (args[0].type() == SymType::integer)) return args[0];
    return detail::make_call(op, std::move(args));
}

/// `name` is that of a function in Python's math module which takes and gives one real number.
[[nodiscard]] inline SymExpr unary_call(std::string_view name, const SymExpr& arg) {
    detail::is_real(arg);
    detail::SymNode node{.op = SymOp::unary};
    node.name = name;
    node.args = {arg};
    return detail::sym_access::make(std::move(node));
}

}  // namespace ferry
