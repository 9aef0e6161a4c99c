#include <ferry/dynamo/script_inputs.hpp>

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <doctest/doctest.h>

#include <string>

using namespace ferry;
using at::Tensor;

namespace {

const c10::FunctionSchema schema = torch::jit::parseSchema(
    "m::forward(Tensor self, Tensor x, (Tensor, Tensor) pair, Tensor[] many, Dict(str, Tensor) named, float scale=2.0, "
    "Tensor? mask=None, (Tensor, int)? last=None) -> Tensor");

NamedTensors all() {
    NamedTensors made;
    for (const char* key : {"x", "pair.0", "pair.1", "many.0", "many.1", "many.2", "named.a", "named.b.c"})
        made.emplace_back(key, at::full({1}, static_cast<double>(made.size())));
    return made;
}

NamedTensors all_but(const std::string& key) {
    NamedTensors made = all();
    std::erase_if(made, [&](const auto& each) { return each.first == key; });
    return made;
}

}  // namespace

TEST_CASE("lists and dicts are as long as the keys say") {
    const Inputs inputs = script_inputs(schema, all());
    REQUIRE(inputs.size() == 4);  // what has a default is left out
    CHECK(inputs.at("pair").spec == TreeSpec::tuple({TreeSpec(), TreeSpec()}));
    CHECK(inputs.at("many").leaves.size() == 3);
    CHECK(inputs.at("named").spec.child_names() == std::vector<std::string>{"a", "b.c"});
    CHECK(inputs.get<Tensor>("many.2").item().toDouble() == 5);
    CHECK(inputs.at("named").leaves[1].tensor().item().toDouble() == 7);
}

TEST_CASE("what has a default may be given, numbers as tensors") {
    NamedTensors given = all();
    given.emplace_back("scale", at::full({}, 0.5));
    given.emplace_back("8", at::ones({2}));  // mask: the tensors inside of lists and dicts count too
    given.emplace_back("last.0", at::zeros({2}));
    given.emplace_back("last.1", at::full({}, 3, at::kLong));
    const Inputs inputs = script_inputs(schema, given);
    CHECK(inputs.get<double>("scale") == 0.5);
    CHECK(inputs.contains("last"));
    CHECK(inputs.at("last").leaves[1] == Leaf(3));
}

TEST_CASE("keys that do not fit") {
    const auto refuses = [](const NamedTensors& given, const char* text) {
        CHECK_THROWS_WITH(static_cast<void>(script_inputs(schema, given)), doctest::Contains(text));
    };
    refuses(all_but("x"), "missing: x");
    refuses(all_but("pair.1"), "missing: pair.1");
    refuses(all_but("many.1"), "missing: many.1; unknown: many.2");
    NamedTensors given = all();
    given.emplace_back("named", at::ones({1}));
    refuses(given, "unknown: named");
    given.back() = {"many.99999999999999999999", at::ones({1})};
    refuses(given, "unknown: many.99999999999999999999");
    refuses({{"0", at::ones({1})}}, "missing: pair.0, pair.1, many, named");
    refuses({{"0", at::ones({1})}}, "many (List[Tensor], as many.0, ...)");
}
