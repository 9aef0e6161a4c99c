// Programs that Python has exported, in the functional form of core ATen, against what Python's eager modules give.
#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/run_decompositions.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/tree/context_json.hpp>

#include "../python_peer.hpp"
#include "features.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

using ferry_test::features;

namespace {

using Mutations = std::vector<std::pair<std::string, std::string>>;

ferry::ExportedProgram core_of(const std::string& name) {
    return ferry::load(features() / (name + ".pt2")).run_decompositions<ferry::core_aten_decompositions>();
}

Mutations mutations_of(const ferry::ExportedProgram& program) {
    Mutations found;
    for (const ferry::OutputSpec& output : program.signature.outputs)
        if (output.kind != ferry::OutputKind::user_output)
            found.emplace_back(ferry::to_string(output.kind), output.target);
    return found;
}

/// Ops that write, and wrappers around parts of a graph; in bodies too.
void collect_impure(const ferry::Graph& graph, std::set<std::string>& found) {
    for (const ferry::Node& node : graph.nodes()) {
        const auto op = ferry::find_op(node.op());
        const bool wraps = node.op().starts_with("higher_order::wrap") || node.op() == "higher_order::invoke_subgraph";
        if (wraps || (op && op->schema().is_mutable())) found.emplace(node.op());
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_impure(graph.subgraph({i}), found);
}

std::set<std::string> ops_of(const ferry::Graph& graph) {
    std::set<std::string> found;
    for (const ferry::Node& node : graph.nodes()) found.emplace(node.op());
    return found;
}

struct twice {
    static constexpr auto target = ferry::op("ferry_test::twice");
    static constexpr std::string_view schema = "(Tensor x) -> Tensor";
    static at::Tensor call(const at::Tensor& x) { return x * 2; }
    static at::Tensor decompose(const at::Tensor& x) { return x + x; }
};

/// relu with another op's name.
ferry::ExportedProgram calling(std::string_view op) {
    const auto program = ferry::load(features() / "linear_relu.pt2");
    ferry::ExportedProgram made = program;
    for (ferry::Node& node : made.graph.nodes()) {
        if (node.op() != "aten::relu") continue;
        const ferry::Value result = made.graph.new_value("called", made.graph.info(node.output()));
        made.graph.info(result).users.clear();
        made.graph.insert_before(&node, op, {{.name = "x", .value = node.input(0)}}, {{.values = {result}}});
        made.graph.replace_uses(node.output(), result);
        made.graph.erase(node);
    }
    return made;
}

}  // namespace

TEST_CASE("programs of Python are taken apart to core ATen, with the mutations that Python lists") {
    const ferry_test::Folder folder;
    std::size_t decomposed = 0;
    for (const std::string& name : ferry_test::feature_names()) {
        if (name == "custom_op_without_writes") continue;  // has the op of a library, which nothing takes apart
        CAPTURE(name);
        try {
            const auto core = core_of(name);
            std::set<std::string> impure;
            collect_impure(core.graph, impure);
            CHECK(impure == std::set<std::string>());
            Mutations wanted;
            std::ifstream file(features() / (name + ".json"));
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            const ferry::tree::Context listed = ferry::tree::from_json(text);
            for (const auto& each : listed.items())
                wanted.emplace_back(each.items().at(0).text(), each.items().at(1).text());
            CHECK(mutations_of(core) == wanted);
            const auto expected = ferry::safetensors::load(features() / (name + ".safetensors"));
            ferry_test::check_feature(core, expected);
            core.save(folder / (name + ".pt2"));
            std::filesystem::copy_file(features() / (name + ".safetensors"), folder / (name + ".safetensors"));
            ++decomposed;
        } catch (const std::exception& error) {
            FAIL_CHECK(std::string(error.what()).substr(0, 600));
        }
    }
    CHECK(decomposed > 50);
    CHECK(ferry_test::run_python(FERRY_PYTHON, FERRY_LOAD_PROGRAMS, {folder.path.string()}));
}

TEST_CASE("an integer that is an input stays one") {
    auto module = core_of("integer_among_other_inputs").module();
    const at::Tensor x = at::randn({9, 4}), extra = at::randn({1, 1});
    for (const std::int64_t n : {3, 8}) {
        const ferry::Tree result = module(ferry::inputs("x", x, "n", n, "extra", extra, "flag", true));
        CHECK(at::allclose(result.leaves.at(0).tensor(), at::cat({x, extra.expand({9, n})}, 1) * n));
        CHECK(result.leaves.at(1) == ferry::Leaf(2 * n + 9));
    }
}

TEST_CASE("a program without its example inputs is taken apart all the same") {
    for (const char* name : {"attention", "integer_input", "cache_that_is_an_input", "derived_dims", "nested_inputs"}) {
        CAPTURE(name);
        auto program = ferry::load(features() / (std::string(name) + ".pt2"));
        const std::vector<ferry::Leaf> examples = std::exchange(program.example_inputs, {});
        auto core = program.run_decompositions<ferry::core_aten_decompositions>();
        CHECK(core.example_inputs.empty());
        core.example_inputs = examples;  // an integer is taken from there
        ferry_test::check_feature(core, ferry::safetensors::load(features() / (std::string(name) + ".safetensors")));
    }
}

TEST_CASE("autocast becomes casts, numbers stay numbers, wrapped regions are part of the graph") {
    const auto cast = core_of("autocast_inside");
    CHECK(ops_of(cast.graph).contains("aten::_to_copy"));
    CHECK(core_of("numbers_and_scalars").constants.empty());
    CHECK(core_of("no_grad_inside").graph.num_subgraphs() == 0);
}

TEST_CASE("control flow keeps its bodies, which are taken apart too") {
    const auto core = core_of("condition_with_weights");
    REQUIRE(core.graph.num_subgraphs() == 2);
    CHECK_FALSE(ops_of(core.graph.subgraph({0})).contains("aten::linear"));
    CHECK(ops_of(core.graph.subgraph({0})).contains("aten::native_layer_norm"));
    const auto mapped = core_of("mapped_several");
    CHECK(ops_of(mapped.graph).contains("higher_order::map_impl"));
    CHECK(ops_of(mapped.graph.subgraph({0})).contains("aten::_softmax"));
}

TEST_CASE("ops of Python libraries run and are taken apart where a list has them") {
    CHECK(ops_of(ferry::load(features() / "grouped_rows.pt2").graph).contains("transformers::grouped_mm_fallback"));
    const auto grouped = core_of("grouped_rows");
    for (const std::string& op : ops_of(grouped.graph)) CHECK(op.starts_with("transformers::") == false);

    ferry::provide_op<ferry::library_ops<twice>>("ferry_test::twice");
    const auto program = calling("ferry_test::twice");
    const at::Tensor x = at::randn({6, 4});
    const at::Tensor wanted = program.module()(x).leaves.at(0).tensor();
    const auto core =
        program.run_decompositions<ferry::concat_t<ferry::core_aten_decompositions, ferry::decompositions<twice>>>();
    CHECK(ops_of(core.graph).contains("aten::add.Tensor"));
    CHECK(at::allclose(core.module()(x).leaves.at(0).tensor(), wanted));
}

TEST_CASE("ops that nobody supplies are named all at once, with their library") {
    const auto program = calling("some_library::unknown");
    try {
        static_cast<void>(program.module());
        FAIL("no error");
    } catch (const ferry::Error& error) {
        CHECK(error.kind() == ferry::ErrorKind::unsupported);
        CHECK(error.message().find("'some_library': some_library::unknown") != std::string::npos);
        CHECK(error.hint().find("library_ops") != std::string::npos);
    }
    CHECK_THROWS_AS(static_cast<void>(program.run_decompositions<ferry::core_aten_decompositions>()), ferry::Error);
}
