#include <ferry/graph/passes/functional_writes.hpp>

#include "../build.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace build;

namespace {

std::vector<std::string> ops_of(const Graph& graph) {
    std::vector<std::string> ops;
    for (const Node& node : graph.nodes()) ops.emplace_back(node.op());
    return ops;
}

}  // namespace

TEST_CASE("writes to a tensor that nothing else sees give new tensors") {
    Graph graph;
    const Value x = graph.add_input("x", tensor({4}));
    const Value fresh = call(graph, "aten::exp", {{"self", x}}, tensor({4}));
    const Value before = call(graph, "aten::neg", {{"self", fresh}}, tensor({4}));
    call(graph, "aten::add_.Tensor", {{"self", fresh}, {"other", x}}, tensor({4}));
    const Value between = call(graph, "aten::sin", {{"self", fresh}}, tensor({4}));
    const Value last = call(graph, "aten::mul_.Tensor", {{"self", fresh}, {"other", fresh}}, tensor({4}));
    graph.set_outputs({fresh, before, between, last});
    make_writes_functional(graph);
    CHECK(ops_of(graph) ==
          std::vector<std::string>{"aten::exp", "aten::neg", "aten::add.Tensor", "aten::sin", "aten::mul.Tensor"});
    const Node *exp = graph.first(), *neg = exp->next(), *add = neg->next(), *sin = add->next(), *mul = sin->next();
    CHECK(neg->arguments()[0].value == Argument(exp->output(0)));
    CHECK(add->arguments()[0].value == Argument(exp->output(0)));
    CHECK(sin->arguments()[0].value == Argument(add->output(0)));
    CHECK(mul->arguments()[0].value == Argument(add->output(0)));
    CHECK(mul->arguments()[1].value == Argument(add->output(0)));
    const std::vector<Argument> expected{mul->output(0), neg->output(0), sin->output(0), mul->output(0)};
    CHECK((graph.outputs() == expected));
}

TEST_CASE("writes that others see stay") {
    Graph graph;
    const Value x = graph.add_input("x", tensor({4}));
    call(graph, "aten::add_.Tensor", {{"self", x}, {"other", x}}, tensor({4}));  // an input
    const Value viewed = call(graph, "aten::exp", {{"self", x}}, tensor({4}));
    const Value view = call(graph, "aten::view", {{"self", viewed}, {"size", ArgumentList{2, 2}}}, tensor({2, 2}));
    call(graph, "aten::mul_.Scalar", {{"self", viewed}, {"other", 2}}, tensor({4}));  // there is a view of it
    const Value drawn = call(graph, "aten::neg", {{"self", x}}, tensor({4}));
    call(graph, "aten::normal_", {{"self", drawn}}, tensor({4}));  // has no form that writes nothing
    graph.set_outputs({view, drawn});
    make_writes_functional(graph);
    CHECK(ops_of(graph) == std::vector<std::string>{"aten::add_.Tensor", "aten::exp", "aten::view", "aten::mul_.Scalar",
                                                    "aten::neg", "aten::normal_"});
}
