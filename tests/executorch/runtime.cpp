// Programs that are called: ExecuTorch's runtime in this process.
#include <ferry/verify/executorch_runtime.hpp>

#include "../op_cases/op_suite.hpp"
#include "support.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using at::Tensor;
using namespace ferry_test;

TEST_CASE("a program is called, at several sizes and whoever brings the memory") {
    const Tensor weight = at::randn({5, 4});
    const TensorFunction function = [&](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        return {at::linear(x[0] * x[1], weight), x[0] + 1};
    };
    const auto captured = capture_for_executorch(function, {at::randn({3, 4}), at::randn({4})},
                                                 {{"tensors.0", {{0, ferry::Dim("n", 1, 9)}}}});
    for (const bool planned : {true, false}) {
        const ferry::ExecutorchProgram program =
            to_executorch(captured, {.alloc_graph_input = planned, .alloc_graph_output = planned});
        for (const std::int64_t rows : {3, 1, 9}) {
            const std::vector<Tensor> given{at::randn({rows, 4}), at::randn({4})};
            const std::vector<Tensor> results = program(given), expected = function(given);
            REQUIRE(results.size() == 2);
            for (std::size_t i = 0; i < 2; ++i) CHECK(difference(results[i], expected[i], false) == "");
        }
        CHECK_THROWS_WITH_AS(static_cast<void>(program({at::randn({10, 4}), at::randn({4})})),
                             doctest::Contains("ExecuTorch's runtime: input 0"), ferry::Error);
        CHECK_THROWS_WITH_AS(static_cast<void>(program({at::randn({3, 4})})), doctest::Contains("takes 2 inputs"),
                             ferry::Error);
    }
}

TEST_CASE("a batch of none keeps its other sizes") {
    const Tensor first = at::randn({1, 1, 4}), places = at::randn({6, 4});
    const TensorFunction function = [&](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        return {at::cat({first.expand({x[0].size(0), 1, 4}), x[0]}, 1) + places};
    };
    const ferry::ExecutorchProgram program = to_executorch(
        capture_for_executorch(function, {at::randn({3, 5, 4})}, {{"tensors.0", {{0, ferry::Dim("n", 0, 9)}}}}));
    for (const std::int64_t batch : {3, 0, 1}) {
        const std::vector<Tensor> given{at::randn({batch, 5, 4})};
        CHECK(difference(program(given).at(0), function(given).at(0), false) == "");
    }
}

TEST_CASE("a method stops at sizes that forward does something else for") {
    const Tensor weight = at::randn({5, 4});
    const TensorFunction function = [&](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        return {at::linear(x[0].size(0) >= 7 ? x[0] * 2 : x[0] + 1, weight)};
    };
    for (const auto& [sample, held, other] : {std::array<std::int64_t, 3>{3, 6, 7}, {9, 30, 5}}) {
        CAPTURE(sample);
        const auto rows_and_columns = [](std::int64_t rows, std::int64_t columns) {
            return std::vector<Tensor>{at::randn({rows, columns, 4})};
        };
        const auto captured =
            capture_for_executorch(function, rows_and_columns(sample, 3),
                                   {{"tensors.0", {{0, ferry::Dim::AUTO}, {1, ferry::Dim("m", 1, 20)}}}});
        for (const char* const backend : {"portable", "xnnpack"}) {
            const ferry::ExecutorchProgram program = to_executorch(captured, {.backend = backend});
            const std::vector<Tensor> given = rows_and_columns(held, 2);
            CHECK(difference(program(given).at(0), function(given).at(0), false) == "");
            CHECK_THROWS_AS(static_cast<void>(program(rows_and_columns(other, 2))), ferry::Error);
            CHECK(difference(program(given).at(0), function(given).at(0), false) == "");
        }
    }
}

TEST_CASE("a session keeps what its method writes") {
    const Tensor total = at::full({2}, 0.0);
    const TensorFunction function = [&](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        Tensor(total).add_(x[0]);
        return {total * 1};
    };
    const ferry::ExecutorchProgram program = to_executorch(capture_for_executorch(function, {at::full({2}, 1.0)}));
    ferry::runtime::ExecutorchSession session(program.buffer());
    for (const double expected : {2.0, 4.0, 6.0})
        CHECK(difference(session.run({at::full({2}, 2.0)}).at(0), at::full({2}, expected), false) == "");
}
