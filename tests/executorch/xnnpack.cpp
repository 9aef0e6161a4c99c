// What XNNPACK is given of a model, and what is left to kernels.
#include <ferry/executorch/exporter.hpp>
#include <ferry/executorch/xnnpack/definition.hpp>

#include "../../examples/tiny_transformer.hpp"
#include "../op_cases/op_suite.hpp"
#include "support.hpp"

#include <ATen/ops/addmm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matrix_exp.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/var_mean.h>
#include <torch/nn/functional/embedding.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/pooling.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using at::Tensor;
using ferry::Dim;
using ferry::ExecutorchExporter;
using ferry::ExecutorchProgram;
using namespace ferry_test;

namespace {

Tensor run_once(const ExecutorchProgram& program, const Tensor& input) {
    std::vector<RuntimeRun> runs{{.program = 0, .inputs = {input}}};
    run_in_executorch({program}, runs);
    REQUIRE(runs[0].error == "");
    return runs[0].outputs.at(0);
}

}  // namespace

TEST_CASE("a convolutional net is one call of XNNPACK") {
    torch::manual_seed(1);
    torch::nn::Sequential net(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3).padding(1)),
                              torch::nn::BatchNorm2d(8), torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 8, 3).groups(8)),
                              torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 4, 1)));
    net->eval();
    const Tensor x = at::randn({2, 3, 10, 12});
    const auto program = ExecutorchExporter{}.export_model(
        net, ferry::inputs("x", x),
        {.dynamic_shapes = {{"x", {{0, Dim("n", 1, 4)}, {2, Dim("h", 4, 20)}, {3, Dim("w", 4, 20)}}}}});
    const auto method = program.inspect().at(0);
    CHECK(method.delegates == 1);
    CHECK(method.kernel_calls == 0);
    for (const Tensor& each : {x, at::randn({1, 3, 7, 5})})
        CHECK(difference(run_once(program, each), net->forward(each), false) == "");
}

TEST_CASE("windows that go beyond the end of an image are XNNPACK's where its size is fixed") {
    torch::nn::Sequential net(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3)),
                              torch::nn::MaxPool2d(torch::nn::MaxPool2dOptions(3).stride(2).ceil_mode(true)),
                              torch::nn::AvgPool2d(torch::nn::AvgPool2dOptions(3).stride(2).ceil_mode(true)));
    for (const std::int64_t height : {9, 10, 11, 12}) {
        const Tensor x = at::randn({2, 3, height, 14}) - 3;
        const auto program = ExecutorchExporter{}.export_model(net, ferry::inputs("x", x));
        CHECK(program.inspect().at(0).kernel_calls == 0);
        CHECK(difference(run_once(program, x), net->forward(x), false) == "");
    }
}

TEST_CASE("of a transformer most is delegated, in three parts for each layer and one behind them") {
    examples::TinyTransformer model;
    model.eval();
    const auto shapes = std::map<std::int64_t, Dim>{{0, Dim("batch", 1, 8)}, {1, Dim("length", 2, 64)}};
    const auto program = ExecutorchExporter{}.export_model(
        model,
        ferry::inputs("ids", torch::randint(0, 1000, {2, 7}, torch::kLong), "mask", torch::ones({2, 7}, torch::kBool)),
        {.dynamic_shapes = {{"ids", shapes}, {"mask", shapes}}});
    const auto method = program.inspect().at(0);
    CHECK(method.delegates > 0);
    CHECK(method.delegates <= 3 * 2 + 1);
    std::size_t views = 0;
    for (const auto& [kernel, calls] : method.kernels) views += kernel.find("et_view") != kernel.npos ? calls : 0;
    CHECK(method.delegated_nodes > 2 * (method.kernel_calls - views));
}

TEST_CASE("weights stand in a file once, whoever uses them") {
    struct Tied : torch::nn::Module {
        Tensor words = register_parameter("words", at::randn({500, 64}));
        Tensor forward(const Tensor& ids) { return torch::linear(torch::nn::functional::embedding(ids, words), words); }
    };
    Tied model;
    const Tensor ids = torch::randint(0, 500, {1, 5}, torch::kLong);
    const auto program = ExecutorchExporter{}.export_model(model, ferry::inputs("ids", ids));
    CHECK(program.inspect().at(0).delegates == 1);
    CHECK(program.buffer().size() < 500 * 64 * sizeof(float) + 8000);
    CHECK(difference(run_once(program, ids), model.forward(ids), false) == "");
}

TEST_CASE("what is computed from weights alone is computed once") {
    struct Net : torch::nn::Module {
        Tensor filters = register_parameter("filters", at::randn({16, 3, 3, 3}));
        Tensor shape = register_parameter("shape", at::randn({64, 64}));
        Tensor narrow = register_parameter("narrow", at::randn({64, 2}) / 8);
        Tensor shapes = register_parameter("shapes", at::randn({128, 64}) / 8);
        Tensor positions = register_parameter("positions", at::randn({1, 64}));
        Tensor forward(const Tensor& x) {
            const auto [variance, mean] = at::var_mean(filters, {1, 2, 3}, 0, true);
            const Tensor found = at::conv2d(x, (filters - mean) * at::rsqrt(variance + 1e-6)).flatten(1);
            // A rotation, by an op that the runtime has no kernel for; and positions for each row, of which the file needs one.
            const Tensor turned = at::linear(found, at::matrix_exp(shape - shape.t()) + at::mm(narrow, narrow.t()));
            // In core ATen, with two parts of one matrix.
            const auto both = shapes.chunk(2);
            return at::addmm(positions[0], at::mm(turned, both[0].permute({1, 0})), both[1].permute({1, 0})) +
                   at::cos(positions.expand({x.size(0), 64}));
        }
    };
    torch::manual_seed(1);
    Net net;
    const Tensor x = at::randn({3, 3, 4, 4});
    for (const char* backend : {"xnnpack", "portable"}) {
        const auto program = ExecutorchExporter{}.export_model(
            net, ferry::inputs("x", x), {.dynamic_shapes = {{"x", {{0, Dim("n", 1, 8)}}}}, .backend = backend});
        const auto method = program.inspect().at(0);
        std::size_t weights = 0;
        for (const Tensor& each : net.parameters()) weights += each.nbytes();
        CHECK(program.buffer().size() < weights + 8000);
        for (const auto& [kernel, calls] : method.kernels)
            for (const std::string_view other : {"var", "permute", "slice", "split"})
                CHECK_MESSAGE(kernel.find(other) == kernel.npos, kernel);
        for (const Tensor& each : {x, at::randn({1, 3, 4, 4})})
            CHECK(difference(run_once(program, each), net.forward(each), false) == "");
    }
}

TEST_CASE("several programs in one file, with what they share once, and constants as methods") {
    struct Words : torch::nn::Module {
        Tensor words = register_parameter("words", at::randn({500, 64}));
    };
    Words shared;
    const auto of_function = [](const TensorFunction& function, const Tensor& example) {
        return to_executorch(capture_for_executorch(function, {example}));
    };
    const Tensor ids = torch::randint(0, 500, {1, 5}, torch::kLong), hidden = at::randn({1, 5, 64});
    const TensorFunction embed = [&](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        return {torch::nn::functional::embedding(given[0], shared.words)};
    };
    const TensorFunction project = [&](const std::vector<Tensor>& given) -> std::vector<Tensor> {
        return {at::linear(given[0], shared.words)};
    };
    const ExecutorchProgram both =
        ExecutorchProgram::combine({{"embed", of_function(embed, ids)}, {"project", of_function(project, hidden)}},
                                   {{"get_max_seq_len", std::int64_t{128}}, {"is_tied", true}, {"scale", 0.5}});
    CHECK(both.methods() == std::vector<std::string>{"embed", "project", "get_max_seq_len", "is_tied", "scale"});
    CHECK(both.buffer().size() < 500 * 64 * sizeof(float) + 8000);
    std::vector<RuntimeRun> runs{{.program = 0, .inputs = {ids}, .method = "embed"},
                                 {.program = 0, .inputs = {hidden}, .method = "project"},
                                 {.program = 0, .method = "get_max_seq_len"},
                                 {.program = 0, .method = "scale"}};
    run_in_executorch({both}, runs);
    for (const RuntimeRun& run : runs) REQUIRE(run.error == "");
    CHECK(difference(runs[0].outputs.at(0), embed({ids})[0], false) == "");
    CHECK(difference(runs[1].outputs.at(0), project({hidden})[0], false) == "");
    CHECK(runs[2].outputs.at(0).item<std::int64_t>() == 128);
    CHECK(runs[3].outputs.at(0).item<double>() == 0.5);
    CHECK_THROWS_WITH(static_cast<void>(ExecutorchProgram::combine({{"a", both}})), doctest::Contains("5 methods"));
    const ExecutorchProgram one = of_function(project, hidden);
    CHECK_THROWS_WITH(static_cast<void>(ExecutorchProgram::combine({{"a", one}, {"a", one}})),
                      doctest::Contains("two methods"));
}

TEST_CASE("a cheap op by itself is left to kernels, unless it is asked for") {
    const auto program = capture_for_executorch(
        [](const std::vector<Tensor>& given) { return std::vector<Tensor>{given[0].relu()}; }, {at::randn({4})});
    CHECK(to_executorch(program).inspect().at(0).delegates == 0);
    CHECK(to_executorch(program, {.smallest_delegate = 1}).inspect().at(0).delegates == 1);
    CHECK(to_executorch(program, {.backend = "portable", .smallest_delegate = 1}).inspect().at(0).delegates == 0);
}

namespace {

struct whole_silu {
    static constexpr auto target = ferry::op("aten::silu");
    static void define(ferry::executorch::xnnpack::Definition& d) {
        using ferry::executorch::xnnpack::Op;
        const auto x = d.plain(d.tensor("self"));
        d.give(d.elementwise(Op::XNNMultiply, x, d.apply(Op::XNNSigmoid, {x}, d.builder().sizes(d.output()))));
    }
};
using with_silu = ferry::extend<ferry::executorch_pipeline, ferry::delegations<whole_silu>>;

}  // namespace

TEST_CASE("a user tells XNNPACK an op of their own") {
    const auto captured = capture_for_executorch(
        [](const std::vector<Tensor>& given) { return std::vector<Tensor>{at::silu(given[0])}; }, {at::randn({3, 4})});
    const auto program = ExecutorchExporter<with_silu>{}.export_program(captured);
    CHECK(program.inspect().at(0).delegated_nodes == 2);
    CHECK(program.inspect().at(0).kernel_calls == 0);
    const Tensor x = at::randn({3, 4});
    CHECK(difference(run_once(program, x), at::silu(x), false) == "");
}
