#include <ferry/capture/fitting_points.hpp>

#include <ferry/graph/sym_parse.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <set>
#include <vector>

namespace {

using namespace ferry;

capture::FittingPoints points_of(std::vector<ProbeDim> dims, std::initializer_list<const char*> conditions) {
    std::vector<SymExpr> parsed;
    for (const char* condition : conditions) parsed.push_back(parse_sym_expr(condition));
    return {std::move(dims), parsed};
}

}  // namespace

TEST_CASE("points that hold are near those that do not, and tell the sizes apart") {
    auto points = points_of(
        {{"s0", ValueRange::at_least(8), 13}, {"u0", ValueRange::at_least(1), 2}, {"u1", ValueRange::at_least(1), 2}},
        {"u0*u1 <= s0", "u0 >= 1"});
    CHECK(points.any());
    CHECK(points.near({13, 3, 4}) == ProbePoint{13, 3, 4});
    const auto near = points.near({13, 70, 80}, 0);
    REQUIRE(near);
    CHECK((*near)[0] == 13);
    CHECK(points.holds(*near));
    points.fit_domains();
    for (const ProbeDim& dim : points.dims()) CHECK(probe_domain(dim).min < probe_domain(dim).max);
    const auto chosen = points.choose();
    CHECK(chosen.size() >= 7);
    for (const ProbePoint& point : chosen) CHECK(points.holds(point));
    CHECK(ferry::detail::separates(chosen, points.dims()));
    CHECK(std::set<ProbePoint>(chosen.begin(), chosen.end()).size() == chosen.size());
}

TEST_CASE("what cannot be is not found, and what is about other symbols does not count") {
    const auto never = points_of({{"u0", ValueRange{0, 9}, 2}}, {"u0 >= 20"});
    CHECK(!never.near({2}));
    CHECK(!points_of({{"u0", ValueRange{0, 9}, 2}}, {"u1 >= 20", "s0 < u0"}).any());
}
