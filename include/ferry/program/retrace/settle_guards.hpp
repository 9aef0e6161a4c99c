#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/guard.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
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
        for (const SymExpr& least : at_least_zero()) narrow(least);
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
        return a.op() == SymOp::sum && std::ranges::all_of(a.terms(), [](const SymTerm& term) {
                   return term.factors.size() == 1 && term.factors[0].exponent == 1 && term.factors[0].base.is_symbol();
               });
    }

    [[nodiscard]] bool replace_one() {
        const auto wanted = at_least_zero();
        for (const SymExpr& a : wanted) {
            if (!is_linear(a) || a.terms().size() > 2 || std::ranges::find(wanted, -a) == wanted.end()) continue;
            for (const SymTerm& term : a.terms()) {
                const SymExpr symbol = term.factors[0].base;
                if (is_unbacked_name(symbol.name())) continue;
                if (a.terms().size() == 1 && a.value() % term.coefficient == 0)
                    return replace(symbol.name(), -a.value() / term.coefficient);
                // coefficient * symbol + rest is zero. A sum of sizes says how large it is, a difference what it must exceed.
                const SymExpr rest = a - symbol * SymExpr(term.coefficient);
                const SymExpr by = term.coefficient == 1 ? -rest : rest;
                const auto sum = as_affine(by);
                if (std::abs(term.coefficient) == 1 && sum && sum->offset >= 0) return replace(symbol.name(), by);
            }
        }
        return false;
    }

    bool replace(const std::string& symbol, const SymExpr& by) {
        SymMap<SymExpr> replacement;
        replacement.set(symbol, by);
        replace_in(program_.graph, replacement);
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
        if (old.min > ValueRange::no_min) narrow(by - SymExpr(old.min));
        if (old.max < ValueRange::no_max) narrow(SymExpr(old.max) - by);
        return true;
    }

    static void replace_in(Graph& graph, const SymMap<SymExpr>& replacement) {
        for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
            ValueInfo& info = graph.info({i});
            info.symbol = ferry::substitute(info.symbol, replacement);
            for (auto* sizes : {&info.tensor.sizes, &info.tensor.strides})
                for (SymExpr& size : *sizes) size = ferry::substitute(size, replacement);
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) replace_in(graph.subgraph({i}), replacement);
    }

    /// `a` is zero or more: says that of a range, if it is about one symbol.
    void narrow(const SymExpr& a) {
        const auto up = as_affine(a), down = as_affine(-a);
        const auto& affine = up ? up : down;
        if (!affine) return;
        const ValueRange* known = program_.ranges.find(affine->symbol);
        ValueRange range = known != nullptr ? *known : ValueRange{.min = 0};
        // factor * symbol + offset >= 0, or <= 0.
        const std::int64_t quotient = -affine->offset / affine->factor;
        const bool is_exact = affine->offset % affine->factor == 0;
        const bool is_positive = affine->offset < 0;  // division rounds towards zero
        if (up)
            range.min = std::max(range.min, quotient + (!is_exact && is_positive ? 1 : 0));
        else
            range.max = std::min(range.max, quotient - (!is_exact && !is_positive ? 1 : 0));
        if (range.empty()) contradiction(affine->symbol);
        program_.ranges.set(affine->symbol, range);
    }

    [[noreturn]] static void contradiction(const std::string& symbol) {
        throw Error(ErrorKind::bad_file,
                    "what the program says of its sizes is a contradiction: '" + symbol + "' can have no value");
    }

    ExportedProgram& program_;
};

[[nodiscard]] inline ExportedProgram settled(ExportedProgram program) {
    GuardSettler(program).settle();
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
