#include <ferry/graph/passes/common_subexpressions.hpp>

#include "../build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::tensor;

TEST_CASE("equal calls become one, through chains and lists") {
    Graph g;
    const Value x = g.add_input("x", tensor({4, 4}));
    const auto chain = [&] {
        const Value sin = call(g, "aten::sin", {{"self", x}}, tensor({4, 4}));
        const auto parts = call_tuple(g, "aten::split.Tensor", {{"self", sin}, {"split_size", 2}},
                                      {tensor({2, 4}), tensor({2, 4})}, true);
        return call(g, "aten::cat", {{"tensors", ArgumentList{parts[1], parts[0]}}, {"dim", 0}}, tensor({4, 4}));
    };
    const Value a = chain();
    const Value b = chain();
    const Value sum = call(g, "aten::add.Tensor", {{"self", a}, {"other", b}}, tensor({4, 4}));
    g.set_outputs({sum});
    CHECK(merge_common_subexpressions(g) == 3);
    CHECK(g.num_nodes() == 4);
    CHECK(*g.last()->find("self") == *g.last()->find("other"));
}

TEST_CASE("what only looks equal stays") {
    Graph g;
    const Value x = g.add_input("x", tensor({4}));
    for (int i = 0; i < 2; ++i) call(g, "aten::rand_like", {{"self", x}}, tensor({4}));
    call(g, "aten::mul.Scalar", {{"self", x}, {"other", 0.0}}, tensor({4}));
    call(g, "aten::mul.Scalar", {{"self", x}, {"other", -0.0}}, tensor({4}));
    call(g, "aten::mul.Scalar", {{"self", x}, {"other", 0}}, tensor({4}));
    call(g, "aten::sum", {{"self", x}, build::kw("dtype", DType::float32)}, tensor({}));
    call(g, "aten::sum", {{"self", x}, build::kw("dtype", DType::float64)}, tensor({}));
    CHECK(merge_common_subexpressions(g) == 0);
}

TEST_CASE("two outputs stay two tensors") {
    Graph g;
    const Value x = g.add_input("x", tensor({4}));
    const Value a = call(g, "aten::sin", {{"self", x}}, tensor({4}));
    const Value b = call(g, "aten::sin", {{"self", x}}, tensor({4}));
    g.set_outputs({a, b});
    CHECK(merge_common_subexpressions(g) == 0);
}
