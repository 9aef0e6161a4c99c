#include <ferry/program/retrace/settle_guards.hpp>

#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>

#include "../graph/build.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <set>
#include <string>

namespace {

using namespace ferry;

ExportedProgram program_with(std::initializer_list<const char*> guards) {
    ExportedProgram program;
    static_cast<void>(program.graph.add_input(
        "x", build::tensor({SymExpr::symbol("a"), SymExpr::symbol("b") * SymExpr(2), SymExpr::symbol("c")})));
    for (const char* name : {"a", "b", "c"}) program.ranges.set(name, ValueRange{2, 100});
    for (const char* guard : guards) program.guards.push_back({guard, parse_sym_expr(guard)});
    return ferry::detail::settled(std::move(program));
}

std::string sizes_of_input(const ExportedProgram& program) {
    std::string text;
    for (const SymExpr& size : program.graph.info({0}).tensor.sizes)
        text += (text.empty() ? "" : ", ") + to_string(size);
    return text;
}

}  // namespace

TEST_CASE("sizes that must be equal are one symbol, in the range of both") {
    for (const auto& guards :
         {std::initializer_list<const char*>{"a == b"}, {"a <= b", "b <= a"}, {"a - b >= 0", "a - b < 1"}}) {
        const auto program = program_with(guards);
        const bool kept_a = sizes_of_input(program) == "a, 2*a, c";
        CHECK((kept_a || sizes_of_input(program) == "b, 2*b, c"));
        CHECK(program.ranges.find(kept_a ? "b" : "a") == nullptr);
    }
    const auto shifted = program_with({"a == c + 1"});
    CHECK(sizes_of_input(shifted) == "c + 1, 2*b, c");
    CHECK(*shifted.ranges.find("c") == ValueRange{2, 99});
}

TEST_CASE("a size of one value is that number") {
    const auto program = program_with({"2*b == 14", "a == b"});
    CHECK(sizes_of_input(program) == "7, 14, c");
    for (const Guard& guard : program.guards) CHECK(guard.condition == SymExpr::boolean(true));
}

TEST_CASE("bounds become ranges") {
    const auto program = program_with({"3*a >= 10", "7 < b", "2*c + 1 <= 20", "-a <= -3"});
    CHECK(*program.ranges.find("a") == ValueRange{4, 100});
    CHECK(*program.ranges.find("b") == ValueRange{8, 100});
    CHECK(*program.ranges.find("c") == ValueRange{2, 9});
    CHECK(ferry::detail::guarded_symbols(program).empty());
}

TEST_CASE("what is more than that stays a guard") {
    const auto program = program_with({"a % 3 == 0", "a*b >= 8", "a > c + b"});
    CHECK(sizes_of_input(program) == "a, 2*b, c");
    CHECK(ferry::detail::guarded_symbols(program) == std::set<std::string>{"a", "b", "c"});
}

TEST_CASE("guards that no size can hold are an error") {
    CHECK_THROWS_AS(static_cast<void>(program_with({"a == 300"})), Error);
    CHECK_THROWS_AS(static_cast<void>(program_with({"a < 2"})), Error);
}
