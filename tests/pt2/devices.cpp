// Programs that are for another device than the CPU. What happens on a GPU is seen where there is one.
#include <ferry/graph/c10_types.hpp>
#include <ferry/program/devices.hpp>

#include <ferry/dynamo/exporter.hpp>
#include <ferry/program/module.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/save.hpp>

#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <string>

namespace {

using at::Tensor;

struct Model : torch::nn::Module {
    torch::nn::Linear up{nullptr};
    Tensor calls;
    Model() {
        up = register_module("up", torch::nn::Linear(4, 3));
        calls = register_buffer("calls", torch::zeros({1}));
    }
    Tensor forward(const Tensor& x) {
        calls.add_(1);
        return up->forward(x) + at::arange(3, x.options()) + calls;
    }
};

struct File {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("ferry_devices_" + std::to_string(::getpid()) + ".pt2");
    ~File() { std::filesystem::remove(path); }
};

/// As if it had been exported on that device; `x.options()` is in its graph.
void save_for(const Model& model, const c10::Device& device, const std::filesystem::path& path) {
    auto program = ferry::DynamoExporter{}.export_model(const_cast<Model&>(model),
                                                        ferry::inputs("x", at::randn({2, 4})), {.dynamic = true});
    ferry::Graph& graph = program.graph;
    for (std::uint32_t i = 0; i < graph.num_values(); ++i)
        graph.info(ferry::Value{i}).tensor.device = ferry::to_device(device);
    for (ferry::Node& node : graph.nodes())
        for (std::size_t i = 0; i < node.arguments().size(); ++i)
            if (node.arguments()[i].value.is<ferry::Device>()) graph.set_argument(node, i, ferry::to_device(device));
    ferry::save(program, path);
}

}  // namespace

TEST_CASE("a program for a device goes there, or says that it is not there") {
    const torch::NoGradGuard no_gradients;
    Model model;
    const Tensor x = at::randn({5, 4});
    const Tensor expected = model.up->forward(x) + at::arange(3) + 1;
    const c10::Device gpu(c10::kCUDA, 0);
    const File file;
    save_for(model, gpu, file.path);

    CHECK(ferry::load(file.path, {.device = c10::Device(at::kCPU)})
              .module()(ferry::inputs("x", x))
              .leaves.at(0)
              .tensor()
              .allclose(expected));
    if (ferry::has_device(gpu)) {
        const auto program = ferry::load(file.path);
        for (const auto& [name, tensor] : program.state) CHECK((tensor.device() == gpu));
        CHECK(program.module()(ferry::inputs("x", x.to(gpu))).leaves.at(0).tensor().cpu().allclose(expected));
    } else {
        CHECK_THROWS_WITH(static_cast<void>(ferry::load(file.path).module()),
                          doctest::Contains("the program is for cuda:0, and there is no such device here"));
        CHECK_THROWS_WITH(static_cast<void>(ferry::load(file.path, {.device = gpu})),
                          doctest::Contains("there is no device cuda:0 here"));
    }
}

TEST_CASE("a program for the CPU moves to another device and back") {
    const torch::NoGradGuard no_gradients;
    Model model;
    const File file;
    save_for(model, at::kCPU, file.path);
    const c10::Device gpu(c10::kCUDA, 0), there = ferry::has_device(gpu) ? gpu : c10::Device(at::kMeta);
    auto program = ferry::load(file.path, {.device = there});
    for (const auto& [name, tensor] : program.state) CHECK((tensor.device() == there));
    for (const ferry::Node& node : program.graph.nodes())
        for (const ferry::NamedArgument& argument : node.arguments())
            if (const auto* device = argument.value.get_if<ferry::Device>())
                CHECK((*device == ferry::to_device(there)));
    const Tensor x = at::randn({5, 4}, at::TensorOptions(there));
    CHECK(program.module()(ferry::inputs("x", x)).leaves.at(0).tensor().sizes() == at::IntArrayRef{5, 3});
}
