#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

/// What a graph computes with sizes: the functions of Python's operator module and torch's sym_* that torch.export writes.
namespace ferry {

using SymNumber = std::variant<std::int64_t, double, bool>;
using SymCall = SymNumber (*)(std::span<const SymNumber>);

/// The function of that name, or null when it is no function over sizes.
[[nodiscard]] SymCall find_sym_call(std::string_view op);

namespace detail {

[[nodiscard]] inline double real_of(const SymNumber& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}
[[nodiscard]] inline bool holds_real(const SymNumber& number) { return std::holds_alternative<double>(number); }
[[nodiscard]] inline std::int64_t integer_of(const SymNumber& number) {
    return std::visit([](auto value) { return static_cast<std::int64_t>(value); }, number);
}

/// Integers as long as both are, like Python.
template <class OnIntegers, class OnReals>
[[nodiscard]] SymNumber arithmetic(std::span<const SymNumber> args, OnIntegers&& on_integers, OnReals&& on_reals) {
    if (args.size() != 2)
        throw Error(ErrorKind::invalid_input, "a function over two sizes is called with another number of them");
    if (holds_real(args[0]) || holds_real(args[1])) return on_reals(real_of(args[0]), real_of(args[1]));
    return on_integers(integer_of(args[0]), integer_of(args[1]));
}

template <class Compare>
[[nodiscard]] SymNumber comparison(std::span<const SymNumber> args, Compare&& compare) {
    return arithmetic(
        args, [&](std::int64_t a, std::int64_t b) -> SymNumber { return compare(a, b); },
        [&](double a, double b) -> SymNumber { return compare(a, b); });
}

struct NamedSymCall {
    std::string_view name;
    SymCall call;
};

using SymArgs = std::span<const SymNumber>;

[[nodiscard]] inline const SymNumber& nth(SymArgs args, std::size_t position) {
    if (position >= args.size())
        throw Error(ErrorKind::invalid_input, "a function over sizes is called with too few of them");
    return args[position];
}

inline constexpr NamedSymCall sym_calls[] = {
    {"_operator::add",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return checked_add(a, b); },
             [](double a, double b) -> SymNumber { return a + b; });
     }},
    {"_operator::sub",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return checked_add(a, checked_neg(b)); },
             [](double a, double b) -> SymNumber { return a - b; });
     }},
    {"_operator::mul",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return checked_mul(a, b); },
             [](double a, double b) -> SymNumber { return a * b; });
     }},
    {"_operator::floordiv",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return checked_floor_div(a, b); },
             [](double a, double b) -> SymNumber { return std::floor(a / b); });
     }},
    {"_operator::mod",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return checked_mod(a, b); },
             [](double a, double b) -> SymNumber { return a - b * std::floor(a / b); });
     }},
    {"_operator::truediv",
     [](SymArgs args) {
         return arithmetic(
             args,
             [](auto a, auto b) -> SymNumber {
                 if (b == 0) sym_division_by_zero();
                 return static_cast<double>(a) / static_cast<double>(b);
             },
             [](double a, double b) -> SymNumber { return a / b; });
     }},
    {"_operator::pow",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return checked_pow(a, b); },
             [](double a, double b) -> SymNumber { return std::pow(a, b); });
     }},
    {"_operator::neg",
     [](SymArgs args) -> SymNumber {
         return holds_real(nth(args, 0)) ? SymNumber(-real_of(nth(args, 0)))
                                         : SymNumber(checked_neg(integer_of(nth(args, 0))));
     }},
    {"_operator::pos", [](SymArgs args) -> SymNumber { return nth(args, 0); }},
    {"_operator::lshift",
     [](SymArgs args) -> SymNumber {
         return checked_mul(integer_of(nth(args, 0)), checked_pow(2, integer_of(nth(args, 1))));
     }},
    {"_operator::rshift",
     [](SymArgs args) -> SymNumber {
         return checked_floor_div(integer_of(nth(args, 0)), checked_pow(2, integer_of(nth(args, 1))));
     }},
    {"_operator::eq", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a == b; }); }},
    {"_operator::ne", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a != b; }); }},
    {"_operator::lt", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a < b; }); }},
    {"_operator::le", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a <= b; }); }},
    {"_operator::gt", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a > b; }); }},
    {"_operator::ge", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a >= b; }); }},
    {"_operator::and_",
     [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) != 0 && integer_of(nth(args, 1)) != 0; }},
    {"_operator::or_",
     [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) != 0 || integer_of(nth(args, 1)) != 0; }},
    {"torch::sym_max",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return std::max(a, b); },
             [](double a, double b) -> SymNumber { return std::max(a, b); });
     }},
    {"torch::sym_min",
     [](SymArgs args) {
         return arithmetic(
             args, [](auto a, auto b) -> SymNumber { return std::min(a, b); },
             [](double a, double b) -> SymNumber { return std::min(a, b); });
     }},
    {"torch::sym_float", [](SymArgs args) -> SymNumber { return real_of(nth(args, 0)); }},
    {"torch::sym_int", [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)); }},
    {"torch::sym_not", [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) == 0; }},
    {"torch::sym_sqrt", [](SymArgs args) -> SymNumber { return std::sqrt(real_of(nth(args, 0))); }},
    {"torch::_sym_sqrt", [](SymArgs args) -> SymNumber { return std::sqrt(real_of(nth(args, 0))); }},
    {"math::sqrt", [](SymArgs args) -> SymNumber { return std::sqrt(real_of(nth(args, 0))); }},
    {"torch::sym_ite",
     [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) != 0 ? nth(args, 1) : nth(args, 2); }},
    {"math::ceil",
     [](SymArgs args) -> SymNumber { return static_cast<std::int64_t>(std::ceil(real_of(nth(args, 0)))); }},
    {"math::floor",
     [](SymArgs args) -> SymNumber { return static_cast<std::int64_t>(std::floor(real_of(nth(args, 0)))); }},
    {"math::trunc",
     [](SymArgs args) -> SymNumber { return static_cast<std::int64_t>(std::trunc(real_of(nth(args, 0)))); }},
};

}  // namespace detail

inline SymCall find_sym_call(std::string_view op) {
    if (op.starts_with("aten::")) return nullptr;
    const auto* found = algo::find(detail::sym_calls, op, &detail::NamedSymCall::name);
    return found != std::end(detail::sym_calls) ? found->call : nullptr;
}

}  // namespace ferry
