#include "support.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/tree/context_json.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/verify/onnx_runtime.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <onnx/onnx_pb.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace ferry_test;

namespace {

struct Directory {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("ferry_onnx_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    Directory() { std::filesystem::create_directory(path); }
    ~Directory() { std::filesystem::remove_all(path); }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
};

ferry::ExportedProgram linear_program(const at::Tensor& weight) {
    return capture([weight](const std::vector<at::Tensor>& in) { return std::vector{at::linear(in[0], weight)}; },
                   {torch::randn({3, 64})}, {{"tensors.0", {{0, ferry::Dim("rows")}}}});
}

}  // namespace

TEST_CASE("weights lie beside the model, or inside of it") {
    const auto weight = torch::randn({32, 64}).t().contiguous().t();  // not as it lies in a file
    const auto program = linear_program(weight);
    const auto x = torch::randn({5, 64});
    const auto expected = at::linear(x, weight);
    for (const bool external : {true, false}) {
        const Directory directory;
        const auto path = directory.path / "model.onnx";
        to_onnx(program, {.external_data = external}).save(path);
        CHECK(std::filesystem::exists(directory.path / "model.onnx.data") == external);
        CHECK((std::filesystem::file_size(path) < 4096) == external);
        const ferry::runtime::OnnxSession session(path);
        CHECK(torch::allclose(session.run({x})[0], expected, 1e-4, 1e-5));
        CHECK(std::distance(std::filesystem::directory_iterator(directory.path), {}) == (external ? 2 : 1));
    }
}

TEST_CASE("several threads may begin to run a model at once") {
    const auto weight = torch::randn({32, 64});
    const auto model = to_onnx(linear_program(weight));
    const auto x = torch::randn({5, 64});
    std::vector<at::Tensor> found(4);
    {
        std::vector<std::jthread> threads;
        for (at::Tensor& each : found)
            threads.emplace_back(
                [&model, &x, &each] { each = model(ferry::inputs("tensors", std::vector{x})).leaves[0].tensor(); });
    }
    for (const at::Tensor& each : found) CHECK(torch::allclose(each, at::linear(x, weight), 1e-4, 1e-5));
}

TEST_CASE("names decide which input is which") {
    auto program = capture([](const std::vector<at::Tensor>& in) { return std::vector{in[0] - in[1]}; },
                           {torch::randn({3}), torch::randn({3})});
    // As Python has it: one input by place, one by name.
    program.in_spec = ferry::TreeSpec::tuple({ferry::TreeSpec::tuple({ferry::TreeSpec()}),
                                              ferry::TreeSpec::dict({ferry::tree::Context("b")}, {ferry::TreeSpec()})});
    program.input_names = {"a", "b"};
    const auto model = to_onnx(program);
    CHECK(model.input_names() == std::vector<std::string>{"a", "b"});
    const auto a = torch::randn({3}), b = torch::randn({3});
    CHECK(at::equal(model(ferry::inputs("a", a, "b", b)).leaves[0].tensor(), a - b));
    CHECK(at::equal(model(ferry::inputs("b", b, "a", a)).leaves[0].tensor(), a - b));
    CHECK_THROWS_WITH(static_cast<void>(model(ferry::inputs("c", b, "a", a))),
                      doctest::Contains("missing: b; unknown: c"));
    CHECK_THROWS_WITH(static_cast<void>(model(ferry::inputs("a", a, "b", std::vector{b}))),
                      doctest::Contains("not nested"));
}

TEST_CASE("each operator set runs") {
    const auto function = [](const std::vector<at::Tensor>& in) {
        const auto x = at::gelu(at::layer_norm(in[0], {8}));
        return std::vector{at::scaled_dot_product_attention(x, x, x, in[1]), x.sum(-1), at::rms_norm(x, {8})};
    };
    const std::vector<at::Tensor> inputs{torch::randn({2, 3, 4, 8}), torch::rand({4, 4}).gt(0.5)};
    inputs[1][0].fill_(false);  // a row that sees nothing
    const auto program = capture(function, inputs);
    const auto expected = function(inputs);
    for (const std::int64_t opset : {18, 19, 20, 21, 22, 23}) {
        const auto model = to_onnx(program, {.opset_version = opset});
        CHECK(model.model_proto().opset_import(0).version() == opset);
        const ferry::Tree found = model(ferry::inputs("tensors", inputs));
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK_MESSAGE(torch::allclose(found.leaves[i].tensor(), expected[i], 1e-4, 1e-5), opset, " ", i);
    }
}

TEST_CASE("what cannot be exported is told at once, with all its ops") {
    const auto function = [](const std::vector<at::Tensor>& in) {
        return std::vector{at::linalg_svdvals(in[0]), at::i0(in[0])};
    };
    const auto program = capture(function, {torch::randn({3, 3})});
    try {
        static_cast<void>(to_onnx(program));
        FAIL("it was exported");
    } catch (const ferry::Error& error) {
        const std::string what = error.what();
        CHECK(error.kind() == ferry::ErrorKind::unsupported);
        CHECK(what.find("aten::i0, 1 call in") != std::string::npos);
        CHECK(what.find("svd") != std::string::npos);
    }
}

TEST_CASE("a bad configuration is refused, and leaves no file") {
    const Directory directory;
    const auto program = linear_program(torch::randn({4, 64}));
    const auto path = directory.path / "model.onnx";
    CHECK_THROWS_AS(static_cast<void>(to_onnx(program, {.output_path = path, .opset_version = 5})), ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(to_onnx(program, {.output_path = directory.path})), ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(to_onnx(program, {.output_path = directory.path / "none" / "model.onnx"})),
                    ferry::Error);
    CHECK(std::filesystem::is_empty(directory.path));
    CHECK_THROWS_AS(static_cast<void>(ferry::OnnxConfig::from_dict(ferry::tree::from_json(R"({"opset": 20})"))),
                    ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(ferry::OnnxConfig::from_dict(ferry::tree::from_json(R"({"dynamic": 1.5})"))),
                    ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(ferry::OnnxConfig::from_dict(ferry::tree::from_json(R"({"opset_version": 5})"))),
                    ferry::Error);
}

TEST_CASE("a configuration as Python's dict, both ways") {
    const ferry::Dim rows("rows", 2, 9);
    const ferry::OnnxConfig config{.dynamic_shapes = {{"x", {{0, rows}, {1, ferry::Dim::AUTO}, {2, 2 * rows + 1}}}},
                                   .strict = true,
                                   .output_path = "model.onnx",
                                   .opset_version = 21,
                                   .external_data = false};
    const auto dict = config.to_dict();
    CHECK(dict.find("opset_version")->as_integer() == 21);
    const auto again = ferry::OnnxConfig::from_dict(ferry::tree::from_json(ferry::tree::to_json(dict)));
    CHECK(again.to_dict() == dict);
    CHECK(again.dynamic_shapes.at("x").at(2).size() == config.dynamic_shapes.at("x").at(2).size());
    const auto plain = ferry::OnnxConfig{}.to_dict();
    CHECK(plain.find("dynamic_shapes")->is_none());
    CHECK(ferry::OnnxConfig::from_dict(plain).to_dict() == plain);
}

TEST_CASE("weights may be left out, or be inputs as well") {
    const auto weight = torch::randn({32, 64});
    const auto program = linear_program(weight);
    const auto both = to_onnx(program, {.keep_initializers_as_inputs = true}).model_proto();
    CHECK(both.graph().input_size() == 2);
    CHECK(both.graph().initializer_size() == 1);
}

TEST_CASE("a model without its weights runs with those that are handed over") {
    torch::nn::Linear model(torch::nn::LinearOptions(64, 32).bias(false));
    const torch::NoGradGuard no_gradients;
    const at::Tensor x = torch::randn({3, 64});
    const ferry::Inputs given = ferry::inputs("x", x);
    const auto program = ferry::DynamoExporter{}.export_model(model, given);
    const auto bare = to_onnx(program, {.export_params = false});
    CHECK(bare.model_proto().graph().initializer_size() == 0);
    REQUIRE(program.state.size() == 1);
    CHECK(bare.run(given, program.state).outputs.leaves[0].tensor().allclose(model->forward(x), 1e-4, 1e-4));
    const ferry::NamedTensors other{{"weight", model->weight * 2}};
    CHECK(bare.run(given, other).outputs.leaves[0].tensor().allclose(model->forward(x) * 2, 1e-4, 1e-4));
    CHECK_THROWS_WITH(static_cast<void>(bare.run(given)), doctest::Contains("these are not given: weight"));
}
