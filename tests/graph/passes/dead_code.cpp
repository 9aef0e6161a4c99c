#include <ferry/graph/passes/dead_code.hpp>

#include "../build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::kw;
using build::tensor;

namespace {

std::vector<std::string> ops(const Graph& graph) {
    std::vector<std::string> names;
    for (const Node& node : graph.nodes()) names.emplace_back(node.op());
    return names;
}
using Ops = std::vector<std::string>;

}  // namespace

TEST_CASE("chains that nobody uses go, what is used stays") {
    Graph g;
    const Value x = g.add_input("x", tensor({4, 4}));
    const Value relu = call(g, "aten::relu", {{"self", x}}, tensor({4, 4}));
    const Value rows = call(g, "aten::sym_size.int", {{"self", x}, {"dim", 0}}, build::size(4));
    const Value twice = call(g, "_operator::mul", {{"a", rows}, {"b", 2}}, build::size(8));
    const Value view = call(g, "aten::view", {{"self", relu}, {"size", ArgumentList{twice, -1}}}, tensor({8, 2}));
    call(g, "aten::sin", {{"self", view}}, tensor({8, 2}));
    const auto topk =
        call_tuple(g, "aten::topk", {{"self", relu}, {"k", 2}}, {tensor({4, 2}), tensor({4, 2}, DType::int64)});
    g.set_outputs({topk[1]});
    CHECK(remove_dead_code(g) == 4);
    CHECK(ops(g) == Ops{"aten::relu", "aten::topk"});
    CHECK(remove_dead_code(g) == 0);
}

TEST_CASE("what does more than compute stays") {
    Graph g;
    const Value x = g.add_input("x", tensor({4}));
    call(g, "aten::rand_like", {{"self", x}}, tensor({4}));
    call(g, "aten::dropout", {{"input", x}, {"p", 0.5}, {"train", true}}, tensor({4}));
    call(g, "aten::add_.Tensor", {{"self", x}, {"other", x}}, tensor({4}));
    g.append("aten::_assert_async.msg", {{"self", x}, {"assert_msg", "no"}}, {});
    call(g, "aten::_functional_assert_async.msg", {{"self", x}, {"assert_msg", "no"}, {"dep_token", x}}, tensor({4}));
    call(g, "nobody::knows", {{"self", x}}, tensor({4}));
    call(g, "aten::scaled_dot_product_attention",
         {{"query", x}, {"key", x}, {"value", x}, {"attn_mask", {}}, {"dropout_p", 0.1}}, tensor({4}));
    CHECK(remove_dead_code(g) == 0);
    CHECK(g.num_nodes() == 7);
}

TEST_CASE("dropout that drops nothing is no random op") {
    Graph g;
    const Value x = g.add_input("x", tensor({4}));
    call(g, "aten::dropout", {{"input", x}, {"p", 0.5}, {"train", false}}, tensor({4}));
    call(g, "aten::scaled_dot_product_attention", {{"query", x}, {"key", x}, {"value", x}}, tensor({4}));
    CHECK(remove_dead_code(g) == 2);
}

TEST_CASE("graphs inside: cleaned too, and as pure as their nodes") {
    const auto body = [](std::string_view op) {
        Graph inner;
        const Value x = inner.add_input("x", tensor({4}));
        const Value made = call(inner, op, {{"self", x}}, tensor({4}));
        call(inner, "aten::sin", {{"self", x}}, tensor({4}));
        inner.set_outputs({made});
        return inner;
    };
    for (const bool random : {false, true}) {
        Graph g;
        const Value x = g.add_input("x", tensor({4}));
        const Subgraph yes = g.add_subgraph("true_graph_0", body("aten::relu"));
        const Subgraph no = g.add_subgraph("false_graph_0", body(random ? "aten::rand_like" : "aten::cos"));
        call_tuple(g, "higher_order::cond",
                   {{"pred", x}, {"true_fn", yes}, {"false_fn", no}, {"operands", ArgumentList{x}}}, {tensor({4})});
        remove_dead_code(g);
        CHECK(g.num_nodes() == (random ? 1 : 0));
        CHECK(ops(g.subgraph(yes)) == Ops{"aten::relu"});
    }
}

TEST_CASE("the time does not grow with the square of the size") {
    const auto seconds = [](int nodes) {
        Graph g;
        const Value x = g.add_input("x", tensor({4}));
        Value last = x;
        for (int i = 0; i < nodes; ++i) last = call(g, "aten::add.Tensor", {{"self", last}, {"other", x}}, tensor({4}));
        OpEffects effects;
        const std::clock_t start = std::clock();
        CHECK(ferry::detail::remove_dead_code(g, effects) == static_cast<std::size_t>(nodes));
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    seconds(100);
    CHECK(seconds(10000) < 0.3);
}
