#include "in_onnx_runtime.hpp"

#include "compare.hpp"

#include <ferry/graph/find_op.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace ferry_test {
namespace {

bool is_random(const ferry::Graph& graph) {
    const auto draws = [](const ferry::Node& node) {
        const auto op = ferry::find_op(node.op());
        return op && op->hasTag(at::Tag::nondeterministic_seeded);
    };
    if (std::ranges::any_of(graph.nodes(), draws)) return true;
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        if (is_random(graph.subgraph({i}))) return true;
    return false;
}

void check_at(const AnyModel& model, const ferry::OnnxProgram& exported, const ferry::Inputs& inputs,
              const Tolerance& tolerance) {
    const BufferKeeper keeper(model.state);
    const ferry::OnnxResults found = exported.run(inputs);  // first: the buffers are the model's own
    const ferry::Inputs of_eager = copy_of(inputs);
    const ferry::Tree expected = model.call(of_eager);
    CHECK_MESSAGE(difference(expected, found.outputs, tolerance) == "", "ONNX Runtime's outputs differ");
    for (const auto& [name, buffer] : model.state.buffers)
        if (const auto written = found.mutated.find(name); written != found.mutated.end())
            CHECK_MESSAGE(difference(buffer, written->second, tolerance) == "",
                          "a buffer differs in ONNX Runtime: ", name);
    std::vector<std::string> names;
    for (const auto& [name, tree] : of_eager)
        for (const std::string& path : tree.spec.leaf_paths()) names.push_back(path.empty() ? name : name + "." + path);
    const ferry::Tree afterwards = of_eager.tree();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const auto written = found.mutated.find(names[i]); written != found.mutated.end())
            CHECK_MESSAGE(difference(afterwards.leaves.at(i).tensor(), written->second, tolerance) == "",
                          "an input differs in ONNX Runtime: ", names[i]);
}

}  // namespace

void check_in_onnx_runtime(const AnyModel& model, const ferry::ExportedProgram& program,
                           const std::vector<const ferry::Inputs*>& all_inputs) {
    const at::NoGradGuard no_gradients;
    const Tolerance tolerance{.factor = 10, .values = !is_random(program.graph)};
    try {
        const ferry::OnnxProgram exported = ferry::OnnxExporter{}.export_program(program);
        for (const ferry::Inputs* inputs : all_inputs) check_at(model, exported, *inputs, tolerance);
    } catch (const std::exception& error) {
        FAIL_CHECK("ONNX: ", std::string(error.what()).substr(0, 1200));
    }
}

}  // namespace ferry_test
