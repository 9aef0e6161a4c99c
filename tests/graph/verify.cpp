#include <ferry/graph/verify.hpp>

#include "build.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <string>

using namespace ferry;
using build::call;
using build::size;
using build::tensor;

namespace {

std::string complaint(const Graph& graph) {
    try {
        verify(graph);
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::internal);
        return error.message();
    }
    return "";
}

struct Small {
    Graph graph;
    Value x = graph.add_input("x", tensor({2, 3}));
    Value relu = call(graph, "aten::relu", {{"self", x}}, tensor({2, 3}));
    Value add = call(graph, "aten::add.Tensor", {{"self", relu}, {"other", x}}, tensor({2, 3}));
    Small() { graph.set_outputs({add}); }
    Node& node(Value value) { return *graph.info(value).producer; }
};

}  // namespace

TEST_CASE("a graph that is right") {
    Small small;
    CHECK(complaint(small.graph) == "");
    CHECK(complaint(Graph()) == "");
    CHECK_NOTHROW(debug_verify(small.graph));
}

TEST_CASE("a value used before its node, or without one") {
    Small small;
    const Value late = small.graph.new_value("late", tensor({2, 3}));
    small.graph.set_argument(small.node(small.relu), 0, late);
    CHECK(complaint(small.graph).find("'late' is used but nothing defines it, at node 'relu'") != std::string::npos);
    small.graph.append("aten::relu", {{"self", small.x}}, {{.values = {late}}});
    CHECK(complaint(small.graph).find("'late' is used before it is defined, at node 'relu'") != std::string::npos);
}

TEST_CASE("an output that nothing defines") {
    Small small;
    small.graph.set_outputs({small.graph.new_value("ghost", tensor({}))});
    CHECK(complaint(small.graph).find("'ghost' is used but nothing defines it") != std::string::npos);
}

TEST_CASE("a value defined twice, a name given twice, a wrong producer") {
    Small twice;
    twice.graph.append("aten::relu", {{"self", twice.x}}, {{.values = {twice.relu}}});
    CHECK(complaint(twice.graph).find("'relu'") != std::string::npos);
    Small named;
    named.graph.info(named.add).name = "relu";
    CHECK(complaint(named.graph).find("two values are called 'relu'") != std::string::npos);
    Small producer;
    producer.graph.info(producer.add).producer = &producer.node(producer.relu);
    CHECK(complaint(producer.graph).find("'add' names another node as its producer") != std::string::npos);
}

TEST_CASE("users that are missing or too many") {
    Small small;
    auto& users = small.graph.info(small.x).users;
    users.pop_back();
    CHECK(complaint(small.graph).find("'x' does not know of one of its users, at node 'add'") != std::string::npos);
    users.push_back(&small.node(small.add));
    users.push_back(&small.node(small.add));
    CHECK(complaint(small.graph).find("'x' has a user that does not use it") != std::string::npos);
    users.pop_back();
    small.graph.info(small.relu).output_uses = 1;
    CHECK(complaint(small.graph).find("'relu' is an output 0 times, not 1") != std::string::npos);
}

TEST_CASE("arguments") {
    Small twice;
    twice.graph.append("aten::add.Tensor", {{"self", twice.x}, {"self", twice.x}}, {});
    CHECK(complaint(twice.graph).find("argument 'self' is given twice, at node without outputs") != std::string::npos);
    Small behind;
    behind.graph.append("aten::add.Tensor", {{"self", behind.x}, build::kw("alpha", 2), {"other", behind.x}}, {});
    CHECK(complaint(behind.graph).find("'other' stands behind a keyword") != std::string::npos);
    Small sizes;
    call(sizes.graph, "_operator::add", {{"a", sizes.x}, {"b", 1}}, size(1));
    CHECK(complaint(sizes.graph).find("argument 'a' of a function over sizes is no number") != std::string::npos);
    Small meta;
    meta.graph.info(meta.add).tensor.strides.pop_back();
    CHECK(complaint(meta.graph).find("'add' has another number of strides") != std::string::npos);
}

TEST_CASE("graphs inside") {
    Graph outer;
    outer.append("higher_order::cond", {{"true_fn", Subgraph{0}}}, {});
    CHECK(complaint(outer).find("there is no subgraph 0") != std::string::npos);
    Small small;
    small.graph.info(small.add).name = "relu";
    outer.add_subgraph("true_graph_0", std::move(small.graph));
    CHECK(complaint(outer).find("two values are called 'relu', at node 'relu', in subgraph 'true_graph_0'") !=
          std::string::npos);
}

TEST_CASE("ten thousand nodes are verified in well under a second") {
    Graph graph;
    const Value x = graph.add_input("x", tensor({4, 4}));
    Value last = x;
    for (int i = 0; i < 10000; ++i)
        last = call(graph, "aten::add.Tensor", {{"self", last}, {"other", x}}, tensor({4, 4}));
    graph.set_outputs({last});
    const std::clock_t start = std::clock();  // not the wall's: tests run beside others
    verify(graph);
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    MESSAGE("verified in ", taken * 1000, " ms");
    CHECK(taken < 0.5);
}
