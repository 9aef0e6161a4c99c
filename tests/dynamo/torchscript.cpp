// Modules that Python has scripted and saved, against what Python's forward gives.
#include <ferry/dynamo/torchscript.hpp>

#include <ferry/dynamo/exporter.hpp>

#include <torch/csrc/jit/serialization/import.h>

#ifndef DOCTEST_LIBRARY_INCLUDED
#include <doctest/doctest.h>
#endif

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

TEST_CASE("inputs go by the names of forward's parameters") {
    auto model = load("nested");
    CHECK_THROWS_WITH(
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("y", at::ones({5, 4})))),
        doctest::Contains("its parameters are: x, mask"));
    CHECK_THROWS_WITH(
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({5, 3})))),
        doctest::Contains("four features"));
}
