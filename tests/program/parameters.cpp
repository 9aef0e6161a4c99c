#include <ferry/program/parameters.hpp>

#include <ferry/dynamo/exporter.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;
using at::Tensor;
using doctest::Contains;

namespace {

using Named = std::map<std::string, Tensor>;

const auto model = [](const Tensor& x, const Named& parts, double factor, const std::optional<Tensor>& bias) {
    const Tensor sum = (x - parts.at("a")) * factor + parts.at("b");
    return bias ? sum + *bias : sum;
};

ExportedProgram program_of_model() {
    const Named parts{{"a", at::randn({3})}, {"b", at::randn({3})}};
    return DynamoExporter{}.export_model(
        model, inputs("x", at::randn({3}), "parts", parts, "factor", 2.0, "bias", std::optional<Tensor>()));
}

/// As Python has it: the first inputs by place.
ExportedProgram by_place(ExportedProgram program, std::size_t count) {
    const TreeSpec named = program.in_spec.children().at(1);
    const auto middle = static_cast<std::ptrdiff_t>(count);
    const auto& keys = named.keys();
    const auto& specs = named.children();
    program.input_names = named.child_names();
    program.in_spec =
        TreeSpec::tuple({TreeSpec::tuple({specs.begin(), specs.begin() + middle}),
                         TreeSpec::dict({keys.begin() + middle, keys.end()}, {specs.begin() + middle, specs.end()})});
    return program;
}

}  // namespace

TEST_CASE("inputs are told apart by their names, in whatever order they come") {
    const Tensor x = at::randn({3});
    const Named parts{{"a", at::randn({3})}, {"b", at::randn({3})}};
    const Tensor expected = model(x, parts, 2.0, std::nullopt);
    for (const std::size_t count : {0U, 1U, 2U, 4U}) {
        auto module = by_place(program_of_model(), count).module();
        const auto check = [&](const Inputs& given) {
            CHECK(at::equal(module(given).leaves.at(0).tensor(), expected));
        };
        check(inputs("x", x, "parts", parts, "factor", 2.0, "bias", std::optional<Tensor>()));
        check(inputs("bias", std::optional<Tensor>(), "factor", 2.0, "parts", parts, "x", x));
        check(inputs("parts", parts, "x", x, "factor", 2.0));  // what was None may be left out
        check(inputs("parts", tree::dict_of("b", parts.at("b"), "a", parts.at("a")), "factor", 2.0, "x", x));
        CHECK(at::equal(
            module.call<Tensor>(x, tree::dict_of("b", parts.at("b"), "a", parts.at("a")), 2.0, std::optional<Tensor>()),
            expected));
    }
}

TEST_CASE("names that a program does not have are refused, and so is what is missing") {
    const Tensor x = at::randn({3});
    const Named parts{{"a", x}, {"b", x}};
    for (const std::size_t count : {0U, 2U}) {
        auto module = by_place(program_of_model(), count).module();
        CHECK_THROWS_WITH(module(inputs("y", x, "parts", parts, "factor", 2.0)), Contains("missing: x; unknown: y"));
        CHECK_THROWS_WITH(module(inputs("x", x, "parts", parts, "factor", 2.0, "more", x)),
                          Contains("its inputs are: x, parts, factor, bias"));
        CHECK_THROWS_WITH(module(inputs("x", x, "parts", parts)), Contains("missing: factor"));
        CHECK_THROWS_WITH(module(inputs("x", x, "parts", Named{{"a", x}, {"c", x}}, "factor", 2.0)),
                          Contains("not nested like that of the export (at parts)"));
        CHECK_THROWS_WITH(module(inputs("x", x, "parts", std::vector{x, x}, "factor", 2.0)), Contains("(at parts)"));
    }
}

TEST_CASE("inputs without a signature go by what the graph calls them, or by their position") {
    ExportedProgram program = by_place(program_of_model(), 4);
    program.input_names.clear();
    std::vector<std::string> names;
    for (const Parameter& each : parameters_of(program)) names.push_back(each.name);
    CHECK(names == std::vector<std::string>{"x", "1", "factor", "bias"});
}
