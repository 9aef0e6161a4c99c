#include <ferry/program/fold_constants.hpp>

#include "../graph/build.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::tensor;

namespace {

/// (sin(c) split in two, exchanged) * x + full(2) * p, with a constant c, a parameter p and an input x.
ExportedProgram make(bool return_sin) {
    ExportedProgram program;
    Graph& g = program.graph;
    const Value p = g.add_input("p_w", tensor({4}));
    const Value c = g.add_input("c_c", tensor({4}));
    const Value x = g.add_input("x", tensor({SymExpr::symbol("s0"), 4}));
    const Value sin = call(g, "aten::sin", {{"self", c}}, tensor({4}));
    const auto parts =
        call_tuple(g, "aten::split.Tensor", {{"self", sin}, {"split_size", 2}}, {tensor({2}), tensor({2})}, true);
    const Value cat = call(g, "aten::cat", {{"tensors", ArgumentList{parts[1], parts[0]}}}, tensor({4}));
    const Value mul = call(g, "aten::mul.Tensor", {{"self", x}, {"other", cat}}, tensor({SymExpr::symbol("s0"), 4}));
    const Value full = call(g, "aten::full", {{"size", ArgumentList{4}}, {"fill_value", 2.0}}, tensor({4}));
    const Value cos = call(g, "aten::cos", {{"self", full}}, tensor({4}));
    const Value both = call(g, "aten::add.Tensor", {{"self", full}, {"other", cos}}, tensor({4}));
    const Value scaled = call(g, "aten::mul.Tensor", {{"self", both}, {"other", p}}, tensor({4}));
    const Value kept = call(g, "aten::mul.Tensor", {{"self", full}, {"other", p}}, tensor({4}));
    const Value sum =
        call(g, "aten::add.Tensor", {{"self", mul}, {"other", scaled}}, tensor({SymExpr::symbol("s0"), 4}));
    const Value last =
        call(g, "aten::add.Tensor", {{"self", sum}, {"other", kept}}, tensor({SymExpr::symbol("s0"), 4}));
    g.set_outputs(return_sin ? std::vector<Argument>{last, sin} : std::vector<Argument>{last});
    program.signature.inputs = {{.kind = InputKind::parameter, .argument = p, .name = "p_w", .target = "w"},
                                {.kind = InputKind::constant_tensor, .argument = c, .name = "c_c", .target = "c"},
                                {.argument = x, .name = "x"}};
    program.signature.outputs = {{.argument = last}};
    if (return_sin) program.signature.outputs.push_back({.argument = sin});
    torch::manual_seed(3);
    program.state.emplace_back("w", torch::randn({4}));
    program.constants.emplace_back("c", torch::randn({4}));
    return program;
}

std::vector<c10::IValue> run(const ExportedProgram& program, const at::Tensor& x) {
    std::vector<c10::IValue> inputs;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind == InputKind::user_input) inputs.emplace_back(x);
        for (const auto* named : {&program.state, &program.constants})
            for (const auto& [name, tensor] : *named)
                if (name == input.target) inputs.emplace_back(tensor);
    }
    return Interpreter(program.graph).run(inputs);
}

}  // namespace

TEST_CASE("what follows from constants is computed once") {
    ExportedProgram program = make(false);
    const at::Tensor x = torch::randn({5, 4});
    const at::Tensor before = run(program, x)[0].toTensor();
    CHECK(fold_constants(program) ==
          5);  // sin, split, cat; cos and the sum behind it. full is used elsewhere and stays.
    CHECK(program.graph.num_nodes() == 6);
    REQUIRE(program.signature.inputs.size() == 4);  // the old constant went, two came
    CHECK(program.signature.inputs[0].kind == InputKind::parameter);
    CHECK(program.signature.inputs[1].kind == InputKind::constant_tensor);
    CHECK(program.signature.inputs[2].kind == InputKind::constant_tensor);
    CHECK(program.signature.inputs[3].name == "x");
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(program.signature.inputs[i].argument == Argument(program.graph.inputs()[i]));
    CHECK(program.constants.size() == 2);
    CHECK(torch::equal(run(program, x)[0].toTensor(), before));
    CHECK(fold_constants(program) == 0);
}

TEST_CASE("too large, fake, or returned: left alone") {
    ExportedProgram large = make(false);
    CHECK(fold_constants(large, {.max_bytes = 8}) == 0);
    ExportedProgram fake = make(false);
    fake.constants[0].second = fake.constants[0].second.to(torch::kMeta);
    CHECK(fold_constants(fake) == 2);
    ExportedProgram returned = make(true);
    const at::Tensor x = torch::randn({2, 4});
    const auto before = run(returned, x);
    CHECK(fold_constants(returned) == 2);  // sin is an output, so what follows from it stays as well
    CHECK(torch::equal(run(returned, x)[0].toTensor(), before[0].toTensor()));
    CHECK(torch::equal(run(returned, x)[1].toTensor(), before[1].toTensor()));
}

namespace {

/// x * sin(p transposed) + p2 * cos(p2), and the expansion of p3 to three rows.
ExportedProgram with_weights() {
    ExportedProgram program;
    Graph& g = program.graph;
    std::vector<Value> weights;
    for (int i = 0; i < 3; ++i) weights.push_back(g.add_input("p_" + std::to_string(i), tensor({1, 4})));
    const Value x = g.add_input("x", tensor({4, 1}));
    const Value turned = call(g, "aten::t", {{"self", weights[0]}}, tensor({4, 1}));
    const Value sin = call(g, "aten::sin", {{"self", turned}}, tensor({4, 1}));
    const Value product = call(g, "aten::mul.Tensor", {{"self", x}, {"other", sin}}, tensor({4, 1}));
    const Value cos = call(g, "aten::cos", {{"self", weights[1]}}, tensor({1, 4}));
    const Value shared = call(g, "aten::mul.Tensor", {{"self", cos}, {"other", product}}, tensor({4, 4}));
    const Value again = call(g, "aten::add.Tensor", {{"self", shared}, {"other", weights[1]}}, tensor({4, 4}));
    const Value rows = call(g, "aten::repeat", {{"self", weights[2]}, {"repeats", ArgumentList{4, 1}}}, tensor({4, 4}));
    const Value last = call(g, "aten::add.Tensor", {{"self", again}, {"other", rows}}, tensor({4, 4}));
    g.set_outputs({last});
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::string name = "p_" + std::to_string(i);
        program.signature.inputs.push_back(
            {.kind = InputKind::parameter, .argument = weights[i], .name = name, .target = name});
        program.state.emplace_back(name, torch::randn({1, 4}));
    }
    program.signature.inputs.push_back({.argument = x, .name = "x"});
    program.signature.outputs = {{.argument = last}};
    return program;
}

}  // namespace

TEST_CASE("what follows from weights is computed once where that is wanted and nothing grows") {
    ExportedProgram program = with_weights();
    const at::Tensor x = torch::randn({4, 1});
    const at::Tensor before = run(program, x)[0].toTensor();
    CHECK(fold_constants(program) == 0);
    CHECK(fold_constants(program, {.max_bytes = 8, .weights = true}) ==
          2);  // t and sin; p_1 is needed as it is, the rows are larger than p_2
    CHECK(program.state.size() == 2);
    CHECK(program.constants.size() == 1);
    CHECK(torch::equal(run(program, x)[0].toTensor(), before));
    program = with_weights();
    program.signature.outputs[0].kind = OutputKind::buffer_mutation;
    program.signature.outputs[0].target = "p_0";
    CHECK(fold_constants(program, {.max_bytes = 8, .weights = true}) == 0);
    program = with_weights();
    CHECK(fold_constants(program, {.weights = true}) == 3);  // the rows too: they are small
    program = with_weights();
    program.graph.info(program.graph.inputs()[2]).tensor.dtype = DType::float16;
    program.state[2].second = program.state[2].second.to(torch::kHalf);
    CHECK(fold_constants(program, {.weights = true}) == 2);  // of numbers that become wider
}

TEST_CASE("what is written to is left alone, and so is what sees it") {
    ExportedProgram program;
    Graph& g = program.graph;
    const Value w = g.add_input("p_w", tensor({4})), x = g.add_input("x", tensor({2}));
    const Value zeros = call(g, "aten::zeros", {{"size", ArgumentList{4}}}, tensor({4}));
    const Value kept = call(g, "aten::mul.Tensor", {{"self", w}, {"other", zeros}}, tensor({4}));
    const Value front =
        call(g, "aten::slice.Tensor", {{"self", kept}, {"dim", 0}, {"start", 0}, {"end", 2}}, tensor({2}));
    call(g, "aten::copy_", {{"self", front}, {"src", x}}, tensor({2}));
    const Value last = call(g, "aten::sin", {{"self", kept}}, tensor({4}));
    g.set_outputs({last});
    program.signature.inputs = {{.kind = InputKind::parameter, .argument = w, .name = "p_w", .target = "w"},
                                {.argument = x, .name = "x"}};
    program.signature.outputs = {{.argument = last}};
    program.state.emplace_back("w", torch::randn({4}));
    const at::Tensor given = torch::randn({2}), before = run(program, given)[0].toTensor();
    CHECK(fold_constants(program, {.weights = true, .stays = [](const Node&) { return false; }}) <= 1);
    CHECK(torch::equal(run(program, given)[0].toTensor(), before));
    CHECK(torch::equal(run(program, given)[0].toTensor(), before));
}
