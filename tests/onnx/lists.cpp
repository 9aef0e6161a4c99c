// Every kind of list that the ONNX pipeline takes, each with an entry that shows in what ONNX Runtime gives.
#include <ferry/capture/submodule.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <ATen/ops/empty_like.h>
#include <torch/library.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>

namespace list_models {  // named: g++ wants pointers to members of types with a name

using at::Tensor;

TORCH_LIBRARY(ferry_lists, library) { library.def("twice(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(ferry_lists, CPU, library) {
    library.impl("twice", +[](const Tensor& x) { return x * 2; });
}
Tensor twice(const Tensor& x) {
    static const auto op =
        c10::Dispatcher::singleton().findSchemaOrThrow("ferry_lists::twice", "").typed<Tensor(const Tensor&)>();
    return op.call(x);
}

struct Pair {
    Tensor first, second;
};
struct Halve : torch::nn::Module {
    Tensor forward(const Tensor& x) { return x / 2; }
};
struct Model : torch::nn::Module {
    Model() { halve = register_module("halve", std::make_shared<Halve>()); }
    Pair forward(const Tensor& x, const Tensor& shift) {
        last = x + 1;
        const Tensor whole = at::gcd(x.round().to(at::kLong), at::ones_like(x, at::kLong)).to(at::kFloat);
        return {at::sinh(halve(x)) + twice(shift) + whole, at::floor(x) + at::neg(x.round())};
    }
    ferry::submodule<Halve> halve;
    Tensor last;
};

struct ones_as_shift {
    static constexpr std::string_view input = "x";
    static void prepare(ferry::Inputs& inputs) { inputs.set("shift", at::ones({1})); }
};
struct third_for_half {
    using module = Halve;
    static Tensor forward(Halve&, const Tensor& x) { return x / 3; }
};
struct cosh_for_sinh {
    static constexpr auto target = ferry::op("aten::sinh");
    static Tensor call(const Tensor& self) { return at::cosh(self); }
};
struct shape_of_twice {
    static constexpr auto target = ferry::op("ferry_lists::twice");
    static Tensor fake(const Tensor& x) { return at::empty_like(x); }
};
struct pair_node {
    using type = Pair;
    static constexpr std::string_view name = "ferry_lists.Pair";
    using leaves = ferry::members<&Pair::first, &Pair::second>;
};
struct least_for_gcd {
    static constexpr auto target = ferry::op("aten::gcd");
    static Tensor decompose(const Tensor& self, const Tensor& other) { return at::minimum(self, other); }
};
struct ceil_for_floor {
    static constexpr auto target = ferry::op("aten::floor");
    static bool fix(ferry::Graph& graph, ferry::Node& node) {
        const ferry::Value old = node.outputs()[0].values[0];
        const ferry::Value made = graph.new_value("ceil", {.name = {}, .tensor = graph.info(old).tensor});
        graph.insert_before(&node, "aten::ceil", {{.name = "self", .value = *node.find("self")}}, {{.values = {made}}});
        graph.replace_uses(old, made);
        graph.erase(node);
        return true;
    }
};
struct translated_twice {
    static constexpr auto target = ferry::op("ferry_lists::twice");
    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) {
        return t.add("Mul", {t.tensor("x"), t.number(2, t.result_dtype())});
    }
};
struct abs_for_neg {
    static bool fix(ferry::onnx::Model& model) {
        bool changed = false;
        for (ferry::onnx::Body& body : model.bodies)
            for (ferry::onnx::Node& node : body.nodes)
                if (node.op == "Neg") node.op = "Abs", changed = true;
        return changed;
    }
};

using every_kind =
    ferry::extend<ferry::onnx_pipeline, ferry::input_preparers<ones_as_shift>, ferry::model_patches<third_for_half>,
                  ferry::patches<cosh_for_sinh>, ferry::fakes<shape_of_twice>, ferry::pytrees<pair_node>,
                  ferry::stateful_members<&Model::last>, ferry::decompositions<least_for_gcd>,
                  ferry::node_fixes<ceil_for_floor>, ferry::translations<translated_twice>,
                  ferry::ir_fixes<abs_for_neg>>;

}  // namespace list_models

using namespace list_models;

TEST_CASE("every kind of list takes part in an export to ONNX") {
    const torch::NoGradGuard no_gradients;
    Model model;
    const auto program =
        ferry::OnnxExporter<every_kind>{}.export_model(model, ferry::inputs("x", at::randn({2, 3})), {.dynamic = true});
    CHECK(!model.last.defined());
    const Tensor x = at::randn({4, 5}) * 3, shift = at::ones({1});
    const ferry::Tree found = program(ferry::inputs("x", x, "shift", shift));
    REQUIRE(found.leaves.size() == 2);
    const Tensor first = at::cosh(x / 3) + 2 * shift + at::minimum(x.round(), at::ones_like(x));
    CHECK(at::allclose(found.leaves[0].tensor(), first, 1e-4, 1e-4));
    CHECK(at::allclose(found.leaves[1].tensor(), at::ceil(x) + at::abs(x.round())));
}
