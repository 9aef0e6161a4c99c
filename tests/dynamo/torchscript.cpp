// Modules that Python has scripted and saved, against what Python's forward gives.
#include <ferry/dynamo/torchscript.hpp>

#include <ferry/dynamo/exporter.hpp>

#include "in_onnx_runtime.hpp"

#include <ATen/ScalarOps.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace {

using at::Tensor;

/// Where Python puts its modules, for as long as the tests run.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("ferry_torchscript_" + std::to_string(::getpid()));
    Folder() {
        std::filesystem::create_directories(path);
        const std::string command = std::string("\"") + FERRY_PYTHON + "\" -W ignore \"" + FERRY_TORCHSCRIPT_MODELS +
                                    "\" \"" + path.string() + "\"";
        REQUIRE(std::system(command.c_str()) == 0);
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

const std::filesystem::path& folder() {
    static const Folder made;
    return made.path;
}

torch::jit::Module load(const std::string& name) { return torch::jit::load((folder() / (name + ".pt")).string()); }

std::map<std::string, Tensor> data_of(const std::string& name) {
    std::map<std::string, Tensor> data;
    for (const auto& item : load(name + "_data").named_buffers()) data[item.name] = item.value;
    return data;
}

ferry::Inputs inputs_of(const std::map<std::string, Tensor>& data, int index) {
    ferry::Inputs inputs;
    const std::string prefix = "input" + std::to_string(index) + "_";
    for (const char* key : {"x", "mask"})
        if (const auto found = data.find(prefix + key); found != data.end()) inputs.set(key, found->second);
    return inputs;
}

ferry::ExportedProgram check(const std::string& name, torch::jit::Module& model) {
    INFO("model: ", name);
    const auto data = data_of(name);
    auto program = ferry::DynamoExporter{}.export_model(model, inputs_of(data, 0), {.dynamic = true});
    const ferry::Tree found = program.module()(inputs_of(data, 1));
    for (std::size_t i = 0; i < found.leaves.size(); ++i) {
        const Tensor expected = data.at("output0_" + std::to_string(i));
        CHECK(found.leaves[i].tensor().sizes() == expected.sizes());
        CHECK(at::allclose(found.leaves[i].tensor(), expected, 1e-5, 1e-5));
    }
    CHECK(!data.contains("output0_" + std::to_string(found.leaves.size())));
    return program;
}

}  // namespace

TEST_CASE("a module with branches on shapes and nested outputs") {
    auto model = load("nested");
    const auto program = check("nested", model);
    CHECK(program.out_spec.leaf_paths().size() == 5);
    bool up = false, relu = false;
    for (const ferry::Node& node : program.graph.nodes()) {
        up = up || (node.op() == "aten::linear" && node.module_path() == "blocks.1.up");
        relu = relu || (node.op() == "aten::relu" && node.module_path() == "blocks.0");
    }
    CHECK(up);
    CHECK(relu);
    CHECK(program.state.size() == 9);
    auto masked = load("masked");
    check("masked", masked);
}

TEST_CASE("attributes are put back, exchanged buffers are mutations") {
    auto model = load("counter");
    const auto program = check("counter", model);
    CHECK(model.attr("total").toTensor().equal(at::zeros({3})));
    CHECK(model.attr("seen").toList().empty());
    CHECK(program.signature.outputs.at(0).kind == ferry::OutputKind::buffer_mutation);
}

TEST_CASE("sizes that depend on values") {
    auto model = load("selecting");
    check("selecting", model);
}

TEST_CASE("a traced module computes sizes in tensors; the sample has batch 1") {
    for (const std::string name : {"traced_patches", "frozen_patches", "traced_windows", "traced_shifted", "shifted"}) {
        auto model = load(name);
        const auto program = check(name, model);
        CHECK(program.ranges.size() > 1);
        CHECK(program.module()(inputs_of(data_of(name), 0)).leaves.at(0).tensor().size(0) == 1);
        for (const std::string& note : program.notes) CHECK(note.find("is fixed in the program") == std::string::npos);
        const ferry::Inputs sample = inputs_of(data_of(name), 0), other = inputs_of(data_of(name), 1);
        ferry_test::check_in_onnx_runtime(ferry_test::any_model(model), program, {&sample, &other});
    }
}

TEST_CASE("what a trace has baked in is static, and a note says so") {
    auto model = load("traced_baked");
    const auto program = check("traced_baked", model);
    CHECK(program.ranges.size() == 1);
    bool said = false;
    for (const std::string& note : program.notes) said = said || note.find("x dimension 0 is static") == 0;
    CHECK(said);
}

TEST_CASE("a model's own warning is said once") {
    struct Counting : c10::WarningHandler {
        int warnings = 0;
        void process(const c10::Warning& warning) override {
            if (warning.msg().find("rows are doubled") != std::string::npos) ++warnings;
        }
    } counting;
    auto model = load("loud");
    const auto data = data_of("loud");
    const c10::WarningUtils::WarningHandlerGuard guard(&counting);
    static_cast<void>(ferry::DynamoExporter{}.export_model(model, inputs_of(data, 0), {.dynamic = true}));
    CHECK(counting.warnings == 1);
}

TEST_CASE("a quantized module is refused by name") {
    auto model = load("quantized");
    try {
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, inputs_of(data_of("quantized"), 0)));
        FAIL("not refused");
    } catch (const ferry::Error& error) {
        CHECK(error.kind() == ferry::ErrorKind::unsupported);
        CHECK(error.where().op == "quantized::linear_dynamic");
        CHECK(std::string(error.what()).find("LinearPackedParams") != std::string::npos);
    }
}

TEST_CASE("a scripted module inside a C++ module, after it has run") {
    struct Outer : torch::nn::Module {
        torch::jit::Module inner = ::load("normed");
        Tensor forward(const Tensor& x) { return inner.forward({x + 1}).toTensor() - 1; }
    } model;
    const torch::NoGradGuard no_gradients;
    for (int i = 0; i < 3; ++i) static_cast<void>(model.forward(at::randn({3, 4})));
    const auto program =
        ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::randn({3, 4})), {.dynamic = true});
    for (const std::int64_t rows : {3, 7, 1}) {
        const Tensor x = at::randn({rows, 4});
        CHECK(at::allclose(program.module()(ferry::inputs("x", x)).leaves.at(0).tensor(), model.forward(x)));
    }
}

TEST_CASE("numbers from sizes, through tensors, in C++ code") {
    const auto model = [](const Tensor& x) {
        const Tensor rows = torch::tensor(x.size(0)), halves = at::scalar_to_tensor(x.size(1)).floor_divide(2);
        return x.reshape({rows.mul(2).item<std::int64_t>(), halves.item<std::int64_t>()}) +
               at::scalar_to_tensor(x.size(0));
    };
    const auto program =
        ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::randn({3, 8})), {.dynamic = true});
    for (const auto& sizes : {at::IntArrayRef{3, 8}, at::IntArrayRef{5, 2}, at::IntArrayRef{1, 12}}) {
        const Tensor x = at::randn(sizes);
        const ferry::Tree found = program.module()(ferry::inputs("x", x));
        CHECK(found.leaves.at(0).tensor().equal(model(x)));
    }
}

TEST_CASE("a number that the model keeps in a member stays as it is") {
    struct Counter : torch::nn::Module {
        Tensor scale = at::scalar_to_tensor(3), calls = at::scalar_to_tensor(0);
        Tensor forward(const Tensor& x) {
            const Tensor doubled = scale * 2;
            calls.add_(1);
            return x * doubled + scale;
        }
    } model;
    const auto program =
        ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::randn({3, 8})), {.dynamic = true});
    CHECK(model.calls.item<std::int64_t>() == 0);
    CHECK(model.scale.item<std::int64_t>() == 3);
    const Tensor x = at::randn({4, 2});
    CHECK(program.module()(ferry::inputs("x", x)).leaves.at(0).tensor().equal(model.forward(x)));
}

TEST_CASE("inputs go by the names of forward's parameters") {
    auto model = load("nested");
    CHECK_THROWS_WITH(
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("y", at::ones({5, 4})))),
        doctest::Contains("its parameters are: x, mask"));
    CHECK_THROWS_WITH(
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({5, 3})))),
        doctest::Contains("four features"));
}
