#include <ferry/graph/passes/fold_constants.hpp>

#include "../build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::size;
using build::tensor;

TEST_CASE("known sizes and what follows from them become numbers") {
    Graph g;
    const SymExpr s0 = SymExpr::symbol("s0");
    const Value x = g.add_input("x", tensor({s0, 6}));
    const Value rows = call(g, "aten::sym_size.int", {{"self", x}, {"dim", 0}}, size(s0));
    const Value columns = call(g, "aten::sym_size.int", {{"self", x}, {"dim", -1}}, size(6));
    const Value half = call(g, "_operator::floordiv", {{"a", columns}, {"b", 2}}, size(3));
    const Value enough =
        call(g, "_operator::ge", {{"a", half}, {"b", 3}}, size(SymExpr::boolean(true), ValueKind::sym_bool));
    g.append("aten::_assert_scalar", {{"self", enough}, {"assert_msg", "three"}}, {});
    const Value view = call(g, "aten::view", {{"self", x}, {"size", ArgumentList{rows, half, 2}}}, tensor({s0, 3, 2}));
    g.set_outputs({view, half});
    CHECK(fold_constants(g) == 4);
    CHECK(g.num_nodes() == 2);
    CHECK(*g.last()->find("size") == Argument(ArgumentList{rows, 3, 2}));
    CHECK(g.outputs()[1] == Argument(3));
}

TEST_CASE("an assert that fails and a division by zero are left to run time") {
    Graph g;
    const Value wrong =
        call(g, "_operator::lt", {{"a", 3}, {"b", 2}}, size(SymExpr::boolean(false), ValueKind::sym_bool));
    g.append("aten::_assert_scalar", {{"self", wrong}, {"assert_msg", "no"}}, {});
    const Value none = call(g, "_operator::floordiv", {{"a", 1}, {"b", 0}}, size(0));
    g.set_outputs({none});
    CHECK(fold_constants(g) == 1);
    CHECK(g.num_nodes() == 2);
    CHECK(*g.first()->find("self") == Argument(false));
}
