// Programs that Ferry has captured from C++, run by Python, against what the C++ models themselves give.
#include <ferry/pt2/save.hpp>

#include <ferry/capture/control_flow.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/program/module.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/safetensors/write.hpp>

#include "../python_peer.hpp"

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

using at::Tensor;

struct Options {
    std::optional<Tensor> mask;
    std::vector<Tensor> parts;
    double scale = 1;
};

}  // namespace

template <>
struct ferry::tree_node<Options> {
    using leaves = members<&Options::mask, &Options::parts, &Options::scale>;
};

namespace {

/// Parameters, tied ones too, a buffer that forward changes, unbacked sizes, nested results.
struct Everything : torch::nn::Module {
    torch::nn::Embedding embed{11, 4};
    torch::nn::Linear first{4, 4}, head{torch::nn::LinearOptions(4, 11).bias(false)};
    Tensor calls;
    Everything() {
        register_module("embed", embed);
        register_module("first", first);
        register_module("head", head);
        head->weight = embed->weight;
        calls = register_buffer("calls", at::zeros({2}));
    }
    std::map<std::string, std::vector<Tensor>> forward(const Tensor& ids, const Options& options) {
        Tensor x = first(embed(ids)) * options.scale;
        calls.add_(1);
        if (options.mask)
            x = x.masked_fill(options.mask->unsqueeze(-1), -std::numeric_limits<double>::infinity()).clamp_min(-5);
        x = x + options.parts[0] - options.parts[1].sum();
        const auto halves = x.split(2, 2);
        return {{"logits", {head(x)}},
                {"parts", {halves[1].reshape({x.size(0), -1}), ids.gt(5).nonzero() + 1}},
                {"sizes", {at::arange(x.size(0) * 2 + 1) + calls[0]}}};
    }
};

/// With names that Python's modules have for themselves.
struct Awkward : torch::nn::Module {
    torch::nn::Linear inner{nullptr};
    Tensor count, other;
    Awkward() {
        inner = register_module("modules", torch::nn::Linear(4, 4));
        count = register_buffer("training", at::zeros({1}));
        other = register_parameter("training_", at::ones({4}));
    }
    Tensor forward(const Tensor& x) {
        count.add_(1);
        return inner(x) * other + count;
    }
};

struct Branches {
    Tensor operator()(const Tensor& x) const {
        const Tensor y = ferry::cond(
            x.sum() > 0, [](const Tensor& a) { return a.sin() + 1; }, [](const Tensor& a) { return a * 2; }, x);
        const auto [i, z] = ferry::while_loop(
            [](const Tensor& i, const Tensor&) { return i < 3; },
            [](const Tensor& i, const Tensor& a) { return std::tuple(i + 1, a * 1.5); }, at::zeros({}, at::kLong), y);
        return z + i;
    }
};

using Function = std::function<Tensor(const Tensor&)>;
using BinaryFunction = std::function<Tensor(const Tensor&, const Tensor&)>;

/// A case for Python: tensors of the inputs, of the results, and of the inputs afterwards.
template <class Model>
void add_case(std::vector<std::pair<std::string, Tensor>>& into, int number, Model& model,
              const ferry::Inputs& inputs) {
    const std::string prefix = std::to_string(number) + '.';
    const auto add = [&](const char* what, const std::vector<ferry::Leaf>& leaves) {
        std::size_t position = 0;
        for (const ferry::Leaf& leaf : leaves)
            if (leaf.is_tensor() && leaf.tensor().defined())
                into.emplace_back(prefix + what + '.' + std::to_string(position++), leaf.tensor().detach().clone());
    };
    const auto leaves = inputs.tree().leaves;
    add("in", leaves);
    add("out", ferry::call_model<ferry::pytrees<>>(model, inputs).leaves);
    add("after", leaves);
}

template <class Model>
void write(const ferry_test::Folder& folder, const std::string& name, Model model, const ferry::Inputs& sample,
           const ferry::Inputs& other, const ferry::DynamoConfig& config = {.dynamic = true}) {
    const at::NoGradGuard no_grad;
    ferry::DynamoExporter{}.export_model(model, sample, config).save(folder / (name + ".pt2"));
    std::vector<std::pair<std::string, Tensor>> tensors;
    add_case(tensors, 0, model, sample);
    add_case(tensors, 1, model, other);
    ferry::safetensors::save(folder / (name + ".safetensors"), tensors);
}

ferry::Inputs everything_inputs(std::int64_t batch, std::int64_t length) {
    return ferry::inputs("ids", at::randint(0, 11, {batch, length}), "options",
                         Options{at::rand({batch, length}) > 0.7, {at::randn({4}), at::randn({3})}, 1.5});
}

}  // namespace

TEST_CASE("programs of C++ run in Python as the models do") {
    at::manual_seed(3);
    const ferry_test::Folder folder;
    write(folder, "everything", Everything(), everything_inputs(2, 5), everything_inputs(3, 7));
    write(folder, "awkward", Awkward(), ferry::inputs("x", at::randn({3, 4})), ferry::inputs("x", at::randn({6, 4})));
    write(folder, "branches", Function(Branches()), ferry::inputs("x", at::randn({3, 4})),
          ferry::inputs("x", at::randn({6, 4})));
    write(folder, "static", Function([](const Tensor& x) { return x.softmax(-1).to(at::kHalf); }),
          ferry::inputs("x", at::randn({3, 4})), ferry::inputs("x", at::randn({3, 4})), {});
    write(folder, "input_written", Function([](const Tensor& x) {
              x.add_(1);
              return x * 2;
          }),
          ferry::inputs("x", at::randn({3, 4})), ferry::inputs("x", at::randn({5, 4})));
    // Names that Python would take for something else.
    write(folder, "names",
          BinaryFunction([](const Tensor& x, const Tensor& y) { return at::cat({x, y}).repeat({x.size(0), 1}); }),
          ferry::inputs("x", at::randn({3, 4}), "input", at::randn({5, 4})),
          ferry::inputs("x", at::randn({4, 4}), "input", at::randn({2, 4})),
          {.dynamic_shapes = {{"x", {{0, ferry::Dim{"upper", 2, 100}}}}, {"input", {{0, ferry::Dim{"Max", 2, 100}}}}}});
    CHECK(ferry_test::run_python(FERRY_PYTHON, FERRY_LOAD_PROGRAMS, {folder.path.string()}));
}

TEST_CASE("a program comes back from its file as it was") {
    const ferry_test::Folder folder;
    Everything model;
    const auto inputs = everything_inputs(2, 5);
    const auto program = ferry::DynamoExporter{}.export_model(model, inputs, {.dynamic = true});
    program.save(folder / "a.pt2");
    const auto loaded = ferry::load(folder / "a.pt2");
    CHECK(loaded.print() == program.print());
    CHECK(loaded.in_spec == program.in_spec);
    CHECK(loaded.out_spec == program.out_spec);
    REQUIRE(loaded.state.size() == program.state.size());
    for (std::size_t i = 0; i < loaded.state.size(); ++i) {
        CHECK(loaded.state[i].first == program.state[i].first);
        CHECK(at::equal(loaded.state[i].second, program.state[i].second));
        CHECK(loaded.state[i].second.requires_grad() == program.state[i].second.requires_grad());
    }
    const auto other = everything_inputs(3, 4);
    const at::NoGradGuard no_grad;
    const ferry::Tree expected = ferry::call_model<ferry::pytrees<>>(model, other);
    const ferry::Tree given = loaded.module()(other);
    REQUIRE(given.spec == expected.spec);
    for (std::size_t i = 0; i < given.leaves.size(); ++i)
        CHECK(at::allclose(given.leaves[i].tensor(), expected.leaves[i].tensor()));
    loaded.save(folder / "b.pt2");
    CHECK(ferry::load(folder / "b.pt2").print() == program.print());
}
