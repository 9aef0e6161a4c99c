#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/detail/sym_quotient.hpp>
#include <ferry/graph/detail/sym_scanner.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::detail {

/// Calls a function of sympy's or torch's by the name that it has in printed expressions.
[[nodiscard]] inline SymQuotient apply_sym_function(SymQuotients& in, const SymScanner& scanner,
                                                    std::string_view function, const std::vector<SymQuotient>& args) {
    const auto is = [&](std::string_view wanted, std::size_t count) {
        if (function != wanted) return false;
        if (args.size() != count) scanner.fail("gives '" + std::string(function) + "' a wrong number of arguments");
        return true;
    };
    const auto all = [&] {
        std::vector<SymExpr> result;
        result.reserve(args.size());
        for (const auto& arg : args) result.push_back(in.whole(arg));
        if (result.empty()) scanner.fail("has a function without arguments");
        return result;
    };
    const auto arg = [&](std::size_t i) { return in.whole(args[i]); };
    if (is("Integer", 1)) return args[0];
    if (is("Rational", 2)) return in.divided(args[0], args[1]);
    if (function == "Add" && !args.empty()) return in.total(args);
    if (function == "Mul" && !args.empty()) {
        SymQuotient result = args[0];
        for (std::size_t i = 1; i < args.size(); ++i) {
            in.spend(result);
            result = in.times(result, args[i]);
        }
        return result;
    }
    if (is("Pow", 2) || is("PowByNatural", 2)) return in.raised(args[0], args[1]);
    if (is("FloorDiv", 2) || is("CleanDiv", 2))
        return {floor_div(args[0].over * SymExpr(args[1].under), args[1].over * SymExpr(args[0].under))};
    if (is("CeilDiv", 2)) return {ceil_div(arg(0), arg(1))};
    if (is("Mod", 2) || is("PythonMod", 2)) return {mod(arg(0), arg(1))};
    if (is("ModularIndexing", 3)) return {mod(floor_div(arg(0), arg(1)), arg(2))};
    if (function == "Min" || function == "min") return {sym_min(all())};
    if (function == "Max" || function == "max") return {sym_max(all())};
    if (is("Abs", 1)) return {sym_max({arg(0), -arg(0)})};
    if (is("Identity", 1)) return args[0];
    if (is("LShift", 2)) return {arg(0) * pow(2, arg(1))};
    if (is("RShift", 2)) return {floor_div(arg(0), pow(2, arg(1)))};
    if (is("Where", 3)) return {piecewise({arg(1), arg(0), arg(2), SymExpr::boolean(true)})};
    if (is("floor", 1) && args[0].over.type() == SymType::integer) return {floor_div(args[0].over, args[0].under)};
    if (is("ceiling", 1) && args[0].over.type() == SymType::integer) return {ceil_div(args[0].over, args[0].under)};
    if (is("CeilToInt", 1) || is("ceiling", 1)) return {real_call(SymOp::ceil_to_int, {in.as_real(args[0])})};
    if (is("FloorToInt", 1) || is("floor", 1)) return {real_call(SymOp::floor_to_int, {in.as_real(args[0])})};
    if (is("TruncToInt", 1)) return {real_call(SymOp::trunc_to_int, {in.as_real(args[0])})};
    if (is("RoundToInt", 1)) return {real_call(SymOp::round_to_int, {in.as_real(args[0])})};
    if (is("ToFloat", 1)) return {real_call(SymOp::to_float, {in.as_real(args[0])})};
    if (is("IntTrueDiv", 2)) return {real_call(SymOp::int_true_div, {arg(0), arg(1)})};
    if (is("FloatTrueDiv", 2)) return {real_call(SymOp::float_true_div, {in.as_real(args[0]), in.as_real(args[1])})};
    if (is("FloatPow", 2)) return {real_call(SymOp::float_pow, {in.as_real(args[0]), in.as_real(args[1])})};
    if (is("TruncToFloat", 1)) return {real_call(SymOp::trunc_to_float, {in.as_real(args[0])})};
    if (is("RoundDecimal", 2)) return {real_call(SymOp::round_decimal, {in.as_real(args[0]), arg(1)})};
    if (is("sqrt", 1)) return {unary_call("sqrt", in.as_real(args[0]))};
    if (constexpr std::string_view prefix = "OpaqueUnaryFn_"; function.starts_with(prefix) && args.size() == 1) {
        unary_value(function.substr(prefix.size()), 1.0);  // throws for a name it does not know
        return {unary_call(function.substr(prefix.size()), in.as_real(args[0]))};
    }
    if (is("Eq", 2) || is("Equality", 2)) return {in.relation(SymOp::eq, args[0], args[1])};
    if (is("Ne", 2) || is("Unequality", 2)) return {in.relation(SymOp::ne, args[0], args[1])};
    if (is("Lt", 2) || is("StrictLessThan", 2)) return {in.relation(SymOp::lt, args[0], args[1])};
    if (is("Le", 2) || is("LessThan", 2)) return {in.relation(SymOp::le, args[0], args[1])};
    if (is("Gt", 2) || is("StrictGreaterThan", 2)) return {in.relation(SymOp::gt, args[0], args[1])};
    if (is("Ge", 2) || is("GreaterThan", 2)) return {in.relation(SymOp::ge, args[0], args[1])};
    if (function == "And") return {all_of(all())};
    if (function == "Or") return {any_of(all())};
    if (is("Not", 1)) return {negation(arg(0))};
    throw Error(ErrorKind::unsupported,
                "unknown function in a symbolic expression: " + std::string(function.substr(0, 80)));
}

}  // namespace ferry::detail
