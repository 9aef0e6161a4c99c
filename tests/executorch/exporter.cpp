// Models in ExecuTorch's runtime against eager libtorch, at several sizes.
#include <ferry/capture/control_flow.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/log.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/tree/context.hpp>

#include "../../examples/tiny_transformer.hpp"
#include "../op_cases/op_suite.hpp"
#include "../python_peer.hpp"
#include "support.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using at::Tensor;
using ferry::Dim;
using ferry::Error;
using ferry::ExecutorchConfig;
using ferry::ExecutorchExporter;
using ferry::ExecutorchProgram;
using namespace ferry_test;

namespace {

std::string said;  // NOLINT: what a log wrote
struct Listening {
    ferry::LogSink before = ferry::set_log_sink([](ferry::LogLevel, std::string_view message) { said += message; });
    Listening() { said.clear(); }
    ~Listening() { ferry::set_log_sink(before); }
};

/// With kernels alone, with XNNPACK where it pays, and wherever it can be.
std::vector<ExecutorchProgram> for_all_backends(const ferry::ExportedProgram& program) {
    return {to_executorch(program, {.backend = "portable"}), to_executorch(program),
            to_executorch(program, {.smallest_delegate = 1})};
}

/// Runs one after the other, by one method: what it keeps is kept.
void check_runs(const std::vector<ExecutorchProgram>& programs, const std::vector<std::vector<Tensor>>& inputs,
                const std::vector<std::vector<Tensor>>& expected) {
    std::vector<RuntimeRun> runs;
    for (std::size_t program = 0; program < programs.size(); ++program)
        for (const auto& each : inputs) runs.push_back({.program = program, .inputs = each});
    run_in_executorch(programs, runs);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::vector<Tensor>& wanted = expected[i % inputs.size()];
        CAPTURE(i);
        CHECK(runs[i].error == "");
        REQUIRE(runs[i].outputs.size() == wanted.size());
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            CAPTURE(k);
            CHECK(difference(runs[i].outputs[k], wanted[k], false) == "");
        }
    }
}

void check_function(const TensorFunction& function, const std::vector<std::vector<Tensor>>& inputs,
                    const ferry::DynamicShapes& shapes = {}) {
    std::vector<std::vector<Tensor>> expected;
    for (const auto& each : inputs) expected.push_back(function(each));
    check_runs(for_all_backends(capture_for_executorch(function, inputs[0], shapes)), inputs, expected);
}

}  // namespace

TEST_CASE("a transformer with dynamic shapes") {
    torch::manual_seed(1);
    examples::TinyTransformer model;
    model.eval();
    const auto make = [](std::int64_t batch, std::int64_t length) {
        Tensor mask = torch::ones({batch, length}, torch::kBool);
        mask.index_put_({0, 0}, length < 3);
        return std::vector<Tensor>{torch::randint(0, 1000, {batch, length}, torch::kLong), mask};
    };
    const std::vector<std::vector<Tensor>> inputs{make(2, 7), make(1, 32), make(5, 3)};
    const Dim batch("batch", 1, 8), length("length", 1, 32);
    const std::vector<ExecutorchProgram> programs = for_all_backends(ferry::DynamoExporter{}.export_model(
        model, ferry::inputs("input_ids", inputs[0][0], "attention_mask", inputs[0][1]),
        {.dynamic_shapes = {{"input_ids", {{0, batch}, {1, length}}}, {"attention_mask", {{0, batch}, {1, length}}}}}));
    CHECK(programs[0].methods() == std::vector<std::string>{"forward"});
    std::vector<std::vector<Tensor>> expected;
    for (const auto& each : inputs) expected.push_back({model.forward(each[0], each[1])});
    check_runs(programs, inputs, expected);
}

TEST_CASE("a convolutional net, with its batch norm and a pool") {
    torch::manual_seed(2);
    struct Net : torch::nn::Module {
        torch::nn::Conv2d first{torch::nn::Conv2dOptions(3, 8, 3).padding(1).stride(2)};
        torch::nn::BatchNorm2d norm{8};
        torch::nn::Conv2d second{torch::nn::Conv2dOptions(8, 8, 3).groups(8)};
        Net() {
            register_module("first", first);
            register_module("norm", norm);
            register_module("second", second);
        }
        Tensor forward(const Tensor& x) {
            return torch::adaptive_avg_pool2d(second(torch::relu(norm(first(x)))), {1, 1}).flatten(1);
        }
    };
    Net net;
    net.eval();
    const std::vector<ExecutorchProgram> programs = for_all_backends(ferry::DynamoExporter{}.export_model(
        net, ferry::inputs("x", torch::randn({2, 3, 16, 16})), {.dynamic_shapes = {{"x", {{0, Dim("batch", 1, 4)}}}}}));
    const std::vector<std::vector<Tensor>> inputs{{torch::randn({2, 3, 16, 16})}, {torch::randn({1, 3, 16, 16})}};
    check_runs(programs, inputs, {{net.forward(inputs[0][0])}, {net.forward(inputs[1][0])}});
}

TEST_CASE("buffers keep from run to run what the model writes to them") {
    struct Counter : torch::nn::Module {
        Tensor total = register_buffer("total", torch::full({3}, 10.0));
        Tensor last = register_buffer("last", torch::zeros({3}));
        Tensor forward(const Tensor& x) {
            const Tensor before = total + last;
            total.add_(x);
            last.copy_(x);
            return before;
        }
    };
    Counter exported, model;  // a program has the tensors of the model that it came from
    const std::vector<ExecutorchProgram> programs =
        for_all_backends(ferry::DynamoExporter{}.export_model(exported, ferry::inputs("x", torch::ones({3}))));
    std::vector<std::vector<Tensor>> inputs, expected;
    for (int i = 0; i < 3; ++i) {
        inputs.push_back({torch::randn({3})});
        expected.push_back({model.forward(inputs.back()[0]).clone()});
    }
    check_runs(programs, inputs, expected);
}

TEST_CASE("buffers that begin with zeros share them in a file, and nothing else") {
    struct Sums : torch::nn::Module {
        Tensor small = register_buffer("small", torch::zeros({1000})), ones = register_buffer("ones", torch::ones({7}));
        Tensor large = register_buffer("large", torch::zeros({4000})),
               same = register_buffer("same", torch::zeros({4000}));
        Tensor forward(const Tensor& x) {
            for (const Tensor& each : {small, ones, large, same}) each.add_(x);
            large.mul_(2);
            return at::cat({small, ones, large, same});
        }
    };
    Sums exported, model;
    const std::vector<ExecutorchProgram> programs =
        for_all_backends(ferry::DynamoExporter{}.export_model(exported, ferry::inputs("x", torch::ones({1}))));
    for (const ExecutorchProgram& each : programs) CHECK(each.buffer().size() < 4000 * sizeof(float) + 8192);
    std::vector<std::vector<Tensor>> inputs, expected;
    for (int i = 0; i < 3; ++i) {
        inputs.push_back({torch::randn({1})});
        expected.push_back({model.forward(inputs.back()[0]).clone()});
    }
    check_runs(programs, inputs, expected);
}

TEST_CASE("two buffers change places") {
    struct Swap : torch::nn::Module {
        Tensor a = register_buffer("a", torch::full({2}, 1.0)), b = register_buffer("b", torch::full({2}, 2.0));
        std::tuple<Tensor, Tensor> forward(const Tensor& x) {
            const Tensor old_a = a.clone(), old_b = b.clone();
            a.copy_(old_b);
            b.copy_(old_a);
            return {old_a + x, old_b.view({2, 1})};
        }
    };
    Swap exported, model;
    const std::vector<ExecutorchProgram> programs =
        for_all_backends(ferry::DynamoExporter{}.export_model(exported, ferry::inputs("x", torch::ones({2}))));
    std::vector<std::vector<Tensor>> inputs, expected;
    for (int i = 0; i < 3; ++i) {
        inputs.push_back({torch::randn({2})});
        const auto [first, second] = model.forward(inputs.back()[0]);
        expected.push_back({first.clone(), second.clone()});
    }
    check_runs(programs, inputs, expected);
}

TEST_CASE("either branch of a cond") {
    torch::manual_seed(3);
    const Tensor weight = torch::randn({4, 4});
    const TensorFunction function = [&](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        const Tensor made = ferry::cond(
            given[0].sum() > 0, [&](const Tensor& each) { return each.matmul(weight); },
            [](const Tensor& each) { return each * 2.0; }, given[0]);
        return {made + 1, made.view({-1})};
    };
    check_function(function, {{torch::rand({3, 4})}, {-torch::rand({5, 4})}, {torch::rand({2, 4})}},
                   {{"tensors.0", {{0, Dim("rows", 1, 16)}}}});
}

TEST_CASE("sizes are computed where they are needed") {
    const TensorFunction function = [](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        const Tensor x = given[0], y = given[1];
        const Tensor joined = torch::cat({x, y}, 0);
        return {joined.view({joined.size(0) * 2, -1}) + joined.size(0), x.unsqueeze(0).expand({3, -1, -1}),
                torch::arange(y.size(0) + 1), joined.slice(0, 1, x.size(0) + 1).reshape({-1, 2, x.size(0)})};
    };
    const auto make = [](std::int64_t a, std::int64_t b) {
        return std::vector<Tensor>{torch::randn({a, 4}), torch::randn({b, 4})};
    };
    check_function(function, {make(3, 5), make(2, 9), make(7, 2)},
                   {{"tensors.0", {{0, Dim("a", 1, 20)}}}, {"tensors.1", {{0, Dim("b", 1, 30)}}}});
}

TEST_CASE("how many elements are found is known when a method runs") {
    const TensorFunction function = [](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        return {given[0].nonzero(), given[0].masked_select(given[0] > 0) * 2};
    };
    check_function(function, {{torch::tensor({1.0F, -1.0F, 0.0F, 2.0F})}, {torch::tensor({0.0F, -1.0F, 0.0F, -2.0F})}});
}

TEST_CASE("inputs and constants that are outputs too, and one output twice") {
    const Tensor constant = torch::tensor({1.0F, 2.0F});
    const TensorFunction function = [&](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        const Tensor sum = given[0] + constant;
        return {given[0], sum, sum, sum.view({2, 1}), constant * 1};
    };
    check_function(function, {{torch::randn({2})}, {torch::randn({2})}});
}

TEST_CASE("an unlimited size is limited with a warning, by what tensors it makes") {
    const TensorFunction square = [](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        return {given[0].matmul(given[0].t())};
    };
    const Listening listening;
    const auto program = capture_for_executorch(square, {torch::randn({3, 4})}, {{"tensors.0", {{0, Dim("rows")}}}});
    static_cast<void>(to_executorch(program));
    CHECK(said.find("rows at most 1024") != std::string::npos);
    said.clear();
    static_cast<void>(to_executorch(
        capture_for_executorch(square, {torch::randn({3, 4})}, {{"tensors.0", {{0, Dim("rows", 1, 64)}}}})));
    CHECK(said.find("at most") == std::string::npos);
}

TEST_CASE("what has no kernel is named, all of it, and no file is left") {
    const TensorFunction function = [](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        return {given[0].digamma() + given[0].lgamma()};
    };
    const auto program = capture_for_executorch(function, {torch::rand({3})});
    const Folder folder;
    std::string what;
    try {
        to_executorch(program).save(folder / "model.pte");
    } catch (const Error& error) {
        what = error.what();
    }
    CHECK(what.find("aten::digamma") != std::string::npos);
    CHECK(what.find("aten::lgamma") != std::string::npos);
    CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("a configuration is a dict as well") {
    ExecutorchConfig config{.dynamic = true, .alloc_graph_input = false};
    config.dynamic_shapes["x"].insert_or_assign(0, Dim("n", 2, 9));
    const ExecutorchConfig again = ExecutorchConfig::from_dict(config.to_dict());
    CHECK(again.to_dict() == config.to_dict());
    CHECK(again.dynamic);
    CHECK(!again.alloc_graph_input);
    CHECK(again.alloc_graph_output);
    CHECK_THROWS_AS(ExecutorchConfig{.backend = "cuda"}.check(), Error);
    CHECK_THROWS_AS(ExecutorchConfig{.backend = "nothing"}.check(), Error);
}

TEST_CASE("loops run as often as their input says") {
    torch::manual_seed(4);
    const TensorFunction doubling = [](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        const auto [count, value, other] = ferry::while_loop(
            [](const Tensor& count, const Tensor& value, const Tensor&) { return (value.sum() < 100) & (count < 9); },
            [](const Tensor& count, const Tensor& value, const Tensor& other) {
                return std::tuple(count + 1, other * 2, value + 1);  // two of them change places
            },
            torch::tensor(0), given[0], given[0] + 1);
        return {count, value, other, given[0] * 2};
    };
    check_function(doubling, {{torch::rand({2, 3})}, {torch::rand({4, 3}) * 40}, {torch::full({1, 3}, 100.0F)}},
                   {{"tensors.0", {{0, Dim("rows", 1, 8)}}}});
    const Tensor weight = torch::randn({3, 3});
    const TensorFunction sums = [&](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        const auto [last, all] = ferry::scan(
            [&](const Tensor& carry, const Tensor& row) {
                const Tensor next = carry.matmul(weight).tanh() + row;
                return std::pair(next, next * 2);
            },
            torch::zeros({3}), given[0]);
        return {last, all};
    };
    check_function(sums, {{torch::randn({4, 3})}, {torch::randn({7, 3})}, {torch::randn({2, 3})}},
                   {{"tensors.0", {{0, Dim("steps", 1, 8)}}}});
}

TEST_CASE("half precision is as good as libtorch's") {
    torch::manual_seed(5);
    const TensorFunction function = [](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        const Tensor& x = given[0];
        return {torch::layer_norm(x, {1024}), torch::softmax(x * 3, -1), x.mean(-1), torch::log_softmax(x, -1),
                torch::conv1d(x.view({1, 8, 1024}), x.view({2, 8, 512}).slice(2, 0, 3))};
    };
    for (const auto dtype : {torch::kHalf, torch::kBFloat16})
        check_function(function, {{torch::randn({8, 1024}).to(dtype)}});
}
