#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// An expression over a whole number: sympy divides where integers would not, and multiplies back later.
struct SymQuotient {
    SymExpr over;
    std::int64_t under = 1;
};

class SymParser {
public:
    static constexpr std::size_t max_length = 1U << 16;
    static constexpr int max_nesting = 100;
    static constexpr std::size_t max_work = 1U << 20;

    explicit SymParser(std::string_view text) : text_(text) {}

    SymExpr parse() {
        if (text_.size() > max_length) fail("is too long");
        try {
            const SymExpr result = whole(disjunction());
            skip_blanks();
            if (at_ != text_.size()) fail("has something left over");
            return result;
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::bad_file) throw;
            // What a file asks for and cannot be built is that file's fault, except for what Ferry does not know.
            if (error.kind() == ErrorKind::unsupported) throw;
            fail(error.message());
        }
    }

private:
    [[noreturn]] void fail(std::string_view why) const {
        std::string message = "the symbolic expression '";
        message.append(text_.substr(0, 80)).append(text_.size() > 80 ? "...' " : "' ").append(why);
        message.append(" (at character ").append(std::to_string(at_)).append(")");
        throw Error(ErrorKind::bad_file, message);
    }

    struct Nesting {
        explicit Nesting(SymParser& parser) : depth(parser.depth_) {
            if (++depth > max_nesting) parser.fail("is nested too deeply");
        }
        ~Nesting() { --depth; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        int& depth;
    };

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    }
    bool take(std::string_view token) {
        skip_blanks();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }
    bool take_word(std::string_view word) {
        skip_blanks();
        const std::size_t end = at_ + word.size();
        if (text_.substr(at_, word.size()) != word || (end < text_.size() && is_name(text_[end]))) return false;
        at_ = end;
        return true;
    }
    void expect(std::string_view token) {
        if (!take(token)) fail("lacks '" + std::string(token) + "'");
    }
    [[nodiscard]] char peek() {
        skip_blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

    /// What a quotient is where an integer is wanted.
    SymExpr whole(const SymQuotient& a) {
        if (a.under == 1) return a.over;
        if (a.over.type() != SymType::integer) fail("divides something that is no integer");
        if (!always_divides(a.over, a.under))
            throw Error(ErrorKind::unsupported,
                        "the symbolic expression '" + std::string(text_.substr(0, 80)) + "' is not an integer");
        return floor_div(a.over, a.under);
    }
    static SymExpr as_real(const SymQuotient& a) {
        if (a.under == 1) return a.over;
        if (a.over.is_constant()) return SymExpr::real(true_quotient(a.over.value(), a.under));
        return real_call(SymOp::int_true_div, {a.over, a.under});
    }
    static SymQuotient reduced(SymExpr over, std::int64_t under) {
        if (under == 1) return {std::move(over), 1};
        if (under < 0) return reduced(-over, checked_neg(under));
        const SymPoly poly(over);
        std::int64_t common = content(poly, under);
        if (poly.constant == std::numeric_limits<std::int64_t>::min()) common = 1;
        common = std::gcd(common, poly.constant);
        if (common > 1) over = floor_div(over, common);
        return {std::move(over), under / common};
    }

    SymQuotient disjunction() {
        const Nesting nesting(*this);
        std::vector<SymExpr> args{};
        SymQuotient first = conjunction();
        while (take_word("or")) args.push_back(whole(conjunction()));
        if (args.empty()) return first;
        args.push_back(whole(first));
        return {any_of(args)};
    }
    SymQuotient conjunction() {
        std::vector<SymExpr> args;
        SymQuotient first = inversion();
        while (take_word("and")) args.push_back(whole(inversion()));
        if (args.empty()) return first;
        args.push_back(whole(first));
        return {all_of(args)};
    }
    SymQuotient inversion() {
        bool negated = false;
        while (take_word("not")) negated = !negated;
        SymQuotient a = comparison();
        return negated ? SymQuotient{negation(whole(a))} : a;
    }
    SymQuotient comparison() {
        SymQuotient left = bit_or();
        constexpr std::pair<std::string_view, SymOp> signs[] = {{"<=", SymOp::le}, {">=", SymOp::ge}, {"==", SymOp::eq},
                                                                {"!=", SymOp::ne}, {"<", SymOp::lt},  {">", SymOp::gt}};
        for (const auto& [sign, op] : signs)
            if (take(sign)) return {relation(op, left, bit_or())};
        return left;
    }
    static SymExpr relation(SymOp op, const SymQuotient& a, const SymQuotient& b) {
        // Both sides times both denominators, which are positive.
        if (a.under != 1 || b.under != 1) return compare(op, a.over * SymExpr(b.under), b.over * SymExpr(a.under));
        return compare(op, a.over, b.over);
    }
    SymQuotient bit_or() {
        SymQuotient first = bit_and();
        std::vector<SymExpr> args;
        while (take("|")) args.push_back(whole(bit_and()));
        if (args.empty()) return first;
        args.push_back(whole(first));
        return {any_of(args)};
    }
    SymQuotient bit_and() {
        SymQuotient first = sum();
        std::vector<SymExpr> args;
        while (take("&")) args.push_back(whole(sum()));
        if (args.empty()) return first;
        args.push_back(whole(first));
        return {all_of(args)};
    }

    /// Collected first and added once, so that a long sum takes no quadratic time.
    SymQuotient total(const std::vector<SymQuotient>& parts) {
        if (parts.size() == 1) return parts[0];
        std::int64_t under = 1;
        bool real = false;
        for (const auto& part : parts) {
            real = is_real(part.over) || real;
            under = checked_mul(under / std::gcd(under, part.under), part.under);
        }
        std::vector<SymExpr> args;
        args.reserve(parts.size());
        for (const auto& part : parts) {
            if (real)
                args.push_back(as_real(part));
            else
                args.push_back(under == part.under ? part.over : part.over * SymExpr(under / part.under));
        }
        return reduced(sym_sum(args), real ? 1 : under);
    }
    SymQuotient sum() {
        std::vector<SymQuotient> parts;
        parts.push_back(product());
        for (;;) {
            if (take("+")) {
                parts.push_back(product());
            } else if (take("-")) {
                SymQuotient part = product();
                part.over = -part.over;
                parts.push_back(std::move(part));
            } else {
                return total(parts);
            }
        }
    }
    static SymQuotient times(const SymQuotient& a, const SymQuotient& b) {
        if (is_real(a.over) || is_real(b.over)) return {as_real(a) * as_real(b)};
        return reduced(a.over * b.over, checked_mul(a.under, b.under));
    }
    SymQuotient divided(const SymQuotient& a, const SymQuotient& b) {
        if (is_real(a.over) || is_real(b.over)) return {real_call(SymOp::float_true_div, {as_real(a), as_real(b)})};
        if (b.over.is_constant(0)) fail("divides by zero");
        if (b.over.is_constant()) return reduced(a.over * SymExpr(b.under), checked_mul(a.under, b.over.value()));
        // Only what divides without rest, as sympy has it after cancelling.
        const SymExpr dividend = a.over * SymExpr(b.under);
        const SymExpr divisor = b.over * SymExpr(a.under);
        if (!mod(dividend, divisor).is_constant(0))
            throw Error(ErrorKind::unsupported,
                        "the symbolic expression '" + std::string(text_.substr(0, 80)) + "' is not an integer");
        return {floor_div(dividend, divisor)};
    }
    /// A chain of operations on one large sum costs its size each time, though it is short to write.
    void spend(const SymQuotient& a) {
        work_ += a.over.weight();
        if (work_ > max_work) fail("takes too much work");
    }
    SymQuotient product() {
        SymQuotient result = unary();
        for (;;) {
            spend(result);
            skip_blanks();
            if (text_.substr(at_, 2) == "**") return result;
            if (take("*")) {
                result = times(result, unary());
            } else if (take("//")) {
                const SymQuotient divisor = unary();
                // floor((a / m) / (b / n)) is floor(a * n / (m * b)).
                result = {floor_div(result.over * SymExpr(divisor.under), divisor.over * SymExpr(result.under))};
            } else if (take("/")) {
                result = divided(result, unary());
            } else if (take("%")) {
                result = {mod(whole(result), whole(unary()))};
            } else {
                return result;
            }
        }
    }
    SymQuotient unary() {
        const Nesting nesting(*this);
        if (take("-")) {
            SymQuotient a = unary();
            a.over = -a.over;
            return a;
        }
        if (take("+")) return unary();
        if (take("~")) return {negation(whole(unary()))};
        return power();
    }
    SymQuotient power() {
        SymQuotient base = atom();
        skip_blanks();
        if (!take("**")) return base;
        return raised(base, unary());
    }
    SymQuotient raised(const SymQuotient& base, const SymQuotient& exponent) {
        if (is_real(base.over) || is_real(exponent.over) || exponent.under != 1)
            return {real_call(SymOp::float_pow, {as_real(base), as_real(exponent)})};
        if (exponent.over.is_constant(-1)) return divided({1}, base);
        if (exponent.over.is_constant() && base.under != 1)
            return reduced(pow(base.over, exponent.over), checked_pow(base.under, exponent.over.value()));
        return {pow(whole(base), exponent.over)};
    }

    SymQuotient number() {
        const std::size_t start = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        const bool real = at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E');
        if (!real) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + at_, value);
            if (error != std::errc() || end != text_.data() + at_) fail("has a number that does not fit into 64 bits");
            return {value};
        }
        return {SymExpr::real(real_number(start))};
    }
    double real_number(std::size_t start) {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("has a number that cannot be read");
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::string_view name() {
        skip_blanks();
        const std::size_t start = at_;
        while (at_ < text_.size() && is_name(text_[at_])) ++at_;
        if (start == at_ || is_digit(text_[start])) fail("lacks a name or a number");
        return text_.substr(start, at_ - start);
    }
    std::string_view quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') fail("lacks a string");
        const std::size_t start = ++at_;
        const std::size_t end = text_.find(quote, start);
        if (end == std::string_view::npos) fail("has a string without end");
        at_ = end + 1;
        return text_.substr(start, end - start);
    }
    /// `, integer=True, precision=53` up to and with the parenthesis.
    void skip_keywords() {
        while (take(",")) {
            name();
            expect("=");
            if (is_digit(peek()))
                number();
            else
                name();
        }
        expect(")");
    }

    SymQuotient atom() {
        const char c = peek();
        if (is_digit(c) || c == '.') return number();
        if (take("(")) {
            SymQuotient inside = disjunction();
            expect(")");
            return inside;
        }
        const std::string_view word = name();
        if (take("(")) return call(word);
        if (word == "True" || word == "true") return {SymExpr::boolean(true)};
        if (word == "False" || word == "false") return {SymExpr::boolean(false)};
        if (word == "int_oo" || word == "oo") return {SymExpr::infinity()};
        if (word == "zoo" || word == "nan" || word == "I" || word == "E") fail("has a value that no size has");
        return {SymExpr::symbol(word)};
    }

    SymQuotient call(std::string_view function) {
        if (function == "Symbol") {
            const std::string_view symbol = quoted();
            if (symbol.empty() || is_digit(symbol[0]) || !std::ranges::all_of(symbol, is_name))
                fail("has a symbol without a proper name");
            skip_keywords();
            return {SymExpr::symbol(symbol)};
        }
        if (function == "Float") {
            const std::string_view digits = quoted();
            double value = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (error != std::errc() || end != digits.data() + digits.size()) fail("has a number that cannot be read");
            skip_keywords();
            return {SymExpr::real(value)};
        }
        if (function == "Piecewise") return {cases()};
        const Nesting nesting(*this);
        std::vector<SymQuotient> args;
        if (!take(")")) {
            do args.push_back(disjunction());
            while (take(","));
            expect(")");
        }
        return apply(function, args);
    }

    SymExpr cases() {
        std::vector<SymExpr> parts;
        do {
            if (!take("ExprCondPair")) skip_blanks();
            expect("(");
            parts.push_back(whole(disjunction()));
            expect(",");
            parts.push_back(whole(disjunction()));
            expect(")");
        } while (take(","));
        expect(")");
        return piecewise(parts);
    }

    SymQuotient apply(std::string_view function, const std::vector<SymQuotient>& args) {
        const auto is = [&](std::string_view wanted, std::size_t count) {
            if (function != wanted) return false;
            if (args.size() != count) fail("gives '" + std::string(function) + "' a wrong number of arguments");
            return true;
        };
        const auto all = [&] {
            std::vector<SymExpr> result;
            result.reserve(args.size());
            for (const auto& arg : args) result.push_back(whole(arg));
            if (result.empty()) fail("has a function without arguments");
            return result;
        };
        const auto arg = [&](std::size_t i) { return whole(args[i]); };
        if (is("Integer", 1)) return args[0];
        if (is("Rational", 2)) return divided(args[0], args[1]);
        if (function == "Add" && !args.empty()) return total(args);
        if (function == "Mul" && !args.empty()) {
            SymQuotient result = args[0];
            for (std::size_t i = 1; i < args.size(); ++i) {
                spend(result);
                result = times(result, args[i]);
            }
            return result;
        }
        if (is("Pow", 2) || is("PowByNatural", 2)) return raised(args[0], args[1]);
        if (is("FloorDiv", 2) || is("CleanDiv", 2))
            return {floor_div(args[0].over * SymExpr(args[1].under), args[1].over * SymExpr(args[0].under))};
        if (is("CeilDiv", 2)) return {ceil_div(arg(0), arg(1))};
        if (is("Mod", 2) || is("PythonMod", 2)) return {mod(arg(0), arg(1))};
        if (is("ModularIndexing", 3)) return {mod(floor_div(arg(0), arg(1)), arg(2))};
        if (function == "Min") return {sym_min(all())};
        if (function == "Max") return {sym_max(all())};
        if (is("Abs", 1)) return {sym_max({arg(0), -arg(0)})};
        if (is("Identity", 1)) return args[0];
        if (is("LShift", 2)) return {arg(0) * pow(2, arg(1))};
        if (is("RShift", 2)) return {floor_div(arg(0), pow(2, arg(1)))};
        if (is("Where", 3)) return {piecewise({arg(1), arg(0), arg(2), SymExpr::boolean(true)})};
        if (is("floor", 1) && args[0].over.type() == SymType::integer) return {floor_div(args[0].over, args[0].under)};
        if (is("ceiling", 1) && args[0].over.type() == SymType::integer) return {ceil_div(args[0].over, args[0].under)};
        if (is("CeilToInt", 1) || is("ceiling", 1)) return {real_call(SymOp::ceil_to_int, {as_real(args[0])})};
        if (is("FloorToInt", 1) || is("floor", 1)) return {real_call(SymOp::floor_to_int, {as_real(args[0])})};
        if (is("TruncToInt", 1)) return {real_call(SymOp::trunc_to_int, {as_real(args[0])})};
        if (is("RoundToInt", 1)) return {real_call(SymOp::round_to_int, {as_real(args[0])})};
        if (is("ToFloat", 1)) return {real_call(SymOp::to_float, {as_real(args[0])})};
        if (is("IntTrueDiv", 2)) return {real_call(SymOp::int_true_div, {arg(0), arg(1)})};
        if (is("FloatTrueDiv", 2)) return {real_call(SymOp::float_true_div, {as_real(args[0]), as_real(args[1])})};
        if (is("FloatPow", 2)) return {real_call(SymOp::float_pow, {as_real(args[0]), as_real(args[1])})};
        if (is("TruncToFloat", 1)) return {real_call(SymOp::trunc_to_float, {as_real(args[0])})};
        if (is("RoundDecimal", 2)) return {real_call(SymOp::round_decimal, {as_real(args[0]), arg(1)})};
        if (is("sqrt", 1)) return {unary_call("sqrt", as_real(args[0]))};
        if (constexpr std::string_view prefix = "OpaqueUnaryFn_"; function.starts_with(prefix) && args.size() == 1) {
            unary_value(function.substr(prefix.size()), 1.0);  // throws for a name it does not know
            return {unary_call(function.substr(prefix.size()), as_real(args[0]))};
        }
        if (is("Eq", 2) || is("Equality", 2)) return {relation(SymOp::eq, args[0], args[1])};
        if (is("Ne", 2) || is("Unequality", 2)) return {relation(SymOp::ne, args[0], args[1])};
        if (is("Lt", 2) || is("StrictLessThan", 2)) return {relation(SymOp::lt, args[0], args[1])};
        if (is("Le", 2) || is("LessThan", 2)) return {relation(SymOp::le, args[0], args[1])};
        if (is("Gt", 2) || is("StrictGreaterThan", 2)) return {relation(SymOp::gt, args[0], args[1])};
        if (is("Ge", 2) || is("GreaterThan", 2)) return {relation(SymOp::ge, args[0], args[1])};
        if (function == "And") return {all_of(all())};
        if (function == "Or") return {any_of(all())};
        if (is("Not", 1)) return {negation(arg(0))};
        throw Error(ErrorKind::unsupported,
                    "unknown function in a symbolic expression: " + std::string(function.substr(0, 80)));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t work_ = 0;
    int depth_ = 0;
};

}  // namespace detail

/// Reads what `to_string` and `to_srepr` write, and what torch itself writes in either form. Anything malformed is an Error of
/// kind bad_file; a function that Ferry does not know, or what it has no way to hold, one of kind unsupported.
[[nodiscard]] inline SymExpr parse_sym_expr(std::string_view text) { return detail::SymParser(text).parse(); }

}  // namespace ferry
