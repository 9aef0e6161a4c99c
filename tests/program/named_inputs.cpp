// Inputs by name and position, and what a summary says of a program.
#include <ferry/program/named_inputs.hpp>

#include <ferry/dynamo/exporter.hpp>
#include <ferry/program/summary.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace ferry;
using at::Tensor;

namespace {

const auto nested_model = [](const std::map<std::string, std::vector<Tensor>>& nested, double factor,
                             const Tensor& mask) {
    return std::tuple{nested.at("a")[0] * factor + nested.at("a")[1] * mask, nested.at("b")[0].size(0)};
};

ExportedProgram program_of_nested() {
    const std::map<std::string, std::vector<Tensor>> nested{{"a", {at::randn({3, 4}), at::randn({3, 4})}},
                                                            {"b", {at::randn({2})}}};
    return DynamoExporter{}.export_model(
        nested_model, inputs("nested", nested, "factor", 2.0, "mask", at::randn({4})),
        {.dynamic_shapes = {{"nested.a.0", {{0, Dim{"rows", 2, 64}}}}, {"nested.a.1", {{0, Dim{"rows", 2, 64}}}}}});
}

std::string failure_of(const ExportedProgram& program, const NamedTensors& given) {
    try {
        static_cast<void>(leaves_from(program, given));
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("tensors by name, by position and by what the graph calls them") {
    const ExportedProgram program = program_of_nested();
    const Tensor a = at::randn({7, 4}), b = at::randn({7, 4}), c = at::randn({2}), mask = at::randn({4});
    const std::vector<NamedTensors> ways{
        {{"nested.a.0", a}, {"nested.a.1", b}, {"nested.b.0", c}, {"mask", mask}},
        {{"3", mask}, {"2", c}, {"1", b}, {"0", a}},
        {{"nested_a_0", a}, {"1", b}, {"nested.b.0", c}, {"mask", mask}, {"factor", at::full({}, 2.0)}},
    };
    for (const NamedTensors& given : ways) {
        const std::vector<Leaf> leaves = leaves_from(program, given);
        REQUIRE(leaves.size() == 5);
        CHECK(leaves[0].tensor().is_same(a));
        CHECK(leaves[1].tensor().is_same(b));
        CHECK(leaves[2].tensor().is_same(c));
        CHECK((leaves[3] == Leaf(2.0)));
        CHECK(leaves[4].tensor().is_same(mask));
        const auto results = program.module().run(leaves);
        CHECK(at::equal(results.at(0).tensor(), a * 2.0 + b * mask));
    }
}

TEST_CASE("what does not fit together is told at once") {
    const ExportedProgram program = program_of_nested();
    const Tensor x = at::randn({3, 4});
    const std::string text =
        failure_of(program, {{"nested.a.0", x}, {"0", x}, {"nested.a.9", x}, {"4", x}, {"01", x}, {"", x}});
    INFO(text);
    CHECK(text.find("missing: nested.a.1, nested.b.0, mask; unknown: nested.a.9, 4, 01, ; twice: nested.a.0") !=
          std::string::npos);
    CHECK(text.find("0 = nested.a.0, 1 = nested.a.1, 2 = nested.b.0, factor (float, in the export 2.0") !=
          std::string::npos);
    CHECK(failure_of(program, {{"0", x}, {"1", x}, {"2", x}, {"3", x}, {"factor", x}}).find("one element") !=
          std::string::npos);
}

TEST_CASE("a long list of names ends somewhere") {
    std::vector<InputSlot> slots;
    for (int i = 0; i < 100; ++i) slots.push_back({.path = "x" + std::to_string(i)});
    CHECK_THROWS_WITH(static_cast<void>(pick_inputs(slots, {})), doctest::Contains("x39 and 60 more"));
}

TEST_CASE("a summary") {
    const ProgramSummary found = summarize(program_of_nested());
    REQUIRE(found.inputs.size() == 5);
    CHECK(found.inputs[0].path == "nested.a.0");
    CHECK(found.inputs[0].position == std::size_t{0});
    CHECK((found.inputs[0].dtype == DType::float32));
    CHECK((found.inputs[0].shape == std::vector{SymExpr::symbol("rows"), SymExpr(4)}));
    CHECK(found.inputs[3].type == "float");
    CHECK((found.inputs[3].value == Leaf(2.0)));
    CHECK(!found.inputs[3].position);
    CHECK(found.inputs[4].position == std::size_t{3});
    REQUIRE(found.outputs.size() == 2);
    CHECK((found.outputs[0].shape == std::vector{SymExpr::symbol("rows"), SymExpr(4)}));
    CHECK((found.outputs[1].value == Leaf(2)));
    REQUIRE(found.ranges.size() == 1);
    CHECK((found.ranges[0].second == ValueRange{2, 64}));
    CHECK((found.ops == std::map<std::string, std::size_t>{
                            {"aten::add.Tensor", 1}, {"aten::mul.Scalar", 1}, {"aten::mul.Tensor", 1}}));
    CHECK(found.weights.bytes == 0);
}

TEST_CASE("memory that is shared counts once") {
    WeightSummary weights;
    const Tensor tensor = at::zeros({4, 4});
    weights.add(weights.parameters, tensor);
    weights.add(weights.parameters, tensor.t());
    weights.add(weights.buffers, at::zeros({2}, at::kDouble));
    CHECK(weights.parameters.tensors == 2);
    CHECK(weights.parameters.elements == 32);
    CHECK(weights.parameters.bytes == 128);
    CHECK(weights.buffers.bytes == 16);
    CHECK(weights.bytes == 80);
}
