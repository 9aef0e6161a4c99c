#include <ferry/graph/find_op.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/verify/run_onnx.hpp>

#include "../../examples/tiny_transformer.hpp"

#include <onnx/onnx_pb.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

using ferry::Dim;
using ferry::DynamoExporter;
using ferry::Error;
using ferry::extend;
using ferry::find_op;
using ferry::Graph;
using ferry::Inputs;
using ferry::inputs;
using ferry::Node;
using ferry::node_fixes;
using ferry::onnx_pipeline;
using ferry::OnnxExporter;
using ferry::OnnxProgram;
using ferry::op;
using ferry::op_table;
using ferry::patches;
using ferry::replace;
using ferry::translations;
using ferry::Tree;
using ferry::Value;

namespace {

/// A custom op's translation, to a domain of its own.
struct relu_of_mine {
    static constexpr auto target = op("aten::relu");
    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) {
        return t.add_custom("my.domain", 3, "MyRelu", {t.tensor("self")}, {{"level", 2}}, {t.result_dtype()}).front();
    }
};
/// Another one, in standard ops.
struct gelu_of_mine {
    static constexpr auto target = op("aten::gelu");
    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) {
        const ferry::onnx::Ref self = t.tensor("self");
        return t.add("Mul", {self, t.add("Sigmoid", {t.add("Mul", {self, t.number_like(1.702, self)})})});
    }
};
using with_mine = replace<replace<onnx_pipeline, ferry::onnx::translated::relu, relu_of_mine>,
                          ferry::onnx::translated::gelu, gelu_of_mine>;

struct gcd_is_least {
    static constexpr auto target = op("aten::gcd");
    static bool fix(Graph& graph, Node& node) {
        const Value old = node.outputs()[0].values[0];
        const Value least = graph.new_value("minimum", {.name = {}, .tensor = graph.info(old).tensor});
        graph.insert_before(
            &node, "aten::minimum",
            {{.name = "self", .value = *node.find("self")}, {.name = "other", .value = *node.find("other")}},
            {{.values = {least}}});
        graph.replace_uses(old, least);
        graph.erase(node);
        return true;
    }
};
struct gelu_and_one {
    static constexpr auto target = op("aten::gelu");
    static at::Tensor call(const at::Tensor& self, c10::string_view approximate) {
        return at::gelu(self, approximate) + 1;
    }
};

struct Counter : torch::nn::Module {
    Counter() { calls = register_buffer("calls", torch::zeros({})); }
    torch::Tensor forward(const torch::Tensor& x) {
        calls.add_(1);
        return x * calls;
    }
    torch::Tensor calls;
};

}  // namespace

TEST_CASE("translations are of ops that there are") {
    for (const auto& claim : op_table<onnx_pipeline::stage<translations>>::claims)
        if (claim.op.starts_with("aten::")) CHECK_MESSAGE(find_op(claim.op).has_value(), claim.op);
}

TEST_CASE("a language model of C++ runs in ONNX Runtime, at sizes that its capture has not seen") {
    torch::manual_seed(0);
    examples::TinyTransformer model({.vocabulary = 50, .width = 16, .heads = 2, .layers = 2, .positions = 64});
    model.eval();
    const torch::NoGradGuard no_gradients;
    const auto sample = [](std::int64_t batch, std::int64_t length) {
        auto mask = torch::ones({batch, length}, torch::kLong);
        mask.index_put_({0, length - 1}, 0);
        return inputs("input_ids", torch::randint(50, {batch, length}), "attention_mask", mask);
    };
    for (const bool dynamic : {false, true}) {
        const OnnxProgram program = OnnxExporter{}.export_model(model, sample(2, 7), {.dynamic = dynamic});
        CHECK(program.input_names() == std::vector<std::string>{"input_ids", "attention_mask"});
        CHECK(program.output_names() == std::vector<std::string>{"output"});
        for (const auto& [batch, length] : {std::pair(2, 7), std::pair(3, 11), std::pair(1, 4)}) {
            if (!dynamic && batch != 2) continue;
            const Inputs given = sample(batch, length);
            const auto expected =
                model.forward(given.get<at::Tensor>("input_ids"), given.get<at::Tensor>("attention_mask"));
            const Tree found = program(given);
            CHECK(torch::allclose(found.leaves[0].tensor(), expected, 1e-4, 1e-5));
        }
        const auto proto = program.model_proto();
        bool has_weight = false, has_path = false;
        for (const auto& weight : proto.graph().initializer()) has_weight |= weight.name() == "layers.0.qkv.weight";
        for (const auto& node : proto.graph().node())
            for (const auto& entry : node.metadata_props()) has_path |= entry.value() == "layers.1";
        CHECK(has_weight);
        CHECK(has_path);
    }
}

TEST_CASE("an entry of one's own takes the place of Ferry's") {
    const auto model = [](const at::Tensor& x) { return at::gelu(x); };
    const auto x = torch::randn({3, 4});
    const OnnxProgram program = OnnxExporter<with_mine>{}.export_model(model, inputs("x", x));
    CHECK(torch::allclose(program(inputs("x", x)).leaves[0].tensor(), x * torch::sigmoid(1.702 * x), 1e-5, 1e-6));
    const auto relu = [](const at::Tensor& y) { return at::relu(y); };
    const auto proto = OnnxExporter<with_mine>{}.export_model(relu, inputs("x", x)).model_proto();
    REQUIRE(proto.graph().node_size() == 1);
    CHECK(proto.graph().node(0).domain() == "my.domain");
    CHECK(proto.opset_import_size() == 2);
}

TEST_CASE("a buffer that the model writes to comes out as an output") {
    Counter model;
    const auto x = torch::randn({3});
    const OnnxProgram program = OnnxExporter{}.export_model(model, inputs("x", x));
    CHECK(program.output_names() == std::vector<std::string>{"output", "calls.mutated"});
    CHECK(torch::allclose(program(inputs("x", x)).leaves[0].tensor(), x));
}

TEST_CASE("node fixes run before ops are taken apart, and rescue one that nothing else knows") {
    const auto model = [](const at::Tensor& x, const at::Tensor& y) { return at::gcd(x, y); };
    const auto x = torch::tensor({4, 9, 10}), y = torch::tensor({6, 3, 5});
    CHECK_THROWS_AS(static_cast<void>(OnnxExporter{}.export_model(model, inputs("x", x, "y", y))), Error);
    const OnnxProgram program =
        OnnxExporter<extend<onnx_pipeline, node_fixes<gcd_is_least>>>{}.export_model(model, inputs("x", x, "y", y));
    CHECK(program(inputs("x", x, "y", y)).leaves[0].tensor().equal(at::minimum(x, y)));
}

TEST_CASE("a pipeline's patches hold for a program from elsewhere, once") {
    const auto model = [](const at::Tensor& x) { return at::gelu(x); };
    const auto x = torch::randn({3, 4});
    using patched = OnnxExporter<extend<onnx_pipeline, patches<gelu_and_one>>>;
    const auto expected = at::gelu(x) + 1;
    CHECK(patched{}
              .export_program(DynamoExporter{}.export_model(model, inputs("x", x)))(inputs("x", x))
              .leaves[0]
              .tensor()
              .allclose(expected, 1e-5, 1e-5));
    CHECK(patched{}
              .export_model(model, inputs("x", x))(inputs("x", x))
              .leaves[0]
              .tensor()
              .allclose(expected, 1e-5, 1e-5));
}

TEST_CASE("what goes in and comes out under one name is told apart in the model alone") {
    const auto model = [](const at::Tensor& x, const at::Tensor& state) {
        return std::map<std::string, at::Tensor>{{"state", state + x}, {"y", x * 2}};
    };
    const auto x = torch::randn({3}), state = torch::randn({3});
    const Inputs given = inputs("x", x, "state", state);
    const OnnxProgram program = OnnxExporter{}.export_model(model, given);
    CHECK(program.input_names() == std::vector<std::string>{"x", "input.state"});
    CHECK(program.output_names() == std::vector<std::string>{"output.state", "y"});
    CHECK(program(given).leaves[0].tensor().equal(state + x));
}

TEST_CASE("zeros in front of a pool are among its numbers") {
    const auto model = [](const at::Tensor& x) { return at::max_pool2d(at::constant_pad_nd(x, {1, 1, 0, 1}), 3, 2); };
    const auto x = -torch::rand({2, 3, 8, 9}) - 1;
    const OnnxProgram program = OnnxExporter{}.export_model(model, inputs("x", x));
    CHECK(program(inputs("x", x)).leaves[0].tensor().equal(model(x)));
}

TEST_CASE("a pad between transpositions, which ONNX Runtime moves") {
    const auto model = [](const at::Tensor& x) {
        return at::constant_pad_nd(at::conv1d(x, at::ones({4, 4, 1})).transpose(1, 2).unsqueeze(-1), {0, 0, 1, 2})
            .transpose(1, 2);
    };
    const auto x = torch::rand({2, 4, 6});
    const OnnxProgram program = OnnxExporter{}.export_model(model, inputs("x", x));
    CHECK(program(inputs("x", x)).leaves[0].tensor().equal(model(x)));
}

TEST_CASE("a model stops at sizes that forward does something else for") {
    const auto model = [](const at::Tensor& x) { return x.size(0) >= 7 ? x * 2 : x + 1; };
    for (const auto& [sample, held, other] : {std::array<std::int64_t, 3>{3, 6, 7}, {9, 30, 5}}) {
        CAPTURE(sample);
        const OnnxProgram program = OnnxExporter{}.export_model(model, inputs("x", torch::randn({sample, 2})),
                                                                {.dynamic_shapes = {{"x", {{0, Dim::AUTO}}}}});
        const auto x = torch::randn({held, 2});
        CHECK(program(inputs("x", x)).leaves[0].tensor().equal(model(x)));
        std::string refusal;
        try {
            static_cast<void>(program(inputs("x", torch::randn({other, 2}))));
        } catch (const Error& error) {
            refusal = error.message();
        }
        CHECK(refusal.c_str() == doctest::Contains("out of data bounds"));  // ONNX Runtime's own words
    }
}

TEST_CASE("a convolutional network") {
    torch::manual_seed(0);
    torch::nn::Sequential model(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).stride(2).padding(1)),
                                torch::nn::BatchNorm2d(4));
    model->eval();
    const torch::NoGradGuard no_gradients;
    const auto x = torch::randn({2, 3, 9, 9});
    const OnnxProgram program =
        OnnxExporter{}.export_model(model, inputs("x", x), {.dynamic_shapes = {{"x", {{0, Dim("batch", 1, 64)}}}}});
    CHECK(program.model_proto().graph().input(0).type().tensor_type().shape().dim(0).dim_param() == "batch");
    for (const std::int64_t batch : {2, 5}) {
        const auto given = torch::randn({batch, 3, 9, 9});
        CHECK(torch::allclose(program(inputs("x", given)).leaves[0].tensor(), model->forward(given), 1e-4, 1e-5));
    }
}
