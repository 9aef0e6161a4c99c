#pragma once

#include <ferry/capture/detail/fit_space.hpp>
#include <ferry/capture/fit_result.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::detail {

struct ColumnHash {
    std::size_t operator()(const Column& column) const noexcept {
        std::uint64_t hash = 0;
        for (const std::int64_t x : column)
            hash = (hash ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL ^ (hash >> 29);
        return static_cast<std::size_t>(hash);
    }
};
/// Among these numbers are ends of slices, which may be the largest there is: what overflows is just another number, and fits nothing.
[[nodiscard]] constexpr std::int64_t wrapped_sub(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::int64_t wrapped_mul(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
/// The least number has no positive one of its own type.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t a) noexcept {
    return a < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}

using FitsByColumn = std::unordered_map<Column, Fit, ColumnHash>;

/// A number in terms of others that have an expression already: what code computes from sizes it computes step by step.
class FitMet {
public:
    struct Made {
        SymExpr expr{};
        std::vector<const Fit*> of{};
    };

    /// Those met before, and those known from elsewhere; must outlive this.
    FitMet(const FitsByColumn& met, const FitsByColumn& known) : all_{&met, &known} {}

    [[nodiscard]] std::optional<Made> find(const Column& v) const {
        if (auto made = linear(v)) return made;
        if (auto made = product(v)) return made;
        if (auto made = sum(v)) return made;
        return remainder(v);
    }

private:
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const FitsByColumn* fits : all_)
            for (const auto& [column, fit] : *fits)
                if (fit.status != FitStatus::none) visit(column, fit);
    }
    [[nodiscard]] const Fit* whole(const Column& v) const {
        for (const FitsByColumn* fits : all_)
            if (const auto found = fits->find(v); found != fits->end() && found->second.status != FitStatus::none)
                return &found->second;
        return nullptr;
    }

    /// So many times one of them, and a constant.
    [[nodiscard]] std::optional<Made> linear(const Column& v) const {
        const Fit* of = nullptr;
        std::int64_t times = 0, more = 0;
        for_each([&](const Column& column, const Fit& fit) {
            const auto other = static_cast<std::size_t>(
                algo::find_if(column, [&](std::int64_t x) { return x != column[0]; }) - column.begin());
            if (other == column.size() || (of != nullptr && !(fit.expr < of->expr))) return;
            const std::int64_t apart = wrapped_sub(column[other], column[0]);
            const std::int64_t grown = wrapped_sub(v[other], v[0]);
            if (apart != -1 && grown % apart != 0) return;
            const std::int64_t slope = apart == -1 ? wrapped_sub(0, grown) : grown / apart;  // the least by -1 is none
            const std::int64_t rest = wrapped_sub(v[0], wrapped_mul(slope, column[0]));
            const auto is_on_line = [&](std::int64_t y, std::int64_t x) {
                return wrapped_sub(y, wrapped_mul(slope, x)) == rest;
            };
            if (!algo::equal(v, column, is_on_line)) return;
            of = &fit, times = slope, more = rest;
        });
        if (of == nullptr) return std::nullopt;
        return Made{SymExpr(times) * of->expr + SymExpr(more), {of}};
    }

    [[nodiscard]] std::optional<Made> product(const Column& v) const {
        constexpr std::size_t most_factors = 3;
        Made made{1, factors(v, most_factors)};
        for (const Fit* factor : made.of) made.expr = factor->expr * made.expr;
        return made.of.empty() ? std::nullopt : std::optional(std::move(made));
    }
    /// As few as will do, and no more than `most`. None: there are no such.
    [[nodiscard]] std::vector<const Fit*> factors(const Column& v, std::size_t most) const {
        if (const Fit* alone = whole(v)) return {alone};
        std::vector<const Fit*> best;
        if (most < 2) return best;
        Column rest(v.size());
        for_each([&](const Column& column, const Fit& fit) {
            for (std::size_t i = 0; i < v.size(); ++i) {
                if (column[i] <= 0 || v[i] % column[i] != 0) return;
                rest[i] = v[i] / column[i];
            }
            if (rest == v) return;
            std::vector<const Fit*> found = factors(rest, most - 1);
            if (found.empty()) return;
            found.push_back(&fit);
            const bool is_better = best.empty() || found.size() < best.size() ||
                                   (found.size() == best.size() && fit.expr < best.back()->expr);
            if (is_better) best = std::move(found);
        });
        return best;
    }

    [[nodiscard]] std::optional<Made> sum(const Column& v) const {
        const Fit *first = nullptr, *second = nullptr;
        Column rest(v.size());
        for_each([&](const Column& column, const Fit& fit) {
            if (first != nullptr && !(fit.expr < first->expr)) return;
            for (std::size_t i = 0; i < v.size(); ++i) rest[i] = wrapped_sub(v[i], column[i]);
            if (const Fit* other = whole(rest)) first = &fit, second = other;
        });
        if (first == nullptr) return std::nullopt;
        return Made{first->expr + second->expr, {first, second}};
    }

    /// What is left of one of them, or what it lacks, to the next multiple of something: code that pads.
    [[nodiscard]] std::optional<Made> remainder(const Column& v) const {
        const auto [least, largest] = std::minmax_element(v.begin(), v.end());
        if (*least < 0) return std::nullopt;
        const std::int64_t most = *largest;
        std::optional<Made> made;
        for_each([&](const Column& column, const Fit& fit) {
            for (const bool lacks : {true, false}) {
                const auto apart = [&](std::size_t i) {
                    return magnitude(wrapped_sub(column[i], lacks ? -v[i] : v[i]));
                };
                std::uint64_t common = 0;
                for (std::size_t i = 0; i < v.size(); ++i) common = std::gcd(common, apart(i));
                const auto step = static_cast<std::int64_t>(common);
                if (step <= most || (made && !(fit.expr < made->of[0]->expr))) continue;
                const SymExpr below = floor_div(lacks ? fit.expr + SymExpr(step - 1) : fit.expr, SymExpr(step));
                made = Made{lacks ? below * SymExpr(step) - fit.expr : fit.expr - below * SymExpr(step), {&fit}};
            }
        });
        return made;
    }

    std::array<const FitsByColumn*, 2> all_;
};

}  // namespace ferry::detail
