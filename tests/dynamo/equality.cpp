// Whether tensors are equal is not known while a model is captured: answers follow from what is known, or are refused.
#include "support.hpp"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <torch/types.h>

#include <algorithm>

using namespace ferry_test;
using at::Tensor;
using doctest::Contains;
using ferry::inputs;

namespace {

ferry::Inputs two(int64_t n, int64_t m) { return inputs("x", at::randn({n}), "y", at::randn({m})); }

bool asserts(const ferry::ExportedProgram& program) {
    return std::ranges::any_of(program.graph.nodes(),
                               [](const ferry::Node& node) { return node.op() == "aten::_assert_scalar"; });
}

}  // namespace

TEST_CASE("tensors of sizes that vary: the program checks that they stay apart") {
    const auto model = [](Tensor x, Tensor y) { return at::equal(x, y) ? x * 2 : x.sum() + y.sum(); };
    const auto program = check_capture(model, two(4, 6), dynamic(), {two(5, 9), two(9, 5), two(7, 8)});
    CHECK(asserts(program));
    const Tensor x = at::randn({5});
    std::string said;
    try {
        static_cast<void>(program.module()(inputs("x", x, "y", x.clone())));
    } catch (const std::exception& error) {
        said = error.what();
    }
    CHECK(said.c_str() == Contains("where the model asks whether they are equal"));
}

TEST_CASE("tensors whose sizes are never the same are never equal") {
    const auto model = [](Tensor x, Tensor y) { return at::equal(x, y) ? x * 2 : x.sum() + y; };
    const auto make = [](int64_t n) { return inputs("x", at::randn({n, 3}), "y", at::randn({n, 4})); };
    const ferry::DynamoConfig config{.dynamic_shapes = {{"x", {{0, ferry::Dim{"n"}}}}, {"y", {{0, ferry::Dim{"n"}}}}}};
    CHECK_FALSE(asserts(check_capture(model, make(4), config, {make(7), make(2)})));
    const auto longer = [](Tensor x) { return at::equal(x, at::cat({x, x})) ? x * 2 : x + 1; };
    check_sizes("longer, unless empty", longer, {4, 3}, {{5, 2}});
    const auto flatter = [](Tensor x) { return at::equal(x, x.flatten()) ? x * 2 : x + 1; };
    CHECK_FALSE(asserts(check_sizes("of another rank", flatter, {4, 3}, {{5, 2}})));
}

TEST_CASE("a tensor equals itself unless it has a NaN in it") {
    const auto model = [](Tensor x) { return at::equal(x, x) ? x * 2 : x + 1; };
    check_capture(model, inputs("x", at::arange(4)), dynamic(), {inputs("x", at::arange(7))});
    CHECK(refusal(model, inputs("x", at::ones({3}))).c_str() == Contains("ferry::cond"));
}

TEST_CASE("an answer that may be wrong is refused, whatever the model does with it") {
    const auto throws = [](Tensor x, Tensor y) {
        TORCH_CHECK(at::equal(x, y), "the model wants equal tensors");
        return x + y;
    };
    CHECK(refusal(throws, two(4, 4)).c_str() == Contains("aten::equal"));
    const auto returns = [](Tensor x, Tensor y) { return at::equal(x, y) ? x : y; };
    CHECK(refusal(returns, two(4, 4)).c_str() == Contains("aten::equal"));
    // Weights as an attention has them, but made here.
    const auto made = [](Tensor x, Tensor y) {
        const Tensor weight = at::ones({12, 4}) * x;
        return at::equal(x, y) ? weight : weight.slice(0, 0, 4);
    };
    CHECK(refusal(made, two(4, 4)).c_str() == Contains("aten::equal"));
}
