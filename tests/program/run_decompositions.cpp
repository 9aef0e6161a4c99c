// Decomposed programs against the models themselves, at sizes that no capture has seen. One by one the ops of the list are
// gone through in peer_decompositions.py; here is what a program has around them.
#include <ferry/program/run_decompositions.hpp>

#include <ferry/capture/control_flow.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/graph/sym_ops.hpp>

#include "../graph/build.hpp"

#include <torch/torch.h>

#include <cmath>
#include <map>
#include <set>

#include <doctest/doctest.h>

using namespace ferry;
using at::Tensor;

namespace {

using Counts = std::map<std::string, int>;

void count(const Graph& graph, Counts& counts) {
    for (const Node& node : graph.nodes()) ++counts[std::string(node.op())];
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) count(graph.subgraph({i}), counts);
}
Counts histogram(const ExportedProgram& program) {
    Counts counts;
    count(program.graph, counts);
    return counts;
}

Inputs copy_of(const Inputs& inputs) {
    Tree tree = inputs.tree();
    for (Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().clone();
    return tree::unflatten<Inputs>(tree);
}

void check_equal(const Tree& expected, const Tree& found, double tolerance) {
    REQUIRE(expected.leaves.size() == found.leaves.size());
    for (std::size_t i = 0; i < expected.leaves.size(); ++i) {
        const Tensor a = expected.leaves[i].tensor(), b = found.leaves[i].tensor();
        REQUIRE((a.sizes() == b.sizes()));
        CHECK((a.scalar_type() == b.scalar_type()));
        CHECK_MESSAGE(torch::allclose(b, a, tolerance, tolerance, /*equal_nan=*/true), "off by up to ",
                      (a - b).abs().max().item<double>());
    }
}

/// Erased, so that the exporter and the list are compiled once.
struct Erased {
    std::function<Tree(const Inputs&)> call;
    ModelState state;
};

ExportedProgram export_erased(const Erased& model, const Inputs& sample, const DynamoConfig& config) {
    const TreeSpec spec = sample.spec();
    const capture::RunModel run = [&](std::vector<Leaf> leaves) {
        return model.call(tree::unflatten<Inputs>(Tree(spec, std::move(leaves))));
    };
    return export_program(run, sample, model.state, config, capture::rules_of<dynamo_pipeline>);
}

ExportedProgram check_erased(const Erased& model, const Inputs& sample, const std::vector<Inputs>& others,
                             double tolerance, const DynamoConfig& config) {
    const torch::NoGradGuard no_gradients;
    const ExportedProgram program = export_erased(model, sample, config);
    ExportedProgram smaller = program.run_decompositions<core_aten_decompositions>();
    for (const Inputs& each : others) {
        const Inputs for_model = copy_of(each), for_program = copy_of(each);
        std::vector<Tensor> before;
        for (const auto& [name, tensor] : model.state.buffers) before.push_back(tensor.clone());
        ProgramModule module = smaller.module();  // with the buffers that the model has now
        const Tree expected = model.call(for_model);
        const Tree found = module(for_program);
        check_equal(expected, found, tolerance);
        check_equal(for_model.tree(), for_program.tree(), tolerance);
        for (std::size_t i = 0; i < before.size(); ++i) {
            const auto& [name, tensor] = model.state.buffers[i];
            CHECK(torch::allclose(module.tensor(name), tensor, tolerance, tolerance));
            tensor.copy_(before[i]);
        }
    }
    REQUIRE(smaller.signature.outputs.size() == program.signature.outputs.size());
    for (std::size_t i = 0; i < smaller.signature.outputs.size(); ++i) {
        CHECK(smaller.signature.outputs[i].kind == program.signature.outputs[i].kind);
        CHECK(smaller.signature.outputs[i].target == program.signature.outputs[i].target);
    }
    std::set<std::string> names;
    for (const InputSpec& input : smaller.signature.inputs) names.insert(input.name);
    for (const InputSpec& input : program.signature.inputs) CHECK(names.contains(input.name));
    for (const auto& [symbol, range] : program.ranges) {
        REQUIRE(smaller.ranges.find(symbol) != nullptr);
        CHECK((*smaller.ranges.find(symbol) == range));
    }
    return smaller;
}

template <class Model>
ExportedProgram check(Model&& model, const Inputs& sample, const std::vector<Inputs>& others, double tolerance = 1e-5,
                      const DynamoConfig& config = {.dynamic = true}) {
    return check_erased({[&](const Inputs& inputs) { return call_model<pytrees<>>(model, inputs); }, state_of(model)},
                        sample, others, tolerance, config);
}

Inputs x_of(const Tensor& x) { return inputs("x", x); }

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
    const ExportedProgram program =
        check(model, x_of(torch::randn({3, 4})), {x_of(torch::randn({6, 4})), x_of(torch::randn({9, 4}))});
    CHECK(program.signature.outputs.at(0).kind != OutputKind::user_output);
    ProgramModule module = program.module();
    const Tensor ones = torch::ones({5, 4});
    static_cast<void>(module.call<Tensor>(ones.clone()));
    static_cast<void>(module.call<Tensor>(ones.clone()));  // the second run starts from what the first has left
    CHECK(torch::equal(module.tensor("seen"), torch::full({4}, 10.0)));
    CHECK(torch::equal(model.seen, torch::zeros({4})));
}

TEST_CASE("ops that only C++ calls") {
    const auto reversed = [](Tensor x) { return torch::rsub(x, x * x, 2); };
    const auto counts = histogram(check(reversed, x_of(torch::randn({3, 4})), {x_of(torch::randn({5, 7}))}));
    CHECK(!counts.contains("aten::rsub.Tensor"));
}

TEST_CASE("a user's entry goes with the default ones, and one alone leaves the rest") {
    const auto model = [](Tensor x) { return torch::silu(torch::gelu(x)); };
    const ExportedProgram program = DynamoExporter{}.export_model(model, x_of(torch::randn({3, 4})), {.dynamic = true});
    const ExportedProgram one = program.run_decompositions<decompositions<my_gelu>>();
    CHECK(histogram(one).contains("aten::silu"));
    CHECK(!histogram(one).contains("aten::gelu"));
    const Tensor x = torch::randn({5, 2});
    CHECK(torch::allclose(one.module().call<Tensor>(x), model(x), 1e-5, 1e-6));
}

TEST_CASE("what a program checks of its sizes, it checks when decomposed too") {
    torch::manual_seed(6);
    const auto model = [](Tensor x, Tensor y) { return torch::equal(x, y) ? x * 2 : torch::silu(x).sum() + y.sum(); };
    const auto of_sizes = [](std::int64_t a, std::int64_t b) {
        return inputs("x", torch::randn({a}), "y", torch::randn({b}));
    };
    const ExportedProgram program = DynamoExporter{}.export_model(model, of_sizes(4, 6), {.dynamic = true});
    const ExportedProgram smaller = program.run_decompositions<core_aten_decompositions>();
    CHECK(!histogram(smaller).contains("aten::silu"));
    CHECK(histogram(smaller).at("aten::_assert_scalar") == histogram(program).at("aten::_assert_scalar"));
    const Tensor x = torch::randn({9}), y = torch::randn({5});
    CHECK(torch::allclose(smaller.module().call<Tensor>(x, y), model(x, y), 1e-5, 1e-6));
    CHECK_THROWS_WITH(static_cast<void>(smaller.module().call<Tensor>(x, torch::randn({9}))),
                      doctest::Contains("where the model asks whether they are equal"));
}

TEST_CASE("branches and bodies of control flow are decomposed too") {
    torch::manual_seed(2);
    const Tensor weight = torch::randn({4, 4}) * 0.3;
    const std::vector<Inputs> others{x_of(torch::randn({5, 4}).abs()), x_of(-torch::randn({7, 4}).abs()),
                                     x_of(torch::randn({2, 4}))};
    const auto none_left = [](const ExportedProgram& program) {
        const Counts counts = histogram(program);
        for (const char* gone : {"aten::silu", "aten::linear", "aten::softplus", "aten::matmul", "aten::zeros"})
            CHECK_MESSAGE(!counts.contains(gone), gone);
    };
    const auto branches = [&](Tensor x) {
        return ferry::cond(
            x.sum() > 0, [&](const Tensor& y) { return torch::silu(torch::linear(y, weight)); },
            [](const Tensor& y) { return torch::softplus(y); }, x);
    };
    const ExportedProgram chosen = check(branches, x_of(torch::randn({3, 4})), others);
    none_left(chosen);
    CHECK(histogram(chosen).contains("higher_order::cond"));
    const auto loop = [&](Tensor x) {
        return std::get<1>(ferry::while_loop(
            [](const Tensor& i, const Tensor&) { return i < 3; },
            [&](const Tensor& i, const Tensor& y) { return std::make_tuple(i + 1, torch::silu(y.matmul(weight))); },
            torch::zeros({}, torch::kLong), x));
    };
    const ExportedProgram repeated = check(loop, x_of(torch::randn({3, 4})), others);
    none_left(repeated);
    CHECK(histogram(repeated).contains("higher_order::while_loop"));
    const auto walk = [&](Tensor x) {
        return ferry::scan(
                   [&](const Tensor& state, const Tensor& slice) {
                       const Tensor next = torch::silu(state + slice.matmul(weight));
                       return std::make_pair(next, next * 2);
                   },
                   torch::zeros({4}), x)
            .second;
    };
    const ExportedProgram walked = check(walk, x_of(torch::randn({3, 4})), others);
    none_left(walked);
    CHECK(histogram(walked).contains("higher_order::scan"));
}

TEST_CASE("new tensors are made where the program's tensors are") {
    const auto model = [](Tensor x) {
        const Tensor mask = x.new_ones({x.size(0), x.size(0)}).tril().to(torch::kBool);
        return (x.matmul(x.t()).masked_fill(mask, 0.5) + torch::linspace(0, 1, x.size(0), x.options())).triu(1) +
               torch::eye(x.size(0), x.options()) + (2.5 - torch::zeros_like(x).sum());
    };
    for (const auto device : {torch::kCPU, torch::kMeta}) {
        const auto options = torch::TensorOptions().device(device);
        const ExportedProgram program =
            DynamoExporter{}.export_model(model, x_of(torch::randn({3, 4}, options)), {.dynamic = true});
        const ExportedProgram smaller = program.run_decompositions<core_aten_decompositions>();
        int named = 0;
        for (const Node& node : smaller.graph.nodes())
            if (const Argument* argument = node.find("device"); argument != nullptr && !argument->is_none()) {
                ++named;
                CHECK_MESSAGE(*argument->get_if<Device>() == Device{device == torch::kCPU ? "cpu" : "meta"},
                              std::string(node.op()));
            } else {
                CHECK_MESSAGE(argument == nullptr, std::string(node.op()), " is made wherever the default is");
            }
        CHECK(named > 3);
        if (device == torch::kMeta) continue;  // not every op of the program has a Meta kernel to run
        const Tensor x = torch::randn({6, 5});
        CHECK(torch::allclose(smaller.module().call<Tensor>(x), model(x), 1e-5, 1e-6));
    }
}

TEST_CASE("sizes that depend on values") {
    torch::manual_seed(4);
    const auto selected = [](Tensor x) { return torch::silu(x.masked_select(x > 0)); };
    const auto counted = [](Tensor x) {
        const auto count = (x > 0).sum().item<std::int64_t>();
        return torch::silu(torch::ones({count}).cumsum(0)).sum() + x.sum();
    };
    const std::vector<Inputs> data{x_of(torch::randn({9, 5})), x_of(torch::randn({13, 7})), x_of(torch::ones({3, 4}))};
    CHECK(!histogram(check(selected, x_of(torch::randn({6, 5})), data)).contains("aten::silu"));
    CHECK(!histogram(check(counted, x_of(torch::randn({6, 5})), data)).contains("aten::silu"));
    const auto pairs = [](Tensor x) { return torch::silu(x.new_ones({(x > 0).sum().item<std::int64_t>() + 1, 2})); };
    CHECK(!histogram(check(pairs, x_of(torch::randn({6, 5})), data)).contains("aten::silu"));
}

namespace {

/// Adds what C++ code has no words for to the end of a program: a check of its sizes, and an op that needs it.
class Amended {
public:
    explicit Amended(ExportedProgram program) : program_(std::move(program)) {}

    [[nodiscard]] Value output() const { return *program_.graph.outputs().at(0).get_if<Value>(); }
    [[nodiscard]] Value input(std::size_t i) const { return program_.graph.inputs()[i]; }
    [[nodiscard]] const std::vector<SymExpr>& sizes(Value value) const {
        return program_.graph.info(value).tensor.sizes;
    }
    [[nodiscard]] Value size(Value tensor, std::int64_t dim) {
        return build::call(program_.graph, "aten::sym_size.int", {{"self", tensor}, {"dim", dim}},
                           build::size(sizes(tensor).at(static_cast<std::size_t>(dim))));
    }
    [[nodiscard]] Graph& graph() { return program_.graph; }
    void require(std::string_view comparison, Value a, Argument b) {
        const Value holds = build::call(program_.graph, comparison, {{"a", a}, {"b", std::move(b)}},
                                        build::size(SymExpr::boolean(true), ValueKind::sym_bool));
        program_.graph.append("aten::_assert_scalar",
                              {{"self", holds}, {"assert_msg", std::string("the sizes do not go together")}}, {});
    }
    /// The output plus the input: of one size only if the checks hold.
    [[nodiscard]] ExportedProgram plus_input() && {
        const Value sum = build::call(program_.graph, "aten::add.Tensor", {{"self", output()}, {"other", input(0)}},
                                      program_.graph.info(input(0)));
        program_.graph.set_outputs({sum});
        program_.renew_outputs();
        return std::move(program_);
    }

private:
    ExportedProgram program_;
};

}  // namespace

TEST_CASE("sizes that depend on values stay what the program says of them") {
    torch::manual_seed(8);
    const Tensor x = torch::randn({17});
    Tensor with_nan = x.clone();
    with_nan[3] = std::nan("");
    // All elements, those above zero first; of which there are u0, and of the others u1.
    const auto sorted = [](Tensor x) {
        return torch::silu(torch::cat({x.masked_select(x > 0), x.masked_select(x <= 0)}));
    };
    Amended halves(DynamoExporter{}.export_model(sorted, x_of(x), {.dynamic = true}));
    halves.require("_operator::eq", halves.size(halves.output(), 0), halves.size(halves.input(0), 0));
    const ExportedProgram program = std::move(halves).plus_input();
    const ExportedProgram smaller = program.run_decompositions<core_aten_decompositions>();
    CHECK(!histogram(smaller).contains("aten::silu"));
    CHECK(smaller.ranges.find("u0") != nullptr);
    for (const std::int64_t size : {2, 9, 31}) {
        const Tensor given = torch::randn({size});
        CHECK(torch::allclose(smaller.module().call<Tensor>(given), sorted(given) + given, 1e-5, 1e-6));
    }
    CHECK_THROWS_WITH_AS(static_cast<void>(smaller.module().call<Tensor>(with_nan)),
                         doctest::Contains("Eq(u1, s0 - u0)"), Error);
    const ExportedProgram again = smaller.run_decompositions<core_aten_decompositions>();
    CHECK(histogram(again) == histogram(smaller));
    CHECK_THROWS_AS(static_cast<void>(again.module().call<Tensor>(with_nan)), Error);
}

TEST_CASE("a size that depends on values is a multiple of an input's where the program says so") {
    torch::manual_seed(9);
    const auto repeated = [](Tensor x, Tensor counts) {
        return torch::silu(x.select(1, 0).repeat_interleave(counts)).unsqueeze(1);
    };
    const auto given = [](std::int64_t rows, std::int64_t count) {
        return inputs("x", torch::randn({rows, 4}), "counts", torch::full({rows}, count));
    };
    const auto shapes = DynamicShapes{{"x", {{0, Dim("rows")}}}, {"counts", {{0, Dim("rows")}}}};
    Amended four(DynamoExporter{}.export_model(repeated, given(3, 4), {.dynamic_shapes = shapes}));
    Graph& graph = four.graph();
    const Value rows = four.size(four.input(0), 0);
    const SymExpr size = four.sizes(four.input(0))[0];
    const Value all = build::call(graph, "_operator::mul", {{"a", rows}, {"b", 4}}, build::size(size * SymExpr(4)));
    four.require("_operator::eq", four.size(four.output(), 0), all);
    const Value view = build::call(graph, "aten::view", {{"self", four.output()}, {"size", ArgumentList{rows, 4}}},
                                   build::tensor({size, SymExpr(4)}));
    graph.set_outputs({view});
    const ExportedProgram smaller = std::move(four).plus_input().run_decompositions<core_aten_decompositions>();
    CHECK(!histogram(smaller).contains("aten::silu"));
    const Tensor x = torch::randn({7, 4}), counts = torch::full({7}, 4);
    CHECK(torch::allclose(smaller.module().call<Tensor>(x, counts), repeated(x, counts).view({7, 4}) + x, 1e-5, 1e-6));
    CHECK_THROWS_AS(static_cast<void>(smaller.module().call<Tensor>(x, torch::full({7}, 3))), Error);
}

TEST_CASE("numbers at the end of 64 bits are refused, not computed with") {
    constexpr std::int64_t least = INT64_MIN, most = INT64_MAX;
    const auto relu = [](Tensor x) { return torch::relu(x); };
    const ExportedProgram plain = DynamoExporter{}.export_model(relu, x_of(torch::randn({2, 4, 6, 6})));
    const auto calling = [&](std::string_view op, std::vector<NamedArgument> arguments) {
        Amended program(plain);
        arguments.insert(arguments.begin(), {"self", program.output()});
        const Value made =
            build::call(program.graph(), op, std::move(arguments), program.graph().info(program.output()));
        program.graph().set_outputs({made});
        return std::move(program).plus_input();
    };
    const std::pair<std::string_view, std::vector<NamedArgument>> cases[] = {
        {"aten::roll", {{"shifts", ArgumentList{1, 2}}, {"dims", ArgumentList{0}}}},
        {"aten::pixel_shuffle", {{"upscale_factor", std::int64_t{1} << 32}}},
        {"aten::pixel_shuffle", {{"upscale_factor", 0}}},
        {"aten::pixel_unshuffle", {{"downscale_factor", 0}}},
        {"aten::channel_shuffle", {{"groups", 0}}},
        {"aten::rot90", {{"k", 1}, {"dims", ArgumentList{0}}}},
        {"aten::diag_embed", {{"offset", least}}},
        {"aten::diag_embed", {{"offset", most}}},
        {"aten::transpose.int", {{"dim0", most}, {"dim1", 0}}},
        {"aten::reflection_pad1d", {{"padding", ArgumentList{most, most}}}},
        {"aten::im2col",
         {{"kernel_size", ArgumentList{most, 2}},
          {"dilation", ArgumentList{most, 1}},
          {"padding", ArgumentList{0, 0}},
          {"stride", ArgumentList{1, 0}}}},
        {"aten::upsample_nearest2d", {{"output_size", ArgumentList{3, 3, 3, 3}}}},
    };
    for (const auto& [op, arguments] : cases) {
        CAPTURE(op);
        const ExportedProgram program = calling(op, arguments);
        try {
            static_cast<void>(program.run_decompositions<core_aten_decompositions>());
            FAIL_CHECK("no error");
        } catch (const Error& error) {
            CHECK(error.where().op == op);
            CHECK(error.message().find("Exception raised from") == std::string::npos);
        }
    }
    const auto rolled = calling("aten::roll", {{"shifts", ArgumentList{least}}, {"dims", ArgumentList{1}}});
    const Tensor x = torch::randn({2, 4, 6, 6});
    CHECK(torch::equal(rolled.run_decompositions<core_aten_decompositions>().module().call<Tensor>(x),
                       torch::relu(x) + x));
}

TEST_CASE("ranges at the end of 64 bits are no sizes to run at") {
    const auto relu = [](Tensor x) { return torch::silu(x); };
    ExportedProgram program = DynamoExporter{}.export_model(relu, x_of(torch::randn({4})), {.dynamic = true});
    for (const ValueRange range : {ValueRange{INT64_MAX - 1, INT64_MAX}, ValueRange{INT64_MAX - 40, INT64_MAX - 2},
                                   ValueRange{INT64_MIN, INT64_MIN}, ValueRange{5, 3}}) {
        program.ranges.set("s0", range);
        CHECK_THROWS_AS(static_cast<void>(program.run_decompositions<core_aten_decompositions>()), Error);
    }
}

TEST_CASE("recurrent layers: unrolled for a known length, a scan for any") {
    torch::manual_seed(5);
    torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 3).num_layers(2).bidirectional(true).batch_first(true));
    const auto model = [&](Tensor x) { return std::get<0>(lstm(x)); };
    const Counts scanned = histogram(
        check(model, x_of(torch::randn({2, 5, 4})), {x_of(torch::randn({3, 9, 4})), x_of(torch::randn({4, 2, 4}))}));
    CHECK(scanned.at("higher_order::scan") == 4);
    CHECK(!scanned.contains("aten::lstm.input"));
    const Counts unrolled = histogram(check(model, x_of(torch::randn({2, 5, 4})), {x_of(torch::randn({7, 5, 4}))}, 1e-5,
                                            {.dynamic_shapes = {{"x", {{0, Dim("batch")}}}}}));
    CHECK(!unrolled.contains("higher_order::scan"));
    CHECK(!unrolled.contains("aten::lstm.input"));
    CHECK(unrolled.at("aten::tanh") == 2 * 4 * 5);
}

TEST_CASE("windows: whether they must be copied, and how many there are, depends on sizes") {
    const auto windows = [](Tensor x) {
        const auto n = x.size(0), rows = (x.size(1) + 39) / 40, columns = (x.size(2) + 39) / 40;
        const Tensor padded = torch::constant_pad_nd(x, {0, columns * 40 - x.size(2), 0, rows * 40 - x.size(1)});
        const Tensor cut = padded.view({n, rows, 40, columns, 40}).permute({0, 1, 3, 2, 4});
        return std::make_tuple(cut.reshape({n * rows * columns, 1600}).sum(1),
                               cut.flatten(1, 2).contiguous().roll(3, 3));
    };
    const auto smaller = check(windows, x_of(torch::randn({2, 50, 90})),
                               {x_of(torch::randn({3, 30, 130})), x_of(torch::randn({1, 170, 20}))});
    const Counts counts = histogram(smaller);
    CHECK(counts.contains("aten::clone"));
    CHECK(!counts.contains("aten::reshape"));
}

TEST_CASE("what a program computes from its sizes is no smaller than usual where it is taken apart") {
    torch::manual_seed(6);
    const Tensor weight = torch::randn({4, 3, 16, 16});
    const auto model = [&](const Tensor& x) {
        return torch::adaptive_avg_pool2d(torch::conv2d(x, weight, {}, 16).relu(), {1, 1}).flatten(1);
    };
    const ExportedProgram program =
        DynamoExporter{}.export_model(model, inputs("x", torch::randn({2, 3, 64, 80})), {.dynamic = true});
    const ExportedProgram parts = program.run_decompositions<core_aten_decompositions>();
    const auto sizes_of = [](const ExportedProgram& each, std::string_view op) {
        for (const Node& node : each.graph.nodes())
            if (node.op() == op) return each.graph.info(node.output()).tensor.sizes;
        return std::vector<SymExpr>();
    };
    // At the smallest sizes that there are it is 1, as large as what the pool is to make.
    REQUIRE(!sizes_of(program, "aten::conv2d").at(2).is_constant());
    CHECK((sizes_of(parts, "aten::convolution") == sizes_of(program, "aten::conv2d")));
    for (const std::int64_t size : {16, 40, 100}) {
        const Tensor x = torch::randn({3, 3, size, size + 5});
        CHECK(torch::allclose(parts.module()(inputs("x", x)).leaves.at(0).tensor(), model(x), 1e-4, 1e-4));
    }
}

TEST_CASE("images of bytes are resampled to the nearest byte, as the kernels' arithmetic of integers does up to one") {
    torch::manual_seed(7);
    for (const bool is_cubic : {false, true}) {
        CAPTURE(is_cubic);
        const auto model = [&](const Tensor& x) {
            return is_cubic ? torch::upsample_bicubic2d(x, {11, 5}, false)
                            : torch::upsample_bilinear2d(x, {11, 5}, false);
        };
        const auto image = [](std::int64_t count) { return torch::randint(0, 256, {count, 3, 8, 9}, torch::kByte); };
        const ExportedProgram parts = DynamoExporter{}
                                          .export_model(model, inputs("x", image(2)), {.dynamic = true})
                                          .run_decompositions<core_aten_decompositions>();
        const Tensor x = image(5), made = parts.module()(inputs("x", x)).leaves.at(0).tensor();
        CHECK((made.scalar_type() == torch::kByte));
        CHECK((made.to(torch::kInt) - model(x).to(torch::kInt)).abs().max().item<int>() <= 1);
    }
}
