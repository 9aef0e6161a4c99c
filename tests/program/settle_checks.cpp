#include <ferry/program/retrace/settle_checks.hpp>

#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>

#include "../graph/build.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace ferry;

struct Check {
    const char* a;
    std::string_view comparison;
    const char* b;
};

/// Of tensors of sizes u0, u1, u2 and u0 + u1, that checks these.
ExportedProgram settled(const std::vector<Check>& checks) {
    ExportedProgram program;
    Graph& graph = program.graph;
    static_cast<void>(graph.add_input("x", build::tensor({SymExpr::symbol("s0")})));
    for (const char* size : {"u0", "u1", "u2", "u0 + u1"})
        static_cast<void>(graph.new_value("tensor", build::tensor({parse_sym_expr(size)})));
    for (const char* name : {"u0", "u1", "u2"}) program.ranges.set(name, ValueRange{0, 1000});
    program.ranges.set("s0", ValueRange{2, 100});
    for (const auto& [a, comparison, b] : checks) {
        const auto size = [&](const char* text) { return graph.new_value("size", build::size(parse_sym_expr(text))); };
        const Value holds = build::call(graph, comparison, {{"a", size(a)}, {"b", size(b)}},
                                        build::size(SymExpr::boolean(true), ValueKind::sym_bool));
        graph.append("aten::_assert_scalar", {{"self", holds}, {"assert_msg", std::string("no")}}, {});
    }
    ferry::detail::settle_checks(program);
    return program;
}

std::string sizes_of(const ExportedProgram& program) {
    std::string text;
    for (std::uint32_t i = 1; i < 5; ++i)
        text += (text.empty() ? "" : ", ") + to_string(program.graph.info({i}).tensor.sizes[0]);
    return text;
}

}  // namespace

TEST_CASE("a number that must be what others give is that expression, wherever it occurs") {
    CHECK(sizes_of(settled({{"u0 + u1", "_operator::eq", "64"}})) == "u0, 64 - u0, u2, 64");
    CHECK(sizes_of(settled({{"u0", "_operator::eq", "4*s0"}})) == "4*s0, u1, u2, 4*s0 + u1");
    CHECK(sizes_of(settled({{"u0 + u1", "_operator::eq", "u2"}})) == "u0, u1, u0 + u1, u0 + u1");
    CHECK(sizes_of(settled({{"2*u1", "_operator::eq", "6*s0"}})) == "u0, 3*s0, u2, 3*s0 + u0");
    CHECK(sizes_of(settled({{"u2", "_operator::eq", "u0*u1"}})) == "u0, u1, u0*u1, u0 + u1");
    const auto chained = settled({{"u2", "_operator::eq", "u1 + 1"}, {"u1", "_operator::eq", "u0"}});
    CHECK(sizes_of(chained) == "u0, u0, u0 + 1, 2*u0");
    CHECK(chained.ranges.find("u1") == nullptr);
    CHECK(*chained.ranges.find("u0") == ValueRange{0, 999});
}

TEST_CASE("what does not come out even, is of other powers or comes later stays as it is") {
    for (const Check& check : {Check{"2*u1", "_operator::eq", "u0"}, Check{"u0*u1", "_operator::eq", "s0"},
                               Check{"u0*u1 + u0", "_operator::eq", "3"}, Check{"u0", "_operator::ne", "u1"},
                               Check{"u0", "_operator::eq", "u1*u2"}})
        CHECK(sizes_of(settled({check})) == "u0, u1, u2, u0 + u1");
}

TEST_CASE("a multiple of a number is that number times another symbol") {
    const auto program = settled({{"Mod(u1, 4)", "_operator::eq", "0"}, {"Mod(6*u1, 9)", "_operator::eq", "0"}});
    CHECK(sizes_of(program) == "u0, 12*u4, u2, u0 + 12*u4");
    CHECK(program.ranges.find("u1") == nullptr);
    CHECK(*program.ranges.find("u4") == ValueRange{0, 83});
}

TEST_CASE("bounds of numbers that depend on values become ranges, those of inputs do not") {
    const auto program = settled({{"u0", "_operator::ge", "3"},
                                  {"2*u1", "_operator::lt", "9"},
                                  {"s0", "_operator::ge", "7"},
                                  {"u2", "_operator::le", "s0"}});
    CHECK(*program.ranges.find("u0") == ValueRange{3, 1000});
    CHECK(*program.ranges.find("u1") == ValueRange{0, 4});
    CHECK(*program.ranges.find("u2") == ValueRange{0, 1000});
    CHECK(*program.ranges.find("s0") == ValueRange{2, 100});
    CHECK_THROWS_AS(static_cast<void>(settled({{"u0", "_operator::gt", "1000"}})), Error);
}
