#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/detail/sym_functions.hpp>
#include <ferry/graph/detail/sym_quotient.hpp>
#include <ferry/graph/detail/sym_scanner.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// The grammar, from what binds least to what binds most.
class SymParser {
public:
    explicit SymParser(std::string_view text) : scanner_(text), in_(scanner_) {}

    SymExpr parse() {
        try {
            const SymExpr result = in_.whole(disjunction());
            if (!scanner_.at_end()) scanner_.fail("has something left over");
            if (scanner_.beyond_64_bits() && result.type() != SymType::boolean)
                scanner_.fail("has a number that does not fit into 64 bits");
            return result;
        } catch (const Error& error) {
            // What a file asks for and cannot be built is that file's fault, except for what Ferry does not know.
            if (error.kind() == ErrorKind::bad_file || error.kind() == ErrorKind::unsupported) throw;
            scanner_.fail(error.message());
        }
    }

private:
    SymQuotient disjunction() {
        const SymScanner::Nesting nesting(scanner_);
        std::vector<SymExpr> args{};
        SymQuotient first = conjunction();
        while (scanner_.take_word("or")) args.push_back(in_.whole(conjunction()));
        if (args.empty()) return first;
        args.push_back(in_.whole(first));
        return {any_of(args)};
    }
    SymQuotient conjunction() {
        std::vector<SymExpr> args;
        SymQuotient first = inversion();
        while (scanner_.take_word("and")) args.push_back(in_.whole(inversion()));
        if (args.empty()) return first;
        args.push_back(in_.whole(first));
        return {all_of(args)};
    }
    SymQuotient inversion() {
        bool negated = false;
        while (scanner_.take_word("not")) negated = !negated;
        SymQuotient a = comparison();
        return negated ? SymQuotient{negation(in_.whole(a))} : a;
    }
    SymQuotient comparison() {
        SymQuotient left = bit_or();
        constexpr std::pair<std::string_view, SymOp> signs[] = {{"<=", SymOp::le}, {">=", SymOp::ge}, {"==", SymOp::eq},
                                                                {"!=", SymOp::ne}, {"<", SymOp::lt},  {">", SymOp::gt}};
        for (const auto& [sign, op] : signs)
            if (scanner_.take(sign)) return {in_.relation(op, left, bit_or())};
        return left;
    }
    SymQuotient bit_or() {
        SymQuotient first = bit_and();
        std::vector<SymExpr> args;
        while (scanner_.take("|")) args.push_back(in_.whole(bit_and()));
        if (args.empty()) return first;
        args.push_back(in_.whole(first));
        return {any_of(args)};
    }
    SymQuotient bit_and() {
        SymQuotient first = sum();
        std::vector<SymExpr> args;
        while (scanner_.take("&")) args.push_back(in_.whole(sum()));
        if (args.empty()) return first;
        args.push_back(in_.whole(first));
        return {all_of(args)};
    }

    SymQuotient sum() {
        std::vector<SymQuotient> parts;
        parts.push_back(product());
        for (;;) {
            if (scanner_.take("+")) {
                parts.push_back(product());
            } else if (scanner_.take("-")) {
                SymQuotient part = product();
                part.over = -part.over;
                parts.push_back(std::move(part));
            } else {
                return in_.total(parts);
            }
        }
    }
    SymQuotient product() {
        SymQuotient result = unary();
        for (;;) {
            in_.spend(result);
            if (scanner_.next_is("**")) return result;
            if (scanner_.take("*")) {
                result = in_.times(result, unary());
            } else if (scanner_.take("//")) {
                const SymQuotient divisor = unary();
                // floor((a / m) / (b / n)) is floor(a * n / (m * b)).
                result = {floor_div(result.over * SymExpr(divisor.under), divisor.over * SymExpr(result.under))};
            } else if (scanner_.take("/")) {
                result = in_.divided(result, unary());
            } else if (scanner_.take("%")) {
                result = {mod(in_.whole(result), in_.whole(unary()))};
            } else {
                return result;
            }
        }
    }
    SymQuotient unary() {
        const SymScanner::Nesting nesting(scanner_);
        if (scanner_.take("-")) {
            SymQuotient a = unary();
            a.over = -a.over;
            return a;
        }
        if (scanner_.take("+")) return unary();
        if (scanner_.take("~")) return {negation(in_.whole(unary()))};
        return power();
    }
    SymQuotient power() {
        SymQuotient base = atom();
        if (!scanner_.take("**")) return base;
        return in_.raised(base, unary());
    }
    SymQuotient atom() {
        const char c = scanner_.peek();
        if (SymScanner::is_digit(c) || c == '.') return {scanner_.number()};
        if (scanner_.take("(")) {
            SymQuotient inside = disjunction();
            scanner_.expect(")");
            return inside;
        }
        const std::string_view word = scanner_.name();
        if (scanner_.take("(")) return call(word);
        if (word == "True" || word == "true") return {SymExpr::boolean(true)};
        if (word == "False" || word == "false") return {SymExpr::boolean(false)};
        if (word == "int_oo" || word == "oo") return {SymExpr::infinity()};
        if (word == "zoo" || word == "nan" || word == "I" || word == "E") scanner_.fail("has a value that no size has");
        return {SymExpr::symbol(word)};
    }

    SymQuotient call(std::string_view function) {
        if (function == "Symbol") {
            const std::string_view symbol = scanner_.quoted();
            if (symbol.empty() || SymScanner::is_digit(symbol[0]) || !algo::all_of(symbol, SymScanner::is_name))
                scanner_.fail("has a symbol without a proper name");
            scanner_.skip_keywords();
            return {SymExpr::symbol(symbol)};
        }
        if (function == "Float") {
            const std::string_view digits = scanner_.quoted();
            double value = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (error != std::errc() || end != digits.data() + digits.size())
                scanner_.fail("has a number that cannot be read");
            scanner_.skip_keywords();
            return {SymExpr::real(value)};
        }
        if (function == "Piecewise") return {cases()};
        const SymScanner::Nesting nesting(scanner_);
        std::vector<SymQuotient> args;
        if (!scanner_.take(")")) {
            do args.push_back(disjunction());
            while (scanner_.take(","));
            scanner_.expect(")");
        }
        return apply_sym_function(in_, scanner_, function, args);
    }

    SymExpr cases() {
        std::vector<SymExpr> parts;
        do {
            if (!scanner_.take("ExprCondPair")) scanner_.skip_blanks();
            scanner_.expect("(");
            parts.push_back(in_.whole(disjunction()));
            scanner_.expect(",");
            parts.push_back(in_.whole(disjunction()));
            scanner_.expect(")");
        } while (scanner_.take(","));
        scanner_.expect(")");
        return piecewise(parts);
    }

    SymScanner scanner_;
    SymQuotients in_;
};

}  // namespace detail

/// Reads what `to_string` and `to_srepr` write, and what torch itself writes in either form. Anything malformed is an Error of
/// kind bad_file; a function that Ferry does not know, or what it has no way to hold, one of kind unsupported.
[[nodiscard]] inline SymExpr parse_sym_expr(std::string_view text) { return detail::SymParser(text).parse(); }

}  // namespace ferry
