#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/argument.hpp>

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <variant>

namespace ferry::detail {

inline void mix_hash(std::size_t& seed, std::size_t value) noexcept {
    seed ^= value + 0x9e3779b97f4a7c15U + (seed << 6U) + (seed >> 2U);
}

[[nodiscard]] inline std::size_t hash_of(const Argument& argument) {
    std::size_t seed = argument.variant().index();
    std::visit(
        [&]<class Type>(const Type& value) {
            if constexpr (std::is_same_v<Type, ArgumentList>) {
                for (const Argument& item : value) mix_hash(seed, hash_of(item));
            } else if constexpr (std::is_same_v<Type, Value> || std::is_same_v<Type, Subgraph>) {
                mix_hash(seed, value.index);
            } else if constexpr (std::is_same_v<Type, Device>) {
                mix_hash(seed, std::hash<std::string>{}(value.type));
                mix_hash(seed, static_cast<std::size_t>(value.index.value_or(-1)));
            } else if constexpr (std::is_same_v<Type, double>) {
                mix_hash(seed, std::bit_cast<std::uint64_t>(value));
            } else if constexpr (std::is_same_v<Type, std::complex<double>>) {
                mix_hash(seed, std::bit_cast<std::uint64_t>(value.real()));
                mix_hash(seed, std::bit_cast<std::uint64_t>(value.imag()));
            } else if constexpr (!std::is_same_v<Type, std::monostate>) {
                mix_hash(seed, std::hash<Type>{}(value));
            }
        },
        argument.variant());
    return seed;
}

/// Equal by bits where `==` is by value: zeros of both signs are different constants, a NaN is the same as itself.
[[nodiscard]] inline bool is_identical(const Argument& a, const Argument& b) {
    if (a.variant().index() != b.variant().index()) return false;
    const auto same_bits = [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    if (const auto* x = a.get_if<double>()) return same_bits(*x, *b.get_if<double>());
    if (const auto* x = a.get_if<std::complex<double>>()) {
        const auto* y = b.get_if<std::complex<double>>();
        return same_bits(x->real(), y->real()) && same_bits(x->imag(), y->imag());
    }
    if (const auto* x = a.get_if<ArgumentList>()) return algo::equal(*x, *b.get_if<ArgumentList>(), is_identical);
    return a == b;
}

}  // namespace ferry::detail
