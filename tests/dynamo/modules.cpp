// Module paths of nodes, and patches of ops and of modules.
#include <ferry/capture/submodule.hpp>
#include <ferry/core/extend.hpp>
#include <ferry/dynamo/exporter.hpp>

#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace {

using at::Tensor;

struct MlpImpl : torch::nn::Module {
    MlpImpl() {
        up = register_module("up", torch::nn::Linear(4, 8));
        down = register_module("down", torch::nn::Linear(8, 4));
    }
    Tensor forward(const Tensor& x) { return down->forward(at::relu(up->forward(x))); }
    torch::nn::Linear up{nullptr}, down{nullptr};
};

/// Says nothing of its calls.
struct Plain : torch::nn::Module {
    Plain() {
        for (int i = 0; i < 2; ++i) layers->push_back(std::make_shared<MlpImpl>());
        register_module("layers", layers);
    }
    Tensor forward(Tensor x) {
        for (const auto& layer : *layers) x = x + layer->as<MlpImpl>()->forward(x);
        return x.sigmoid();
    }
    torch::nn::ModuleList layers;
};

struct Scale : torch::nn::Module {
    Tensor forward(const Tensor& x, double by) { return x * by; }
};

struct Announced : torch::nn::Module {
    Announced() {
        mlp = register_module("mlp", std::make_shared<MlpImpl>());
        fc = register_module("fc", torch::nn::Linear(4, 4));
        scale = register_module("scale", std::make_shared<Scale>());
    }
    Tensor forward(const Tensor& x) { return scale(fc(mlp(x)), 2.0).tanh(); }
    ferry::submodule<MlpImpl> mlp;
    ferry::submodule<torch::nn::Linear> fc{nullptr};
    ferry::submodule<Scale> scale;
};

std::map<std::string, std::string> paths(const ferry::ExportedProgram& program) {
    std::map<std::string, std::string> found;
    for (const ferry::Node& node : program.graph.nodes())
        if (!node.outputs().empty()) found[program.graph.info(node.output()).name] = std::string(node.module_path());
    return found;
}

const ferry::Inputs& sample() {
    static const ferry::Inputs inputs = ferry::inputs("x", at::ones({3, 4}));
    return inputs;
}

struct scale_by_adding {
    using module = Scale;
    static Tensor forward(Scale&, const Tensor& x, double by) { return by == 2.0 ? x + x : x; }
};

struct failing_scale {
    using module = Scale;
    static Tensor forward(Scale&, const Tensor&, double) { throw std::runtime_error("not today"); }
};

struct relu_as_maximum {
    static constexpr auto target = ferry::op("aten::relu");
    static Tensor call(const Tensor& self) { return self.clamp_min(0); }
};

bool has_op(const ferry::ExportedProgram& program, std::string_view op) {
    for (const ferry::Node& node : program.graph.nodes())
        if (node.op() == op) return true;
    return false;
}

}  // namespace

TEST_CASE("without announcements, paths follow from parameters and neighbours") {
    Plain model;
    const auto program = ferry::DynamoExporter{}.export_model(model, sample(), {.dynamic = true});
    const auto path = paths(program);
    CHECK(path.at("linear") == "layers.0.up");
    CHECK(path.at("relu") == "layers.0");
    CHECK(path.at("linear_1") == "layers.0.down");
    CHECK(path.at("linear_3") == "layers.1.down");
    CHECK(path.at("sigmoid").empty());
}

TEST_CASE("submodules announce their calls") {
    Announced model;
    const auto program = ferry::DynamoExporter{}.export_model(model, sample(), {.dynamic = true});
    const auto path = paths(program);
    CHECK(path.at("linear") == "mlp.up");
    CHECK(path.at("relu") == "mlp");
    CHECK(path.at("linear_2") == "fc");
    CHECK(path.at("mul") == "scale");
    CHECK(path.at("tanh").empty());
    const Tensor x = at::randn({7, 4});
    CHECK(at::allclose(program.module()(ferry::inputs("x", x)).leaves[0].tensor(), model.forward(x)));
    CHECK(ferry::capture::module_calls() == nullptr);
}

TEST_CASE("an op that fails says in which module") {
    Announced model;
    try {
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({3, 5}))));
        FAIL("the sizes do not fit");
    } catch (const ferry::Error& error) {
        CHECK(error.where().path == "mlp.up");
        CHECK(error.where().op == "aten::addmm");
    }
    CHECK(ferry::capture::module_calls() == nullptr);
}

TEST_CASE("a model patch takes the place of a submodule's forward, while a capture runs") {
    using Patched = ferry::DynamoExporter<ferry::extend<ferry::dynamo_pipeline, ferry::model_patches<scale_by_adding>>>;
    Announced model;
    const auto program = Patched{}.export_model(model, sample(), {.dynamic = true});
    CHECK(has_op(program, "aten::add.Tensor"));
    CHECK(!has_op(program, "aten::mul.Scalar"));
    CHECK(paths(program).at("add") == "scale");
    const Tensor x = at::randn({5, 4});
    CHECK(at::allclose(program.module()(ferry::inputs("x", x)).leaves[0].tensor(), model.forward(x)));
    CHECK(has_op(ferry::DynamoExporter{}.export_model(model, sample()), "aten::mul.Scalar"));
}

TEST_CASE("after a patch that throws all is as before") {
    using Patched = ferry::DynamoExporter<
        ferry::extend<ferry::dynamo_pipeline, ferry::model_patches<failing_scale>, ferry::patches<relu_as_maximum>>>;
    Announced model;
    const Tensor x = at::randn({5, 4});
    const Tensor before = model.forward(x);
    CHECK_THROWS_WITH(static_cast<void>(Patched{}.export_model(model, sample())), doctest::Contains("not today"));
    CHECK(model.forward(x).equal(before));
    CHECK(ferry::capture::module_calls() == nullptr);
    CHECK(has_op(ferry::DynamoExporter{}.export_model(model, sample()), "aten::relu"));
}

TEST_CASE("a patch of an op") {
    using Patched = ferry::DynamoExporter<ferry::extend<ferry::dynamo_pipeline, ferry::patches<relu_as_maximum>>>;
    Plain model;
    const auto program = Patched{}.export_model(model, sample(), {.dynamic = true});
    CHECK(!has_op(program, "aten::relu"));
    CHECK(has_op(program, "aten::clamp_min"));
    const Tensor x = at::randn({6, 4});
    CHECK(at::allclose(program.module()(ferry::inputs("x", x)).leaves[0].tensor(), model.forward(x)));
}
