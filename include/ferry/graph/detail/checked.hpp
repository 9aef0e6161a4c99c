#pragma once

#include <ferry/core/error.hpp>

#include <cstdint>

/// Integer arithmetic with Python's rounding that throws where C++ would overflow.
namespace ferry::detail {

[[noreturn]] inline void sym_overflow() {
    throw Error(ErrorKind::unsupported, "a symbolic size does not fit into 64 bits");
}
[[noreturn]] inline void sym_too_large() {
    throw Error(ErrorKind::unsupported, "a symbolic expression is too large",
                {.hint = "make fewer dimensions dynamic, or state ranges that keep the expression small"});
}
[[noreturn]] inline void sym_division_by_zero() {
    throw Error(ErrorKind::invalid_input, "a symbolic size is divided by zero");
}

inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) sym_overflow();
    return result;
}
inline std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) sym_overflow();
    return result;
}
inline std::int64_t checked_neg(std::int64_t a) { return checked_mul(a, -1); }
inline std::int64_t checked_pow(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) throw Error(ErrorKind::invalid_input, "a symbolic size is raised to a negative power");
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    std::int64_t result = 1;
    while (exponent-- > 0) result = checked_mul(result, base);  // overflows within 63 steps
    return result;
}
inline std::int64_t checked_floor_div(std::int64_t a, std::int64_t b) {
    if (b == 0) sym_division_by_zero();
    if (b == -1) return checked_neg(a);
    return a / b - static_cast<std::int64_t>(a % b != 0 && (a % b < 0) != (b < 0));
}
inline std::int64_t checked_mod(std::int64_t a, std::int64_t b) {
    if (b == 0) sym_division_by_zero();
    if (b == -1) return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

}  // namespace ferry::detail
