#include <ferry/graph/sym_call.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

using namespace ferry;

namespace {

SymNumber run(std::string_view op, std::vector<SymNumber> numbers) {
    const SymCall call = find_sym_call(op);
    REQUIRE((call != nullptr));
    return call(numbers);
}
SymNumber integer(std::int64_t value) { return value; }

}  // namespace

// Expected values are those of Python.
TEST_CASE("integers stay integers and divide like Python's") {
    CHECK((run("_operator::add", {integer(2), integer(3)}) == integer(5)));
    CHECK((run("_operator::sub", {integer(2), integer(3)}) == integer(-1)));
    CHECK((run("_operator::mul", {integer(-2), integer(3)}) == integer(-6)));
    CHECK((run("_operator::floordiv", {integer(-7), integer(2)}) == integer(-4)));
    CHECK((run("_operator::floordiv", {integer(7), integer(-2)}) == integer(-4)));
    CHECK((run("_operator::mod", {integer(-7), integer(3)}) == integer(2)));
    CHECK((run("_operator::mod", {integer(7), integer(-3)}) == integer(-2)));
    CHECK((run("_operator::pow", {integer(2), integer(10)}) == integer(1024)));
    CHECK((run("_operator::neg", {integer(4)}) == integer(-4)));
    CHECK((run("torch::sym_max", {integer(4), integer(9)}) == integer(9)));
    CHECK((run("torch::sym_min", {integer(4), integer(9)}) == integer(4)));
}

TEST_CASE("shifts, signs and roots") {
    CHECK((run("_operator::lshift", {integer(3), integer(4)}) == integer(48)));
    CHECK((run("_operator::rshift", {integer(-7), integer(1)}) == integer(-4)));
    CHECK((run("_operator::pos", {integer(-7)}) == integer(-7)));
    CHECK((run("torch::sym_sqrt", {integer(9)}) == SymNumber(3.0)));
}

TEST_CASE("too few sizes are an error") {
    for (const std::string_view op : {"_operator::neg", "_operator::and_", "_operator::lshift", "torch::sym_ite"})
        CHECK_THROWS_AS(run(op, {}), Error);
    CHECK_THROWS_AS(run("torch::sym_ite", {SymNumber(false), integer(1)}), Error);
}

TEST_CASE("real numbers, comparisons, choices") {
    CHECK((run("_operator::truediv", {integer(7), integer(2)}) == SymNumber(3.5)));
    CHECK((run("_operator::mul", {integer(3), 0.5}) == SymNumber(1.5)));
    CHECK((run("_operator::mod", {-7.0, integer(3)}) == SymNumber(2.0)));
    CHECK((run("_operator::le", {integer(3), integer(3)}) == SymNumber(true)));
    CHECK((run("_operator::gt", {integer(3), 3.5}) == SymNumber(false)));
    CHECK((run("torch::sym_float", {integer(3)}) == SymNumber(3.0)));
    CHECK((run("torch::sym_not", {false}) == SymNumber(true)));
    CHECK((run("torch::sym_ite", {true, integer(1), integer(2)}) == integer(1)));
    CHECK((run("_operator::and_", {true, false}) == SymNumber(false)));
    CHECK((run("math::ceil", {2.5}) == integer(3)));
    CHECK((run("math::trunc", {-2.5}) == integer(-2)));
}

TEST_CASE("what cannot be computed is refused") {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK_THROWS_AS(run("_operator::add", {integer(most), integer(1)}), Error);
    CHECK_THROWS_AS(run("_operator::mul", {integer(most), integer(2)}), Error);
    CHECK_THROWS_AS(run("_operator::floordiv", {integer(1), integer(0)}), Error);
    CHECK_THROWS_AS(run("_operator::mod", {integer(1), integer(0)}), Error);
    CHECK_THROWS_AS(run("_operator::truediv", {integer(1), integer(0)}), Error);
    CHECK_THROWS_AS(run("_operator::add", {integer(1)}), Error);
    CHECK((find_sym_call("aten::add.Tensor") == nullptr));
    CHECK((find_sym_call("_operator::nothing") == nullptr));
    CHECK((find_sym_call("") == nullptr));
}
