#include "support.hpp"

#include <ferry/capture/control_flow.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <torch/types.h>

#include <doctest/doctest.h>

#include <tuple>
#include <utility>
#include <vector>

using at::Tensor;
using namespace ferry_test;

namespace {

/// Dynamic in the first dimension; compared at the sample's size and at another one.
void check(const TensorFunction& function, const std::vector<std::vector<Tensor>>& runs) {
    ferry::DynamicShapes shapes;
    shapes["tensors.0"].insert_or_assign(0, ferry::Dim("rows"));
    const auto model = to_onnx(capture(function, runs[0], shapes));
    for (const auto& inputs : runs) {
        const auto expected = function(inputs);
        const ferry::Tree found = model(ferry::inputs("tensors", inputs));
        REQUIRE(found.leaves.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(torch::allclose(found.leaves[i].tensor(), expected[i], 1e-5, 1e-6));
    }
}

}  // namespace

TEST_CASE("cond becomes If") {
    const Tensor weight = torch::randn({4, 4});
    check(
        [&](const std::vector<Tensor>& in) {
            return std::vector{ferry::cond(
                                   in[0].sum() > 0, [&](const Tensor& x) { return x.matmul(weight) + x.size(0); },
                                   [](const Tensor& x) { return x * 2.0; }, in[0]) +
                               1};
        },
        {{torch::rand({3, 4})}, {-torch::rand({3, 4})}, {torch::rand({6, 4})}, {-torch::rand({5, 4})}});
}

TEST_CASE("while_loop becomes Loop") {
    check(
        [](const std::vector<Tensor>& in) {
            const auto [last, steps] =
                ferry::while_loop([](const Tensor& x, const Tensor&) { return x.abs().sum() < 100; },
                                  [](const Tensor& x, const Tensor& n) { return std::tuple(x * 1.5 + 0.1, n + 1); },
                                  in[0], torch::zeros({}, torch::kLong));
            return std::vector{last, steps};
        },
        {{torch::rand({3, 4})}, {torch::rand({7, 4})}, {torch::full({3, 4}, 100.0)}});
}

TEST_CASE("scan becomes Scan") {
    check(
        [](const std::vector<Tensor>& in) {
            const auto [last, all] =
                ferry::scan([](const Tensor& sum, const Tensor& x) { return std::pair(sum + x, (sum * x).relu()); },
                            torch::zeros({4}), in[0]);
            return std::vector{last, all};
        },
        {{torch::randn({3, 4})}, {torch::randn({7, 4})}});
}
