// Random integer expressions as plain trees, to hold Ferry's normal form against.
#pragma once

#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace random_expr {

inline constexpr std::array<const char*, 4> names{"s0", "s1", "s12", "u0"};

struct Tree {
    enum Kind { number, symbol, add, subtract, multiply, floor_div, ceil_div, mod, min, max, square } kind = number;
    std::int64_t value_ = 0;
    std::vector<Tree> args{};

    [[nodiscard]] ferry::SymExpr build() const {
        const auto arg = [this](std::size_t i) { return args[i].build(); };
        switch (kind) {
            case number: return value_;
            case symbol: return ferry::SymExpr::symbol(names[static_cast<std::size_t>(value_)]);
            case add: return arg(0) + arg(1);
            case subtract: return arg(0) - arg(1);
            case multiply: return arg(0) * arg(1);
            case floor_div: return ferry::floor_div(arg(0), arg(1));
            case ceil_div: return ferry::ceil_div(arg(0), arg(1));
            case mod: return ferry::mod(arg(0), arg(1));
            case min: return ferry::sym_min({arg(0), arg(1)});
            case max: return ferry::sym_max({arg(0), arg(1)});
            default: return ferry::pow(arg(0), 2);
        }
    }

    /// Nothing if it divides by zero or grows large.
    [[nodiscard]] std::optional<std::int64_t> value(const ferry::SymBindings& bindings) const {
        if (kind == number) return value_;
        if (kind == symbol) return *bindings.find(names[static_cast<std::size_t>(value_)]);
        const auto left = args[0].value(bindings);
        const auto right = kind == square ? left : args[1].value(bindings);
        if (!left || !right) return std::nullopt;
        const std::int64_t a = *left;
        const std::int64_t b = *right;
        const auto floor = [](std::int64_t x, std::int64_t y) {
            return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
        };
        if ((kind == floor_div || kind == ceil_div || kind == mod) && b == 0) return std::nullopt;
        std::int64_t result = 0;
        switch (kind) {
            case add: result = a + b; break;
            case subtract: result = a - b; break;
            case multiply:
            case square: result = a * b; break;
            case floor_div: result = floor(a, b); break;
            case ceil_div: result = -floor(-a, b); break;
            case mod: result = a - floor(a, b) * b; break;
            case min: result = std::min(a, b); break;
            default: result = std::max(a, b); break;
        }
        if (result > 1'000'000 || result < -1'000'000) return std::nullopt;
        return result;
    }
};

template <class Random>
Tree make(Random& random, int depth) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    if (depth == 0 || below(5) == 0) {
        if (below(3) == 0) return {Tree::number, below(30) - 9, {}};
        return {Tree::symbol, below(names.size()), {}};
    }
    const auto kind = static_cast<Tree::Kind>(Tree::add + below(9));
    Tree right = make(random, depth - 1);
    if ((kind == Tree::floor_div || kind == Tree::mod || kind == Tree::ceil_div) && below(4) != 0) {
        constexpr std::array<std::int64_t, 8> divisors{2, 3, 4, 6, 8, 16, -2, -5};
        right = {Tree::number, divisors[static_cast<std::size_t>(below(8))], {}};
    }
    return {kind, 0, {make(random, depth - 1), std::move(right)}};
}

/// Sizes from zero; of the unbacked symbol also less.
template <class Random>
ferry::SymBindings bindings(Random& random) {
    ferry::SymBindings result;
    for (const char* name : names) {
        const auto value = static_cast<std::int64_t>(random() % 25);
        result.set(name, name[0] == 'u' ? value - 10 : value);
    }
    return result;
}

}  // namespace random_expr
