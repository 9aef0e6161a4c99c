#include <ferry/graph/written_inputs.hpp>

#include "build.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace build;

TEST_CASE("writes are found through views, and inside bodies") {
    Graph graph;
    const Value direct = graph.add_input("direct", tensor({4}));
    const Value viewed = graph.add_input("viewed", tensor({4, 4}));
    const Value read = graph.add_input("read", tensor({4}));
    const Value inside = graph.add_input("inside", tensor({4}));
    call(graph, "aten::add_.Tensor", {{"self", direct}, {"other", read}}, tensor({4}));
    const Value turned = call(graph, "aten::t", {{"self", viewed}}, tensor({4, 4}));
    const Value row = call(graph, "aten::select.int", {{"self", turned}, {"dim", 0}, {"index", 1}}, tensor({4}));
    call(graph, "aten::mul_.Scalar", {{"self", row}, {"other", 2}}, tensor({4}));
    const Value sum = call(graph, "aten::add.Tensor", {{"self", read}, {"other", read}}, tensor({4}));
    call(graph, "aten::add_.Tensor", {{"self", sum}, {"other", read}}, tensor({4}));  // memory of its own

    Graph body;
    const Value first = body.add_input("first", tensor({4}));
    const Value second = body.add_input("second", tensor({4}));
    body.set_outputs({call(body, "aten::add_.Tensor", {{"self", second}, {"other", first}}, tensor({4}))});
    const Subgraph inner = graph.add_subgraph("submod", std::move(body));
    const Value out = call(
        graph, "higher_order::wrap_with_set_grad_enabled",
        {{"enable_grad", false}, {"wrapped_func", inner}, {"operand_0", read}, {"operand_1", inside}}, tensor({4}));
    graph.set_outputs({out});
    CHECK(written_inputs(graph) == std::vector<bool>{true, true, false, true});
}
