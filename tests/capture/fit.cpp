#include <ferry/capture/fit.hpp>

#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using ferry::Fit;
using ferry::FitStatus;
using ferry::Fitter;
using ferry::ProbeDim;
using ferry::ProbePoint;
using ferry::SymExpr;
using ferry::ValueRange;

std::int64_t value_at(const SymExpr& e, const std::vector<ProbeDim>& dims, const ProbePoint& point) {
    ferry::SymBindings bindings;
    for (std::size_t d = 0; d < dims.size(); ++d) bindings.set(dims[d].name, point[d]);
    return ferry::evaluate(e, bindings);
}

std::vector<std::int64_t> observe(const SymExpr& e, const std::vector<ProbeDim>& dims,
                                  const std::vector<ProbePoint>& points) {
    std::vector<std::int64_t> values;
    for (const auto& point : points) values.push_back(value_at(e, dims, point));
    return values;
}

struct Outcome {
    Fit fit;
    std::size_t points = 0;
};

/// As a capture does it: probe, fit, probe where the fit asks, fit again.
Outcome recover(const SymExpr& truth, const std::vector<ProbeDim>& dims) {
    auto points = ferry::choose_probe_points(dims);
    for (;;) {
        Fitter fitter(dims, points);
        const Fit fit = fitter.fit(observe(truth, dims, points));
        if (fit.status != FitStatus::needs_more_points) return {fit, points.size()};
        REQUIRE(!fit.more.empty());
        REQUIRE(points.size() < 40);
        for (const auto& point : fit.more) points.push_back(point);
    }
}

ProbePoint anywhere(const std::vector<ProbeDim>& dims, std::mt19937_64& random) {
    ProbePoint point;
    for (const auto& dim : dims) {
        const ValueRange domain = ferry::probe_domain(dim);
        point.push_back(domain.min +
                        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(domain.max - domain.min + 1)));
    }
    return point;
}

bool agree(const SymExpr& a, const SymExpr& b, const std::vector<ProbeDim>& dims, std::mt19937_64& random, int count) {
    for (int i = 0; i < count; ++i) {
        const ProbePoint point = anywhere(dims, random);
        if (value_at(a, dims, point) != value_at(b, dims, point)) return false;
    }
    return true;
}

const std::vector<ProbeDim> two{{"s0", ValueRange::at_least(2), 12}, {"s1", ValueRange{2, 2048}, 100}};

}  // namespace

TEST_CASE("probe points tell dimensions apart") {
    const std::vector<std::vector<ProbeDim>> cases{
        {{"s0", ValueRange::at_least(2), 12}},
        two,
        {{"b", ValueRange{1, 32}, 1}, {"h", ValueRange::at_least(2), 224}, {"w", ValueRange::at_least(2), 224}},
        {{"a", ValueRange{2, 4}, 3}, {"b", ValueRange{8, 9}, 8}},
        {{"a", ValueRange{5, 5}, 5}, {"b", ValueRange{100, 2000}, 128}},
        {{"a", {}, 2}, {"b", {}, 2}, {"c", {}, 2}, {"d", {}, 2}, {"e", {}, 2}, {"f", {}, 2}},
    };
    for (const auto& dims : cases) {
        const auto points = ferry::choose_probe_points(dims);
        CHECK(ferry::detail::separates(points, dims));
        CHECK(points.size() <= std::max<std::size_t>(6, dims.size() + 4));
        for (const auto& point : points)
            for (std::size_t d = 0; d < dims.size(); ++d) {
                CHECK(dims[d].range.contains(point[d]));
                CHECK(point[d] >= 2);
            }
    }
    CHECK(ferry::choose_probe_points(two).size() == 6);
    CHECK(ferry::choose_probe_points(two)[0] == ProbePoint{12, 100});
}

TEST_CASE("the expressions of models") {
    std::mt19937_64 random(5);
    for (const std::string_view text : {"7",
                                        "s0",
                                        "64*s0*s1",
                                        "s0 + s1",
                                        "2*s0 - 1",
                                        "s0*s1 + s0 + s1 + 1",
                                        "s0*(s0 + 1)//2",
                                        "s0**2*s1 + 5",
                                        "3*s0 + 4*s1 + 5",
                                        "s0//2",
                                        "(s0 + 7)//8*8",
                                        "s0 % 8",
                                        "(-s0) % 8",
                                        "s0 + (-s0) % 16",
                                        "Max(s0, 8)",
                                        "Min(s1, 512)",
                                        "Max(s0 - 5, 0)",
                                        "(s1 + 6 - 7)//2 + 1",
                                        "((s1 + 6 - 7)//2 + 1 + 2 - 3)//2 + 1",
                                        "((((s1 - 1)//2 + 1) - 1)//2)//2",
                                        "s1*((s0 + 1)//2)",
                                        "3*(s0//2)*(s1//2)",
                                        "(s0//14)*(s1//14) + 1",
                                        "(3*s0)//2",
                                        "(s0*s1)//2",
                                        "Max(s0, s1)",
                                        "(s1//16)**2",
                                        "s0 + s1//2",
                                        "s1//32",
                                        "s1//256",
                                        "(s1 + 1)*((s0 + 7)//8)",
                                        "s0*Max(s1, 100)",
                                        "Mod(s1, 64)",
                                        "768*(s1//16)",
                                        "s0*s1 + s0",
                                        "12*s0*s1**2",
                                        "s0*s1 - s1",
                                        "Max(8, (s0 + 1)//2)",
                                        "Max(4, s1//2)",
                                        "Min(64, (s1 + 3)//4)",
                                        "s0*Max(16, s1//8)"}) {
        const SymExpr truth = ferry::parse_sym_expr(text);
        const Outcome outcome = recover(truth, two);
        INFO(text, " gave ", to_string(outcome.fit.expr), " after ", outcome.points, " points");
        CHECK(outcome.fit.status == FitStatus::found);
        CHECK(agree(outcome.fit.expr, truth, two, random, 3000));
        CHECK(outcome.points <= 16);
    }
}

TEST_CASE("among many dimensions") {
    std::mt19937_64 random(6);
    std::vector<ProbeDim> many;
    for (const std::int64_t sample : {5, 7, 4, 5, 7, 5, 7})
        many.push_back({"s" + std::to_string(many.size()), ValueRange::at_least(2), sample});
    for (const std::string_view text : {"s1", "s5 + s6", "s0*s1*s2", "s2//2", "(s1*s2 + 1)//2", "(s0*s3)//2",
                                        "Max(8, (s4 + 1)//2)", "(s0 + s1)//2", "Mod(s2 + s6, 8)", "Max(s1*s2, 40)"}) {
        const SymExpr truth = ferry::parse_sym_expr(text);
        const Outcome outcome = recover(truth, many);
        INFO(text, " gave ", to_string(outcome.fit.expr), " after ", outcome.points, " points");
        CHECK(outcome.fit.status == FitStatus::found);
        CHECK(agree(outcome.fit.expr, truth, many, random, 3000));
    }
}

TEST_CASE("what is out of reach is not guessed") {
    for (const std::string_view text :
         {"s0//2 + s1//3", "Mod(s0**2, 7)*Mod(s1, 5)", "Piecewise((s0, s0 < 40), (s0 + 1, True))"}) {
        const SymExpr truth = ferry::parse_sym_expr(text);
        const Outcome outcome = recover(truth, two);
        INFO(text, " gave ", to_string(outcome.fit.expr));
        CHECK(outcome.fit.status == FitStatus::none);
    }
}

TEST_CASE("too few points are not enough") {
    const std::vector<ProbeDim> dims{{"s0", ValueRange{2, 200}, 12}};
    Fitter ends(dims, {{12}, {200}});
    CHECK(ends.fit(std::vector<std::int64_t>{12, 200}).status == FitStatus::needs_more_points);
    Fitter even(dims, {{2}, {12}, {20}, {38}, {200}});
    CHECK(even.fit(std::vector<std::int64_t>{1, 6, 10, 19, 100}).status == FitStatus::needs_more_points);
    // Five points of a cubic leave one to confirm it.
    Fitter cubic(dims, {{2}, {3}, {12}, {31}, {200}});
    CHECK(cubic.fit(std::vector<std::int64_t>{11, 31, 1741, 29823, 8000201}).status == FitStatus::needs_more_points);
    // Two dimensions that always move together cannot be told apart.
    Fitter tied({{"s0", ValueRange{2, 50}, 3}, {"s1", ValueRange{2, 50}, 3}},
                {{2, 2}, {3, 3}, {7, 7}, {11, 11}, {50, 50}});
    CHECK(tied.fit(std::vector<std::int64_t>{2, 3, 7, 11, 50}).status == FitStatus::needs_more_points);
    CHECK(!tied.wanted_points().empty());
}

TEST_CASE("a range with few sizes is seen whole") {
    const std::vector<ProbeDim> dims{{"s0", ValueRange{2, 4}, 3}};
    Fitter fitter(dims, ferry::choose_probe_points(dims));
    const auto& fit = fitter.fit(std::vector<std::int64_t>{4, 6, 8});
    CHECK(fit.status == FitStatus::found);
    CHECK(to_string(fit.expr) == "2*s0");
}

TEST_CASE("random members of the families") {
    std::mt19937_64 random(11);
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    const std::vector<std::vector<ProbeDim>> spaces{
        {{"s0", ValueRange::at_least(2), 12}},
        two,
        {{"b", ValueRange{2, 64}, 4}, {"h", ValueRange{32, 512}, 224}, {"w", ValueRange{32, 512}, 224}}};
    int wrong = 0;
    int lost = 0;
    std::size_t points = 0;
    constexpr int rounds = 400;
    for (int round = 0; round < rounds; ++round) {
        const auto& dims = spaces[static_cast<std::size_t>(round) % spaces.size()];
        const auto symbol = [&] { return SymExpr::symbol(dims[static_cast<std::size_t>(below(dims.size()))].name); };
        const std::int64_t d = std::vector<std::int64_t>{2, 3, 4, 7, 8, 14, 16, 32}[static_cast<std::size_t>(below(8))];
        const auto floor = [&] { return floor_div(symbol() + (below(12) - 4), d); };
        SymExpr truth;
        switch (below(12)) {
            case 0: truth = symbol() * symbol() * (1 + below(64)); break;
            case 1: truth = symbol() * (1 + below(9)) + below(30) - 10; break;
            case 2: truth = symbol() + symbol() * below(5) + below(9); break;
            case 3: truth = symbol() * symbol() * (1 + below(5)) + symbol() * below(4); break;
            case 4: truth = floor(); break;
            case 5: truth = floor() * symbol(); break;
            case 6: truth = d * floor(); break;
            case 7: truth = ferry::mod(symbol() + below(9), d); break;
            case 8: truth = ferry::sym_max({symbol(), below(60)}) * (1 + below(3)); break;
            case 9: truth = ferry::sym_min({symbol(), 40 + below(60)}); break;
            case 10: truth = floor_div(floor() + below(3), 2) + below(2); break;
            default: truth = symbol() + floor(); break;
        }
        const Outcome outcome = recover(truth, dims);
        points += outcome.points;
        INFO(to_string(truth), " gave ", to_string(outcome.fit.expr));
        if (outcome.fit.status != FitStatus::found) {
            ++lost;
            MESSAGE("not found: ", to_string(truth));
        } else if (!agree(outcome.fit.expr, truth, dims, random, 2000)) {
            ++wrong;
            CHECK(false);
        }
    }
    CHECK(wrong == 0);
    CHECK(lost <= rounds / 50);
    CHECK(points <= rounds * std::size_t{11});
}

TEST_CASE("arbitrary numbers are refused") {
    std::mt19937_64 random(3);
    const auto points = [&] {
        auto chosen = ferry::choose_probe_points(two);
        for (const auto& point : ferry::more_probe_points(two, chosen, 4)) chosen.push_back(point);
        return chosen;
    }();
    Fitter fitter(two, points);
    int found = 0;
    for (int round = 0; round < 150; ++round) {
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < points.size(); ++i) values.push_back(static_cast<std::int64_t>(random() % 200));
        found += fitter.fit(values).status == FitStatus::found ? 1 : 0;
    }
    CHECK(found == 0);
}

TEST_CASE("the usual numbers of a model are fitted in no time") {
    const auto points = ferry::choose_probe_points(two);
    std::vector<std::vector<std::int64_t>> vectors;
    for (int i = 1; i <= 100; ++i) {
        const SymExpr s0 = SymExpr::symbol("s0");
        const SymExpr s1 = SymExpr::symbol("s1");
        const SymExpr forms[] = {s0 * i, s1 * i, s0 * s1 * i, s0 * s1 * s1 * i};
        vectors.push_back(observe(forms[i % 4], two, points));
    }
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        Fitter fitter(two, points);
        const auto start = std::chrono::steady_clock::now();
        for (const auto& values : vectors) CHECK(fitter.fit(values).status == FitStatus::found);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count());
    }
    MESSAGE("100 distinct vectors: ", best, " ms");
    CHECK(best < 50);  // well under 1 when optimised; this also runs under sanitizers on busy machines
}

TEST_CASE("numbers that are made of others") {
    const std::vector<ProbeDim> three{
        {"s0", ValueRange::at_least(2), 12}, {"s1", ValueRange::at_least(2), 100}, {"s2", ValueRange::at_least(2), 30}};
    const auto points = ferry::choose_probe_points(three);
    const std::string windows[] = {"(s0 + 6)//7", "(s1 + 6)//7"};
    for (const std::string_view text : {"s2*((s0 + 6)//7)*((s1 + 6)//7)", "49*s2*((s0 + 6)//7)",
                                        "((s0 + 6)//7) + ((s1 + 6)//7)", "7*((s0 + 6)//7) - s0"}) {
        const SymExpr truth = ferry::parse_sym_expr(text);
        std::vector<ProbePoint> seen = points;
        Fit fit{.status = FitStatus::needs_more_points};
        while (fit.status == FitStatus::needs_more_points && seen.size() < 40) {
            Fitter fitter(three, seen);
            for (const std::string& window : windows)
                static_cast<void>(fitter.fit(observe(ferry::parse_sym_expr(window), three, seen)));
            fit = fitter.fit(observe(truth, three, seen));
            seen.insert(seen.end(), fit.more.begin(), fit.more.end());
        }
        INFO(text, " gave ", to_string(fit.expr));
        CHECK(fit.status == FitStatus::found);
        std::mt19937_64 random(3);
        CHECK(agree(fit.expr, truth, three, random, 200));
    }
    // Ends of slices may be the largest number that there is.
    Fitter fitter(three, points);
    std::vector<std::int64_t> ends(points.size(), -3);
    ends[1] = std::numeric_limits<std::int64_t>::max();
    static_cast<void>(fitter.fit(observe(ferry::parse_sym_expr(windows[0]), three, points)));
    CHECK(fitter.fit(ends).status != FitStatus::found);
}

TEST_CASE("numbers that fall, and the least there is") {
    using ferry::detail::FitMet;
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const SymExpr halves = SymExpr::symbol("halves");
    const ferry::detail::FitsByColumn none, met{{{5, 4, 9}, Fit{FitStatus::found, halves, {}}}};
    const auto made = FitMet(met, none).find({17, 14, 29});
    REQUIRE(made.has_value());
    CHECK(made->expr == halves * SymExpr(3) + SymExpr(2));
    CHECK(!FitMet(met, none).find({0, least, 1}).has_value());
    const ferry::detail::FitsByColumn far{{{least, 0, 9}, Fit{FitStatus::found, halves, {}}}};
    CHECK(!FitMet(far, none).find({0, 1, 2}).has_value());
}
