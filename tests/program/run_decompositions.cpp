#include <ferry/program/run_decompositions.hpp>

#include <ferry/dynamo/exporter.hpp>

#include <torch/torch.h>

#include <map>
#include <set>

#ifndef DOCTEST_LIBRARY_INCLUDED
#include <doctest/doctest.h>
#endif

using namespace ferry;
using at::Tensor;

namespace {

std::map<std::string, int> histogram(const ExportedProgram& program) {
    std::map<std::string, int> counts;
    for (const Node& node : program.graph.nodes()) ++counts[std::string(node.op())];
    return counts;
}

template <class Model>
ExportedProgram check(Model&& model, const Inputs& sample, const std::vector<Inputs>& others, double tolerance = 1e-5) {
    const torch::NoGradGuard no_gradients;
    const ExportedProgram program = DynamoExporter{}.export_model(model, sample, {.dynamic = true});
    ExportedProgram smaller = program.run_decompositions<core_aten_decompositions>();
    ProgramModule module = smaller.module(), whole = program.module();
    for (const Inputs& each : others) {
        const Tree expected = whole(each), found = module(each);
        REQUIRE(expected.leaves.size() == found.leaves.size());
        for (std::size_t i = 0; i < expected.leaves.size(); ++i)
            CHECK(torch::allclose(found.leaves[i].tensor(), expected.leaves[i].tensor(), tolerance, tolerance));
    }
    REQUIRE(smaller.signature.inputs.size() >= program.signature.inputs.size());
    for (std::size_t i = 0; i < smaller.signature.outputs.size(); ++i) {
        CHECK(smaller.signature.outputs[i].kind == program.signature.outputs[i].kind);
        CHECK(smaller.signature.outputs[i].target == program.signature.outputs[i].target);
    }
    std::set<std::string> names;
    for (const InputSpec& input : smaller.signature.inputs) names.insert(input.name);
    for (const InputSpec& input : program.signature.inputs) CHECK(names.contains(input.name));
    return smaller;
}

struct Encoder : torch::nn::Module {
    torch::nn::Embedding embedding = register_module("embedding", torch::nn::Embedding(20, 8));
    torch::nn::Linear qkv = register_module("qkv", torch::nn::Linear(8, 24));
    torch::nn::Linear out = register_module("out", torch::nn::Linear(torch::nn::LinearOptions(8, 8).bias(false)));
    torch::nn::LayerNorm norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({8})));
    Tensor forward(Tensor ids, Tensor mask) {
        const Tensor x = embedding(ids);
        const auto b = x.size(0), s = x.size(1);
        const auto parts = qkv(norm(x)).view({b, s, 3, 2, 4}).permute({2, 0, 3, 1, 4}).unbind(0);
        const Tensor allowed = torch::ones({s, s}, torch::kBool).tril() & mask.to(torch::kBool).view({b, 1, 1, s});
        const Tensor y = torch::scaled_dot_product_attention(parts[0], parts[1], parts[2], allowed);
        return torch::silu(out(y.transpose(1, 2).reshape({b, s, 8}))) + x;
    }
};

struct Counting : torch::nn::Module {
    Tensor seen = register_buffer("seen", torch::zeros({4}));
    Tensor forward(Tensor x) {
        seen.add_(x.sum(0));
        x.mul_(2);
        return torch::softmax(x, -1) + seen;
    }
};

struct my_gelu {
    static constexpr auto target = op("aten::gelu");
    static Tensor decompose(const Tensor& self, c10::string_view) {
        return self * self.div(1.4142135623730951).erf().add(1).mul(0.5);
    }
};

}  // namespace

TEST_CASE("a transformer layer comes down to core ATen") {
    torch::manual_seed(1);
    Encoder model;
    model.eval();
    const auto given = [](std::int64_t b, std::int64_t s) {
        return inputs("ids", torch::randint(0, 20, {b, s}, torch::kLong), "mask", torch::ones({b, s}, torch::kLong));
    };
    const auto counts = histogram(check(model, given(2, 5), {given(3, 7), given(4, 2), given(6, 11)}));
    for (const char* gone : {"aten::linear", "aten::layer_norm", "aten::scaled_dot_product_attention", "aten::silu",
                             "aten::transpose.int", "aten::reshape", "aten::unbind.int", "aten::to.dtype",
                             "aten::matmul", "aten::tril", "aten::ones", "aten::__and__.Tensor"})
        CHECK_MESSAGE(!counts.contains(gone), gone);
    for (const char* there : {"aten::addmm", "aten::mm", "aten::native_layer_norm", "aten::_softmax", "aten::bmm",
                              "aten::permute", "aten::bitwise_and.Tensor"})
        CHECK_MESSAGE(counts.contains(there), there);
}

TEST_CASE("writes to buffers and inputs survive") {
    Counting model;
    const ExportedProgram program = check(model, inputs("x", torch::randn({3, 4})), {});
    CHECK(program.signature.outputs.at(0).kind != OutputKind::user_output);
    ProgramModule module = program.module();
    const Tensor x = torch::randn({6, 4}), before = x.clone();
    const Tensor result = module.call<Tensor>(x);
    CHECK(torch::allclose(x, before * 2));
    CHECK(torch::allclose(module.tensor("seen"), before.sum(0)));
    CHECK(torch::allclose(result, torch::softmax(before * 2, -1) + before.sum(0)));
    CHECK(torch::equal(model.seen, torch::zeros({4})));
}

TEST_CASE("activations, reductions and factories") {
    const auto many = [](Tensor x) {
        Tensor y = torch::hardswish(x) + torch::softplus(x) + torch::mish(x) + torch::log_sigmoid(x) + (1 - x) +
                   torch::leaky_relu(x) + torch::elu(x);
        y = y + torch::logsumexp(x, 1, true) + x.std(1, true, true) + x.sum() + x.mean() +
            torch::logsumexp(x, at::IntArrayRef({0, 1}));
        y = y.masked_fill(x > 0.5, 3.0) + torch::where(x > 0, x, 0.25) + torch::roll(x, 1, 0) +
            torch::stack({x, y}, 0).sum(0);
        y = y + torch::zeros_like(x) + x.new_ones({x.size(0), 1}) + torch::arange(x.size(1)) + x.clamp_min(0.1) +
            torch::addcmul(x, x, x, 0.5) + torch::lerp(x, y, 0.3);
        return torch::glu(torch::cat({y, x}, 1), 1).squeeze() + (x > -100).all().to(torch::kFloat);
    };
    const auto counts = histogram(check(many, inputs("x", torch::randn({3, 4})),
                                        {inputs("x", torch::randn({5, 7})), inputs("x", torch::randn({2, 9}))}, 1e-4));
    for (const char* gone :
         {"aten::hardswish", "aten::softplus", "aten::mish", "aten::log_sigmoid", "aten::rsub.Scalar",
          "aten::logsumexp", "aten::masked_fill.Scalar", "aten::roll", "aten::stack", "aten::zeros_like",
          "aten::new_ones", "aten::arange", "aten::glu", "aten::sum", "aten::mean", "aten::all"})
        CHECK_MESSAGE(!counts.contains(gone), gone);
}

TEST_CASE("a user's entry goes with the default ones, and one alone leaves the rest") {
    const auto model = [](Tensor x) { return torch::silu(torch::gelu(x)); };
    const ExportedProgram program =
        DynamoExporter{}.export_model(model, inputs("x", torch::randn({3, 4})), {.dynamic = true});
    const auto both =
        histogram(program.run_decompositions<concat_t<core_aten_decompositions, decompositions<my_gelu>>>());
    CHECK(!both.contains("aten::gelu"));
    CHECK(!both.contains("aten::silu"));
    const ExportedProgram one = program.run_decompositions<decompositions<my_gelu>>();
    CHECK(histogram(one).contains("aten::silu"));
    CHECK(!histogram(one).contains("aten::gelu"));
    const Tensor x = torch::randn({5, 2});
    CHECK(torch::allclose(one.module().call<Tensor>(x), model(x), 1e-5, 1e-6));
}

TEST_CASE("a check that a run cannot see again is refused, not lost") {
    const auto model = [](Tensor x, Tensor y) { return torch::equal(x, y) ? x * 2 : x.sum() + y.sum(); };
    const ExportedProgram program =
        DynamoExporter{}.export_model(model, inputs("x", torch::randn({4}), "y", torch::randn({6})), {.dynamic = true});
    CHECK_THROWS_WITH(static_cast<void>(program.run_decompositions<core_aten_decompositions>()),
                      doctest::Contains("checks that sizes differ"));
}
