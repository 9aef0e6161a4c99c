// A shared library with a Ferry of its own, hidden inside of it. The factor makes each one's model another.
#include <ferry/dynamo/exporter.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <exception>
#include <string>

/// The number of nodes of the captured program, or below zero: -1 wrong result, -2 the model is another library's, -3 an exception.
extern "C" __attribute__((visibility("default"))) int capture(double factor) {
    try {
        const auto model = [factor](at::Tensor x) { return x.relu().mul(factor).add(x.size(0)); };
        const auto program =
            ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({4, 3})), {.dynamic = true});
        const at::Tensor x = at::randn({7, 5});
        if (!at::allclose(program.module()(ferry::inputs("x", x)).leaves[0].tensor(), model(x))) return -1;
        bool found = false;
        for (const ferry::Node& node : program.graph.nodes())
            for (const ferry::NamedArgument& argument : node.arguments())
                if (const auto* number = argument.value.get_if<double>()) found = found || *number == factor;
        return found ? static_cast<int>(program.graph.num_nodes()) : -2;
    } catch (const std::exception&) {
        return -3;
    }
}
