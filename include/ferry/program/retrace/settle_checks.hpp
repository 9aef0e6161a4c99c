#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace/narrow_range.hpp>
#include <ferry/program/retrace/replace_symbol.hpp>
#include <ferry/program/retrace/required_comparisons.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::detail {

/// Symbols of numbers that depend on values, in order of appearance.
[[nodiscard]] inline std::vector<std::string> unbacked_symbols(const Graph& graph) {
    std::vector<std::string> found;
    const auto add = [&](const SymExpr& size) {
        for (const std::string& symbol : free_symbols(size))
            if (is_unbacked_name(symbol) && !algo::contains(found, symbol)) found.push_back(symbol);
    };
    for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
        add(graph.info({i}).symbol);
        for (const SymExpr& size : graph.info({i}).tensor.sizes) add(size);
    }
    return found;
}

/// From this number on, `u` and a number is no symbol of the program.
[[nodiscard]] inline std::size_t unused_symbol(const ExportedProgram& program) {
    std::size_t unused = 0;
    const auto meet = [&](const std::string& symbol) {
        std::size_t number = 0;
        if (is_unbacked_name(symbol)) std::from_chars(symbol.data() + 1, symbol.data() + symbol.size(), number);
        unused = std::max(unused, number < SIZE_MAX / 2 ? number + 1 : number);
    };
    for (const std::string& symbol : unbacked_symbols(program.graph)) meet(symbol);
    for (const auto& [symbol, range] : program.ranges)
        if (is_unbacked_name(symbol)) meet(symbol);
    return unused;
}

/// Puts what a program's checks say of numbers that depend on values into its sizes and ranges: one that must be equal to what
/// others give is that expression wherever it occurs.
class CheckSettler {
public:
    explicit CheckSettler(ExportedProgram& program)
        : program_(program), order_(unbacked_symbols(program.graph)), unused_(unused_symbol(program)) {}

    void settle() {
        if (order_.empty()) return;
        while (replace_one()) continue;
        for (const SymExpr& condition : conditions()) narrow(condition);
        for (const Node& node : program_.graph.nodes())
            if (node.op().starts_with("aten::sym_constrain_range")) constrain(node);
    }

private:
    [[nodiscard]] std::vector<SymExpr> conditions() const {
        std::vector<SymExpr> found;
        ForEachRequired(
            [&](const RequiredComparison& each) {
                if (const auto condition = each.condition()) found.push_back(*condition);
            },
            [](const Node&) {})
            .go_through(program_.graph);
        return found;
    }

    /// What the last symbol of an expression is where the expression is zero, if it is linear in that.
    [[nodiscard]] std::optional<std::pair<std::string, SymExpr>> solve(const SymExpr& a) const {
        if (a.is_symbol() && is_unbacked_name(a.name())) return std::pair(a.name(), SymExpr(0));
        if (a.op() != SymOp::sum) return std::nullopt;
        for (const SymTerm& term : a.terms()) {
            if (term.factors.size() != 1 || term.factors[0].exponent != 1 || !term.factors[0].base.is_symbol())
                continue;
            const SymExpr symbol = term.factors[0].base;
            const auto at = algo::find(order_, symbol.name()) - order_.begin();
            if (at == std::ssize(order_)) continue;
            const SymExpr rest = a - symbol * SymExpr(term.coefficient);
            const auto comes_before = [&](const std::string& other) {
                return algo::find(order_, other) - order_.begin() < at || !is_unbacked_name(other);
            };
            if (!algo::all_of(free_symbols(rest), comes_before)) continue;
            if (const auto by = divided(-rest, term.coefficient)) return std::pair(symbol.name(), *by);
        }
        return std::nullopt;
    }

    /// Nothing where it does not come out even, whatever the symbols are.
    [[nodiscard]] static std::optional<SymExpr> divided(const SymExpr& a, std::int64_t by) {
        if (by == 1) return a;
        if (by == -1) return -a;
        if (a.is_constant())
            return checked_mod(a.value(), by) == 0 ? std::optional<SymExpr>(checked_floor_div(a.value(), by))
                                                   : std::nullopt;
        if (a.op() != SymOp::sum || checked_mod(a.value(), by) != 0) return std::nullopt;
        SymExpr quotient = checked_floor_div(a.value(), by);
        for (const SymTerm& term : a.terms()) {
            if (checked_mod(term.coefficient, by) != 0) return std::nullopt;
            SymExpr part = checked_floor_div(term.coefficient, by);
            for (const SymFactor& factor : term.factors) part = part * pow(factor.base, factor.exponent);
            quotient = quotient + part;
        }
        return quotient;
    }

    [[nodiscard]] bool replace_one() {
        for (const SymExpr& condition : conditions()) {
            if (condition.op() != SymOp::eq) continue;
            auto solved = solve(condition.args()[0] - condition.args()[1]);
            if (!solved) solved = in_steps(condition);
            if (!solved) continue;
            replace(solved->first, solved->second);
            return true;
        }
        return false;
    }

    /// A remainder may come with a factor: 3*Mod(2*u0, 3) for Mod(6*u0, 9).
    [[nodiscard]] static SymExpr without_factor(const SymExpr& a) {
        if (a.op() != SymOp::sum || a.value() != 0 || a.terms().size() != 1) return a;
        const auto& factors = a.terms()[0].factors;
        return factors.size() == 1 && factors[0].exponent == 1 ? factors[0].base : a;
    }

    /// One that is a multiple of a number is that number times another symbol.
    [[nodiscard]] std::optional<std::pair<std::string, SymExpr>> in_steps(const SymExpr& condition) {
        const SymExpr rest = without_factor(condition.args()[0]);
        const bool is_multiple =
            rest.op() == SymOp::mod && rest.args()[1].is_constant() && condition.args()[1].is_constant(0);
        const auto affine = is_multiple ? as_affine(rest.args()[0]) : std::nullopt;
        if (!affine) return std::nullopt;
        const std::int64_t whole = rest.args()[1].value();
        const auto at = algo::find(order_, affine->symbol);
        if (at == order_.end() || whole < 2 || checked_mod(affine->offset, whole) != 0) return std::nullopt;
        const std::int64_t step = whole / std::gcd(whole, affine->factor);
        *at = "u" + std::to_string(unused_++);
        return std::pair(affine->symbol, SymExpr::symbol(*at) * SymExpr(step));
    }

    void replace(const std::string& symbol, const SymExpr& by) {
        SymMap<SymExpr> replacement;
        replacement.set(symbol, by);
        replace_symbols(program_.graph, replacement);
        SymMap<ValueRange> kept;
        for (const auto& [name, range] : program_.ranges)
            if (name != symbol) kept.set(name, range);
        if (const ValueRange* range = program_.ranges.find(symbol)) {
            if (range->min != ValueRange::no_min) narrow_unbacked(kept, by - SymExpr(range->min));
            if (range->max < most) narrow_unbacked(kept, SymExpr(range->max) - by);
        }
        program_.ranges = std::move(kept);
    }

    void narrow(const SymExpr& condition) {
        if (condition.op() < SymOp::eq || condition.op() > SymOp::ge) return;
        const SymExpr difference = condition.args()[0] - condition.args()[1];
        const SymOp op = condition.op();
        if (op == SymOp::ge) narrow_unbacked(program_.ranges, difference);
        if (op == SymOp::gt) narrow_unbacked(program_.ranges, difference - SymExpr(1));
        if (op == SymOp::le) narrow_unbacked(program_.ranges, -difference);
        if (op == SymOp::lt) narrow_unbacked(program_.ranges, -difference - SymExpr(1));
    }

    /// What is said of sizes of inputs is checked when the program runs, and no promise of its.
    static void narrow_unbacked(SymMap<ValueRange>& ranges, const SymExpr& a) {
        const auto symbols = free_symbols(a);
        if (symbols.size() == 1 && is_unbacked_name(symbols[0])) narrow_range(ranges, a);
    }

    void constrain(const Node& node) {
        const Argument* size = node.find("size");
        const Value* value = size != nullptr ? size->get_if<Value>() : nullptr;
        if (value == nullptr) return;
        const SymExpr& symbol = program_.graph.info(*value).symbol;
        if (symbol.type() != SymType::integer) return;
        const auto bound = [&](const char* name) -> std::optional<std::int64_t> {
            const Argument* argument = node.find(name);
            const auto* number = argument != nullptr ? argument->get_if<std::int64_t>() : nullptr;
            return number != nullptr ? std::optional(*number) : std::nullopt;
        };
        if (const auto least = bound("min")) narrow_unbacked(program_.ranges, symbol - SymExpr(*least));
        if (const auto highest = bound("max")) narrow_unbacked(program_.ranges, SymExpr(*highest) - symbol);
    }

    static constexpr std::int64_t most = ValueRange::no_max - 1;  // Python's way to say that there is none

    ExportedProgram& program_;
    std::vector<std::string> order_;
    std::size_t unused_;
};

inline void settle_checks(ExportedProgram& program) { CheckSettler(program).settle(); }

}  // namespace ferry::detail
