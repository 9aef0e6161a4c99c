#include <ferry/capture/control_flow.hpp>

#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/types.h>

#include <tuple>
#include <utility>

using at::Tensor;
using namespace ferry_test;

namespace {

/// Inputs that take either branch: the sum decides.
[[nodiscard]] std::vector<ferry::Inputs> both_signs(const Sizes& first, const Sizes& second) {
    return {ferry::inputs("x", at::rand(first) + 0.1), ferry::inputs("x", -at::rand(second) - 0.1)};
}

}  // namespace

TEST_CASE("cond takes either branch in the program, whatever the sample took") {
    at::manual_seed(1);
    const Tensor weight = at::randn({4, 4});
    const auto model = [&](const Tensor& x) {
        return ferry::cond(
                   x.sum() > 0, [&](const Tensor& each) { return each.matmul(weight); },
                   [](const Tensor& each) { return each * static_cast<double>(2); }, x) +
               1;
    };
    const auto program =
        check_capture(model, ferry::inputs("x", at::rand({3, 4})), dynamic(), both_signs({5, 4}, {7, 4}));
    CHECK(program.graph.num_subgraphs() == 2);
}

TEST_CASE("a branch that uses a dynamic size is given it") {
    const auto model = [](const Tensor& x) {
        return ferry::cond(
            x.sum() > 0, [](const Tensor& each) { return each + each.size(0); },
            [](const Tensor& each) { return each.reshape({-1}).reshape({each.size(0), each.size(1)}); }, x);
    };
    check_capture(model, ferry::inputs("x", at::rand({3, 4})), dynamic(), both_signs({5, 6}, {7, 2}));
}

TEST_CASE("branches return nested values, and nest") {
    const auto model = [](const Tensor& x) {
        return ferry::cond(
            x.sum() > 0,
            [](const Tensor& each) {
                const Tensor inner = ferry::cond(
                    each.max() > 0.5, [](const Tensor& y) { return y * 2; }, [](const Tensor& y) { return y - 1; },
                    each);
                return std::make_pair(inner, each.sum(0));
            },
            [](const Tensor& each) { return std::make_pair(-each, each.amax(0)); }, x);
    };
    auto others = both_signs({5, 4}, {7, 4});
    others.push_back(ferry::inputs("x", at::full({6, 4}, 0.01)));
    check_capture(model, ferry::inputs("x", at::rand({3, 4})), dynamic(), others);
}

TEST_CASE("while_loop runs as often as its condition holds") {
    at::manual_seed(2);
    const Tensor weight = at::randn({4, 4}) * 0.3;
    const auto model = [&](const Tensor& x) {
        const auto [steps, y] = ferry::while_loop(
            [](const Tensor&, const Tensor& each) { return each.abs().max() > 0.1; },
            [&](const Tensor& count, const Tensor& each) { return std::make_tuple(count + 1, each.matmul(weight)); },
            at::zeros({}, at::kLong), x);
        return std::make_tuple(steps, y);
    };
    check_capture(model, ferry::inputs("x", at::randn({3, 4})), dynamic(),
                  {ferry::inputs("x", at::randn({5, 4})), ferry::inputs("x", at::zeros({2, 4})),
                   ferry::inputs("x", at::randn({2, 4}) * 50)});
}

TEST_CASE("scan carries a state along a dynamic length and stacks what the steps give") {
    at::manual_seed(3);
    const Tensor weight = at::randn({4, 4});
    const auto model = [&](const Tensor& x) {
        return ferry::scan(
            [&](const Tensor& state, const Tensor& slice) {
                const Tensor next = at::tanh(state + slice.matmul(weight));
                return std::make_pair(next, next * 2);
            },
            at::zeros({x.size(1), 4}), x);
    };
    check_capture(model, ferry::inputs("x", at::randn({6, 3, 4})), dynamic(),
                  {ferry::inputs("x", at::randn({9, 2, 4})), ferry::inputs("x", at::randn({4, 5, 4}) * 2)});
}

TEST_CASE("outside a capture they are the if and the loops that they stand for") {
    const Tensor x = at::ones({2});
    const auto twice = [](const Tensor& each) { return each * 2; };
    const auto negated = [](const Tensor& each) { return -each; };
    CHECK(ferry::cond(x.sum() > 0, twice, negated, x).equal(x * 2));
    CHECK(ferry::cond(x.sum() < 0, twice, negated, x).equal(-x));
    const auto [count] =
        ferry::while_loop([](const Tensor& i) { return i < 7; }, [](const Tensor& i) { return std::make_tuple(i + 1); },
                          at::zeros({}, at::kLong));
    CHECK(count.item<std::int64_t>() == 7);
}

TEST_CASE("what cannot be a graph is refused with a reason") {
    const auto shapes = [](const Tensor& x) {
        return ferry::cond(
            x.sum() > 0, [](const Tensor& each) { return each; }, [](const Tensor& each) { return each.sum(); }, x);
    };
    CHECK(refusal(shapes, ferry::inputs("x", at::rand({3, 4}))).find("the two branches of cond differ in the shape") !=
          std::string::npos);
    const auto writes = [](const Tensor& x) {
        const Tensor state = x + 1;
        return ferry::cond(
            x.sum() > 0, [&](const Tensor& each) { return each + state.add_(1); },
            [](const Tensor& each) { return each * 1; }, x);
    };
    CHECK(refusal(writes, ferry::inputs("x", at::rand({3, 4}))).find("writes in place to a tensor from outside") !=
          std::string::npos);
    const auto grows = [](const Tensor& x) {
        return std::get<0>(ferry::while_loop([](const Tensor& each) { return each.sum() > 0; },
                                             [](const Tensor& each) { return std::make_tuple(at::cat({each, each})); },
                                             x));
    };
    CHECK(refusal(grows, ferry::inputs("x", at::rand({3, 4}))).find("what its body returns differ in the shape") !=
          std::string::npos);
}
