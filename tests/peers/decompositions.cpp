// The C++ half of peer_decompositions.py: captures and decomposes each scripted model of a folder, and says which ops are
// left and how far the result is from what the model itself gives, at sizes that the capture has not seen.
//
// usage: peer_decompositions FOLDER [MODEL...]
#include "decompositions.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/torchscript.hpp>
#include <ferry/program/module.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/List.h>
#include <ATen/ops/where.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace {

using at::Tensor;

std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') made += '\\';
        made += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return made + "\"";
}

std::string list(const auto& items, auto&& write) {
    std::string made = "[";
    for (const auto& item : items) made.append(made.size() > 1 ? ", " : "").append(write(item));
    return made + "]";
}

void collect(const ferry::Graph& graph, std::set<std::string>& ops) {
    for (const ferry::Node& node : graph.nodes()) ops.emplace(node.op());
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect(graph.subgraph({i}), ops);
}

std::string ops_of(const ferry::ExportedProgram& program) {
    std::set<std::string> ops;
    collect(program.graph, ops);
    return list(ops, quoted);
}

/// In units of what a dtype may be off: at most 1 is right.
double distance(const Tensor& expected, const Tensor& found) {
    constexpr double wrong = 1e9;
    if (expected.sizes() != found.sizes() || expected.scalar_type() != found.scalar_type()) return wrong;
    if (expected.numel() == 0) return 0;
    if (!expected.is_floating_point() && !expected.is_complex()) return expected.equal(found) ? 0 : wrong;
    const auto real = c10::toRealValueType(expected.scalar_type());
    const double allowed = real == at::kBFloat16 ? 2e-2 : real == at::kHalf ? 2e-3 : real == at::kDouble ? 1e-10 : 1e-5;
    const auto wide = expected.is_complex() ? at::kComplexDouble : at::kDouble;
    const Tensor a = expected.to(wide), b = found.to(wide);
    const Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
    const Tensor off = (a - b).abs() / (a.abs() * allowed + allowed);
    const double most = at::where(same, 0.0, off).max().item<double>();
    return std::isnan(most) ? wrong : most;
}

std::string check(torch::jit::Module& model) {
    std::vector<ferry::Inputs> inputs;
    const auto names = model.attr("names").toList();
    for (const c10::IValue& each : model.attr("inputs").toListRef()) {
        ferry::Inputs& made = inputs.emplace_back();
        std::size_t i = 0;
        for (const c10::IValue& tensor : each.toListRef())
            made.set(names.get(i++).toStringRef(), tensor.toTensor().clone());
    }
    const bool dynamic = model.attr("dynamic").toBool();
    const auto program = ferry::DynamoExporter{}.export_model(model, inputs.at(0), {.dynamic = dynamic});
    std::string said = ", \"before\": " + ops_of(program);
    try {
        const ferry::ExportedProgram smaller = ferry_test::decompose(program);
        said += ", \"after\": " + ops_of(smaller);
        std::vector<double> off;
        for (const ferry::Inputs& each : inputs) {
            ferry::Tree copies = each.tree();
            for (ferry::Leaf& leaf : copies.leaves) leaf = leaf.tensor().clone();
            const ferry::Tree expected =
                ferry::detail::call_script(model, ferry::tree::unflatten<ferry::Inputs>(copies));
            const ferry::Tree found = smaller.module()(each);
            double most = expected.leaves.size() == found.leaves.size() ? 0 : 1e9;
            for (std::size_t i = 0; i < expected.leaves.size() && i < found.leaves.size(); ++i)
                most = std::max(most, distance(expected.leaves[i].tensor(), found.leaves[i].tensor()));
            off.push_back(most);
        }
        said += ", \"off\": " + list(off, [](double each) { return std::to_string(each); });
    } catch (const std::exception& error) {
        said += ", \"error\": " + quoted(error.what());
    }
    return said;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const c10::InferenceMode no_gradients(false);
    const at::NoGradGuard no_grad;
    std::cout << "{\"listed\": " << list(ferry_test::listed_ops(), quoted) << "}\n";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
        if (entry.path().extension() == ".pt") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files) {
        const std::string name = file.stem().string();
        if (argc > 2 && std::none_of(argv + 2, argv + argc, [&](const char* wanted) { return name == wanted; }))
            continue;
        std::string said;
        try {
            torch::jit::Module model = torch::jit::load(file.string());
            model.eval();
            said = check(model);
        } catch (const std::exception& error) {
            said = ", \"refused\": " + quoted(error.what());
        }
        std::cout << "{\"name\": " << quoted(name) << said << "}" << std::endl;
    }
}
