#include <ferry/graph/node.hpp>

#include "build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call_tuple;
using build::kw;
using build::tensor;

TEST_CASE("what a node is asked for") {
    Graph g;
    const Value x = g.add_input("x", tensor({2}));
    const Value y = g.add_input("y", tensor({2}));
    const auto parts =
        call_tuple(g, "aten::topk", {{"self", x}, {"more", ArgumentList{1, y, ArgumentList{x}}}, kw("k", 2)},
                   {tensor({1}), tensor({1})});
    const Node& node = *g.first();
    CHECK(node.op() == "aten::topk");
    CHECK(node.find("k") != nullptr);
    CHECK(*node.find("k") == Argument(2));
    CHECK(node.find("dim") == nullptr);
    CHECK(node.input(0) == x);
    CHECK(node.input(1) == y);
    CHECK(node.input(2) == x);
    CHECK(!node.input(3));
    CHECK(node.output() == parts[0]);
    CHECK(node.output(1) == parts[1]);
    CHECK(!node.output(2));
    CHECK(node.module_path().empty());
}

TEST_CASE("outputs are counted flat, over lists and those that were not asked for") {
    Graph g;
    const Value a = g.new_value("a", tensor({1}));
    const Value b = g.new_value("b", tensor({1}));
    const Value c = g.new_value("c", tensor({1}));
    const Node& node = g.append("aten::many", {}, {{.values = {a, b}, .is_list = true}, {}, {.values = {c}}});
    CHECK(node.output(1) == b);
    CHECK(node.output(2) == c);
    CHECK(!node.output(3));
}
