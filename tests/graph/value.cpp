#include <ferry/graph/value.hpp>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("a value is a number, or nowhere") {
    CHECK(!Value{});
    CHECK(Value{0});
    CHECK(Value{3} == Value{3});
    CHECK(Value{3} != Value{});
    static_assert(sizeof(Value) == 4);
}

TEST_CASE("what is known of a tensor compares by all of it") {
    TensorMeta a{.sizes = {SymExpr::symbol("s0"), 3}, .strides = {3, 1}};
    TensorMeta b = a;
    CHECK(a == b);
    b.sizes[0] = 7;
    CHECK(!(a == b));
    b = a;
    b.device = {"cuda", 0};
    CHECK(!(a == b));
}
