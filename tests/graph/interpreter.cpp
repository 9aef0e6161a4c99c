#include <ferry/graph/interpreter.hpp>

#include "build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::kw;
using build::tensor;

namespace {

const SymExpr s0 = SymExpr::symbol("s0");

}  // namespace

TEST_CASE("ops, lists, sizes and arithmetic on them, at several sizes") {
    Graph g;
    const Value x = g.add_input("x", tensor({s0, 6}));
    const Value rows = call(g, "aten::sym_size.int", {{"self", x}, {"dim", 0}}, build::size(s0));
    const Value twice = call(g, "_operator::mul", {{"a", rows}, {"b", 2}}, build::size(s0));
    const Value view = call(g, "aten::view", {{"self", x}, {"size", ArgumentList{twice, 3}}}, tensor({s0, 3}));
    const auto parts = call_tuple(g, "aten::split.Tensor", {{"self", view}, {"split_size", rows}},
                                  {tensor({s0, 3}), tensor({s0, 3})}, true);
    const auto topk =
        call_tuple(g, "aten::topk", {{"self", parts[1]}, {"k", 2}}, {tensor({s0, 2}), tensor({s0, 2}, DType::int64)});
    const Value cat = call(g, "aten::cat", {{"tensors", ArgumentList{topk[0], parts[0]}}, {"dim", 1}}, tensor({s0, 5}));
    const Value sum = call(g, "aten::sum.dim_IntList",
                           {{"self", cat}, {"dim", ArgumentList{1}}, {"keepdim", true}, kw("dtype", DType::float64)},
                           tensor({s0, 1}, DType::float64));
    const Value index = call(g, "aten::index.Tensor", {{"self", cat}, {"indices", ArgumentList{Argument(), topk[1]}}},
                             tensor({s0, s0, 2}));
    g.set_outputs({sum, index, twice, 3, Argument(), "text"});
    const Interpreter interpreter(g);
    torch::manual_seed(1);
    for (const std::int64_t n : {1, 2, 5, 13}) {
        const at::Tensor input = torch::randn({n, 6});
        const auto results = interpreter.run(std::vector<c10::IValue>{input});
        const auto eager_parts = input.view({2 * n, 3}).split(n);
        const auto [values, indices] = eager_parts[1].topk(2);
        const at::Tensor eager = torch::cat({values, eager_parts[0]}, 1);
        CHECK(torch::equal(results[0].toTensor(), eager.sum({1}, true, torch::kDouble)));
        CHECK(torch::equal(results[1].toTensor(), eager.index({torch::indexing::Slice(), indices})));
        CHECK(results[2].toInt() == 2 * n);
        CHECK(results[3].toInt() == 3);
        CHECK(results[4].isNone());
        CHECK(results[5].toStringRef() == "text");
    }
}

TEST_CASE("gradients flow through") {
    Graph g;
    const Value x = g.add_input("x", tensor({3}));
    const Value sin = call(g, "aten::sin", {{"self", x}}, tensor({3}));
    const Value sum = call(g, "aten::sum", {{"self", sin}}, tensor({}));
    g.set_outputs({sum});
    const at::Tensor input = torch::randn({3}, torch::requires_grad());
    Interpreter(g).run(std::vector<c10::IValue>{input})[0].toTensor().backward();
    CHECK(torch::allclose(input.grad(), input.detach().cos()));
}

TEST_CASE("values go at their last use") {
    Graph g;
    const Value x = g.add_input("x", tensor({1000}));
    Value last = x;
    for (int i = 0; i < 3; ++i) last = call(g, "aten::add.Scalar", {{"self", last}, {"other", 1}}, tensor({1000}));
    g.set_outputs({last});
    std::vector<c10::IValue> inputs{torch::zeros({1000})};
    const auto results = Interpreter(g).run(inputs);
    CHECK(results[0].toTensor().use_count() <= 2);
    CHECK(inputs[0].toTensor().use_count() <= 2);
    CHECK(torch::equal(results[0].toTensor(), torch::full({1000}, 3.0)));
}

TEST_CASE("what cannot run is refused with its name") {
    Graph unknown;
    const Value x = unknown.add_input("x", tensor({3}));
    call(unknown, "nobody::knows.this", {{"self", x}}, tensor({3}));
    CHECK_THROWS_WITH_AS(Interpreter{unknown}, doctest::Contains("nobody::knows.this"), Error);
    Graph none;
    CHECK_THROWS_AS(static_cast<void>(Interpreter(none).run(std::vector<c10::IValue>{1})), Error);
    Graph split;
    const Value y = split.add_input("y", tensor({4}));
    const auto parts =
        call_tuple(split, "aten::split.Tensor", {{"self", y}, {"split_size", 2}}, {tensor({2}), tensor({2})}, true);
    split.set_outputs({parts[0]});
    CHECK_THROWS_WITH_AS(static_cast<void>(Interpreter(split).run(std::vector<c10::IValue>{torch::zeros({6})})),
                         doctest::Contains("returned 3 tensors"), Error);
}
