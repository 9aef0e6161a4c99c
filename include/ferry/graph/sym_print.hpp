#pragma once

#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {
namespace detail {

inline std::string float_digits(double value, int digits) {
    std::array<char, 64> buffer{};
    const int size = std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
    std::string text(buffer.data(), static_cast<std::size_t>(size));
    if (text.find_first_of(".einf") == std::string::npos) text += ".0";
    return text;
}

/// sympy's StrPrinter over the forms that SymExpr has.
class SymPrinter {
public:
    std::string text;

    void print(const SymExpr& a) {
        switch (a.op()) {
            case SymOp::constant: text += std::to_string(a.value()); return;
            case SymOp::infinity: text += a.value() > 0 ? "int_oo" : "-int_oo"; return;
            case SymOp::symbol: text += a.name(); return;
            case SymOp::boolean: text += a.value() != 0 ? "True" : "False"; return;
            case SymOp::real: text += float_digits(a.real_value(), 15); return;
            case SymOp::sum: print_sum(a); return;
            case SymOp::floor_div:
                text += '(';
                parenthesize(a.args()[0], 999);
                text += "//";
                parenthesize(a.args()[1], 999);
                text += ')';
                return;
            case SymOp::real_sum: join(a.args(), " + ", 40); return;
            case SymOp::real_product: join(a.args(), "*", 50); return;
            case SymOp::lt:
            case SymOp::le:
            case SymOp::gt:
            case SymOp::ge: {
                constexpr std::array<std::string_view, 4> signs{" < ", " <= ", " > ", " >= "};
                join(a.args(), signs[static_cast<std::size_t>(a.op()) - static_cast<std::size_t>(SymOp::lt)], 35);
                return;
            }
            case SymOp::all_of: join(a.args(), " & ", 38); return;
            case SymOp::any_of: join(a.args(), " | ", 36); return;
            case SymOp::negation:
                text += '~';
                parenthesize(a.args()[0], 100);
                return;
            case SymOp::eq: text += "Eq"; break;
            case SymOp::ne: text += "Ne"; break;
            case SymOp::unary: text.append("OpaqueUnaryFn_").append(a.name()); break;
            case SymOp::piecewise: print_cases(a); return;
            default: text += sym_class_name(a); break;
        }
        text += '(';
        join(a.args(), ", ", 0);
        text += ')';
    }

private:
    /// The numbers of sympy's table; torch gives its own functions some that are lower than that of a sum.
    [[nodiscard]] static int precedence(const SymExpr& a) {
        switch (a.op()) {
            case SymOp::constant: return a.value() < 0 ? 40 : 1000;
            case SymOp::infinity: return a.value() < 0 ? 40 : 1000;
            case SymOp::real: return a.real_value() < 0 ? 40 : 1000;
            case SymOp::sum:
                if (a.terms().size() > 1 || a.value() != 0) return 40;
                return precedence(a.terms()[0]);
            case SymOp::floor_div:
            case SymOp::mod:
            case SymOp::int_true_div:
            case SymOp::float_true_div:
            case SymOp::lt:
            case SymOp::le:
            case SymOp::gt:
            case SymOp::ge: return 35;
            case SymOp::power:
            case SymOp::real_product:
            case SymOp::eq:
            case SymOp::ne: return 50;
            case SymOp::float_pow: return 60;
            case SymOp::real_sum: return 40;
            case SymOp::any_of: return 20;
            case SymOp::all_of: return 30;
            case SymOp::negation: return 100;
            case SymOp::symbol:
            case SymOp::boolean:
            case SymOp::min:
            case SymOp::max: return 1000;
            default: return 70;
        }
    }
    [[nodiscard]] static int precedence(const SymTerm& term) {
        if (term.coefficient == 1 && term.factors.size() == 1)
            return term.factors[0].exponent == 1 ? precedence(term.factors[0].base) : 60;
        for (const auto& factor : term.factors)
            if (factor.exponent == 1 && precedence(factor.base) == 35) return 50;
        return term.coefficient < 0 ? 40 : 50;
    }

    void parenthesize(const SymExpr& a, int level) {
        const bool parens = precedence(a) <= level;
        if (parens) text += '(';
        print(a);
        if (parens) text += ')';
    }

    void join(const std::vector<SymExpr>& args, std::string_view separator, int level) {
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (i != 0) text += separator;
            parenthesize(args[i], level);
        }
    }

    void print_product(const SymTerm& term, bool negative) {
        const int level = precedence(term);
        // The magnitude of the smallest integer has no int64.
        const std::uint64_t magnitude =
            negative ? ~static_cast<std::uint64_t>(term.coefficient) + 1 : static_cast<std::uint64_t>(term.coefficient);
        bool first = magnitude == 1;
        if (!first) text += std::to_string(magnitude);
        const bool alone = first && term.factors.size() == 1 && !negative;
        for (const auto& factor : term.factors) {
            if (!first) text += '*';
            first = false;
            if (factor.exponent == 1) {
                if (alone)
                    print(factor.base);
                else
                    parenthesize(factor.base, level);
            } else {
                parenthesize(factor.base, 60);
                text.append("**").append(std::to_string(factor.exponent));
            }
        }
    }

    void print_sum(const SymExpr& a) {
        const auto& terms = a.terms();
        // 8 - s0 rather than -s0 + 8, but only for one atom.
        const bool constant_first =
            terms.size() == 1 && a.value() > 0 && terms[0].coefficient < 0 && terms[0].factors.size() == 1;
        if (constant_first) text += std::to_string(a.value());
        bool first = !constant_first;
        const bool lone = terms.size() == 1 && a.value() == 0;
        for (const auto& term : terms) {
            const bool negative = term.coefficient < 0;
            if (first)
                text += negative ? "-" : "";
            else
                text += negative ? " - " : " + ";
            first = false;
            const bool parens = !lone && precedence(term) < 40;
            if (parens) text += '(';
            print_product(term, negative);
            if (parens) text += ')';
        }
        if (a.value() == 0 || constant_first) return;
        const std::string number = std::to_string(a.value());
        if (a.value() < 0)
            text.append(" - ").append(number, 1);
        else
            text.append(" + ").append(number);
    }

    void print_cases(const SymExpr& a) {
        text += "Piecewise(";
        for (std::size_t i = 0; i < a.args().size(); i += 2) {
            text += i == 0 ? "(" : ", (";
            print(a.args()[i]);
            text += ", ";
            print(a.args()[i + 1]);
            text += ')';
        }
        text += ')';
    }
};

/// sympy's ReprPrinter: what torch.export writes to files.
class SymReprPrinter {
public:
    std::string text;

    void print(const SymExpr& a) {
        switch (a.op()) {
            case SymOp::constant: print_integer(a.value()); return;
            case SymOp::infinity: text += a.value() > 0 ? "int_oo" : "Mul(Integer(-1), int_oo)"; return;
            case SymOp::boolean: text += a.value() != 0 ? "true" : "false"; return;
            case SymOp::real:
                text.append("Float('").append(float_digits(a.real_value(), 17)).append("', precision=53)");
                return;
            case SymOp::symbol:
                text.append("Symbol('").append(a.name());
                text += is_unbacked_name(a.name()) ? "', integer=True)" : "', positive=True, integer=True)";
                return;
            case SymOp::sum: print_sum(a); return;
            case SymOp::unary: text.append("OpaqueUnaryFn_").append(a.name()).append("("); break;
            case SymOp::piecewise:
                for (std::size_t i = 0; i < a.args().size(); i += 2) {
                    text += i == 0 ? "Piecewise(ExprCondPair(" : ", ExprCondPair(";
                    print(a.args()[i]);
                    text += ", ";
                    print(a.args()[i + 1]);
                    text += ')';
                }
                text += ')';
                return;
            default: text.append(sym_class_name(a)).append("("); break;
        }
        for (std::size_t i = 0; i < a.args().size(); ++i) {
            if (i != 0) text += ", ";
            print(a.args()[i]);
        }
        text += ')';
    }

private:
    void print_integer(std::int64_t value) { text.append("Integer(").append(std::to_string(value)).append(")"); }

    void print_product(const SymTerm& term) {
        const bool product = term.coefficient != 1 || term.factors.size() > 1;
        if (product) text += "Mul(";
        bool first = term.coefficient == 1;
        if (!first) print_integer(term.coefficient);
        for (const auto& factor : term.factors) {
            if (!first) text += ", ";
            first = false;
            if (factor.exponent != 1) text += "Pow(";
            print(factor.base);
            if (factor.exponent != 1) {
                text += ", ";
                print_integer(factor.exponent);
                text += ')';
            }
        }
        if (product) text += ')';
    }

    void print_sum(const SymExpr& a) {
        const bool sum = a.terms().size() > 1 || a.value() != 0;
        if (sum) text += "Add(";
        bool first = true;
        for (const auto& term : a.terms()) {
            if (!first) text += ", ";
            first = false;
            print_product(term);
        }
        if (a.value() != 0) {
            text += ", ";
            print_integer(a.value());
        }
        if (sum) text += ')';
    }
};

}  // namespace detail

/// As Python's `str` prints the same expression in torch: `2*s0 + ((s1//8)) - 1`.
[[nodiscard]] inline std::string to_string(const SymExpr& a) {
    detail::SymPrinter printer;
    printer.print(a);
    return std::move(printer.text);
}

/// As torch.export writes expressions to a .pt2 file: `Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), ...)`.
[[nodiscard]] inline std::string to_srepr(const SymExpr& a) {
    detail::SymReprPrinter printer;
    printer.print(a);
    return std::move(printer.text);
}

}  // namespace ferry
