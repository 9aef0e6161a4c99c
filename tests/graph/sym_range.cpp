#include <ferry/graph/sym_range.hpp>

#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>

#include "random_expr.hpp"

namespace {

using ferry::ValueRange;

ValueRange of(std::string_view text, const ferry::SymRanges& ranges) {
    return bounds(ferry::parse_sym_expr(text), ranges);
}

constexpr auto no_max = ValueRange::no_max;
constexpr auto no_min = ValueRange::no_min;

}  // namespace

TEST_CASE("ranges") {
    CHECK(ferry::intersect({2, 10}, {5, no_max}) == ValueRange{5, 10});
    CHECK(ferry::intersect({2, 4}, {5, 6}).empty());
    CHECK(ferry::hull({2, 4}, {7, 9}) == ValueRange{2, 9});
    CHECK(ValueRange{}.contains(ValueRange{2, 3}));
    CHECK(to_string(ValueRange::at_least(2)) == "VR[2, int_oo]");
    CHECK(to_string(ValueRange{no_min, 5}) == "VR[-int_oo, 5]");
}

TEST_CASE("bounds") {
    const ferry::SymRanges r{{"s0", {2, 100}}, {"s1", {1, no_max}}, {"u0", {-5, 5}}};
    CHECK(of("2*s0 - 1", r) == ValueRange{3, 199});
    CHECK(of("s0*s1", r) == ValueRange{2, no_max});
    CHECK(of("s0 - s1", r) == ValueRange{no_min, 99});
    CHECK(of("s0//8", r) == ValueRange{0, 12});
    CHECK(of("s0//s1", r) == ValueRange{0, 100});
    CHECK(of("u0//2", r) == ValueRange{-3, 2});
    CHECK(of("u0**2", r) == ValueRange{0, 25});
    CHECK(of("s0 % 8", r) == ValueRange{0, 7});
    CHECK(of("PythonMod(u0, 100)", r) == ValueRange{0, 99});
    CHECK(of("Max(s0, 8)", r) == ValueRange{8, 100});
    CHECK(of("Min(s1, 8)", r) == ValueRange{1, 8});
    CHECK(of("(s0 - 3)//2 + 1", r) == ValueRange{0, 49});
    CHECK(of("-((-s0)//2)", r) == ValueRange{1, 50});
    CHECK(of("s0 - s0//2", r) == ValueRange{1, 50});
    CHECK(of("TruncToInt(1.5*ToFloat(s0))", r) == ValueRange{3, 150});
    CHECK(of("CeilToInt(IntTrueDiv(s0, 3))", r) == ValueRange{1, 34});
    CHECK(of("Piecewise((s0, s0 > 5), (1000, True))", r) == ValueRange{2, 1000});
    CHECK(of("s7", {}) == ValueRange{0, no_max});
    CHECK(of("u7", {}) == ValueRange{});
}

TEST_CASE("conditions that ranges decide") {
    const ferry::SymRanges r{{"s0", {2, 100}}, {"s1", {200, no_max}}};
    const auto decided = [&](std::string_view text) { return decide(ferry::parse_sym_expr(text), r); };
    CHECK(decided("s0 >= 2") == true);
    CHECK(decided("s0 < 2") == false);
    CHECK(decided("s0 > 2") == std::nullopt);
    CHECK(decided("Ne(s0, s1)") == true);
    CHECK(decided("Eq(s0, 1) | (s1 > s0)") == true);
    CHECK(decided("Eq(s0, 1) & (s0 > 50)") == false);
    CHECK(decided("~(Eq(s0, 5) & (s0 > 50))") == std::nullopt);
}

TEST_CASE("random expressions stay within their bounds") {
    std::mt19937_64 random(99);
    int compared = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto tree = random_expr::make(random, 4);
        ferry::SymExpr e;
        try {
            e = tree.build();
        } catch (const ferry::Error&) {
            continue;
        }
        ferry::SymRanges ranges;
        for (const char* name : random_expr::names) {
            const auto low = static_cast<std::int64_t>(random() % 12) - (name[0] == 'u' ? 8 : 0);
            ranges.set(name, {low, random() % 4 == 0 ? no_max : low + static_cast<std::int64_t>(random() % 20)});
        }
        const ValueRange bound = bounds(e, ranges);
        const std::string text = to_string(e);
        CAPTURE(text);
        for (int i = 0; i < 20; ++i) {
            ferry::SymBindings bindings;
            for (const auto& [name, range] : ranges) {
                const auto span = range.max == no_max ? 30 : range.max - range.min + 1;
                bindings.set(name, range.min + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span)));
            }
            const auto value = tree.value(bindings);
            if (!value) continue;
            REQUIRE(bound.contains(*value));
            ++compared;
        }
    }
    CHECK(compared > 30000);
}
