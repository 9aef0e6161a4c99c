#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/guard.hpp>
#include <ferry/program/retrace/narrow_range.hpp>
#include <ferry/program/retrace/replace_symbol.hpp>
#include <ferry/program/retrace/settle_checks.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ferry::detail {

/// Puts what a program's guards say into its sizes and ranges, where whatever works on programs looks: sizes that must be equal
/// are of one symbol, and one that has a single value is that number.
class GuardSettler {
public:
    explicit GuardSettler(ExportedProgram& program) : program_(program) {}

    void settle() {
        while (replace_one()) continue;
        for (const SymExpr& least : at_least_zero()) narrow_range(program_.ranges, least);
    }

private:
    /// Expressions that the guards want to be zero or more; twice, with both signs, for equalities.
    [[nodiscard]] std::vector<SymExpr> at_least_zero() const {
        std::vector<SymExpr> found;
        const auto add = [&](auto&& self, const SymExpr& condition) -> void {
            if (condition.op() == SymOp::all_of)
                for (const SymExpr& part : condition.args()) self(self, part);
            if (condition.op() < SymOp::eq || condition.op() > SymOp::ge) return;
            const SymExpr &a = condition.args()[0], &b = condition.args()[1];
            if (a.type() != SymType::integer || b.type() != SymType::integer) return;
            const SymOp op = condition.op();
            if (op == SymOp::eq || op == SymOp::ge) found.push_back(a - b);
            if (op == SymOp::eq || op == SymOp::le) found.push_back(b - a);
            if (op == SymOp::gt) found.push_back(a - b - SymExpr(1));
            if (op == SymOp::lt) found.push_back(b - a - SymExpr(1));
        };
        for (const Guard& guard : program_.guards) add(add, guard.condition);
        return found;
    }

    /// Symbols that an expression is linear in, and nothing else.
    [[nodiscard]] static bool is_linear(const SymExpr& a) {
        return a.op() == SymOp::sum && algo::all_of(a.terms(), [](const SymTerm& term) {
                   return term.factors.size() == 1 && term.factors[0].exponent == 1 && term.factors[0].base.is_symbol();
               });
    }

    [[nodiscard]] bool replace_one() {
        const auto wanted = at_least_zero();
        for (const SymExpr& a : wanted) {
            if (!is_linear(a) || a.terms().size() > 2 || !algo::contains(wanted, -a)) continue;
            for (const SymTerm& term : a.terms()) {
                const SymExpr symbol = term.factors[0].base;
                if (is_unbacked_name(symbol.name())) continue;
                if (a.terms().size() == 1 && checked_mod(a.value(), term.coefficient) == 0)
                    return replace(symbol.name(), checked_neg(checked_floor_div(a.value(), term.coefficient)));
                // coefficient * symbol + rest is zero. A sum of sizes says how large it is, a difference what it must exceed.
                const SymExpr rest = a - symbol * SymExpr(term.coefficient);
                const SymExpr by = term.coefficient == 1 ? -rest : rest;
                const auto sum = as_affine(by);
                const bool is_one = term.coefficient == 1 || term.coefficient == -1;
                if (is_one && sum && sum->offset >= 0) return replace(symbol.name(), by);
            }
        }
        return false;
    }

    bool replace(const std::string& symbol, const SymExpr& by) {
        SymMap<SymExpr> replacement;
        replacement.set(symbol, by);
        replace_symbols(program_.graph, replacement);
        for (Guard& guard : program_.guards) guard.condition = ferry::substitute(guard.condition, replacement);
        const ValueRange* range = program_.ranges.find(symbol);
        const ValueRange old = range != nullptr ? *range : ValueRange{};
        SymMap<ValueRange> kept;
        for (const auto& [name, each] : program_.ranges)
            if (name != symbol) kept.set(name, each);
        program_.ranges = std::move(kept);
        if (by.is_constant()) {
            if (!old.contains(by.value())) contradiction(symbol);
            return true;
        }
        if (old.min > ValueRange::no_min) narrow_range(program_.ranges, by - SymExpr(old.min));
        if (old.max < ValueRange::no_max) narrow_range(program_.ranges, SymExpr(old.max) - by);
        return true;
    }

    ExportedProgram& program_;
};

[[nodiscard]] inline ExportedProgram settled(ExportedProgram program) {
    GuardSettler(program).settle();
    settle_checks(program);
    return program;
}

/// Symbols that guards are about, beyond what ranges say.
[[nodiscard]] inline std::set<std::string> guarded_symbols(const ExportedProgram& program) {
    std::set<std::string> symbols;
    for (const Guard& guard : program.guards)
        if (!decide(guard.condition, program.ranges))
            for (std::string& symbol : free_symbols(guard.condition)) symbols.insert(std::move(symbol));
    return symbols;
}

}  // namespace ferry::detail
