// A model has the same state after an export as before, whatever its forward does; and exports inside of an export.
#include <ferry/dynamo/exporter.hpp>

#include <torch/nn/module.h>

#ifndef DOCTEST_LIBRARY_INCLUDED
#include <doctest/doctest.h>
#endif

#include <stdexcept>
#include <string>

namespace {

using at::Tensor;

struct Child : torch::nn::Module {
    Child() : cache(register_buffer("cache", at::zeros({3}))) {}
    Tensor& cache;
};

/// Registers, exchanges and writes in its forward.
struct Restless : torch::nn::Module {
    Restless() {
        child = register_module("child", std::make_shared<Child>());
        count = register_buffer("count", at::zeros({1}));
        weight = register_parameter("weight", at::ones({3}));
    }
    Tensor forward(const Tensor& x) {
        if (!named_buffers(false).contains("mask")) register_buffer("mask", at::ones_like(x));
        if (!named_children().contains("late")) register_module("late", std::make_shared<Child>());
        child->cache = child->cache + x.sum(0);
        count.add_(1);
        if (fails) throw std::runtime_error("out of luck");
        return x * weight + child->cache + count;
    }
    std::shared_ptr<Child> child;
    Tensor count, weight;
    bool fails = false;
};

/// Keeps a tensor where nobody can see it.
struct Hoarder : torch::nn::Module {
    Tensor forward(const Tensor& x) {
        if (!mask.defined()) mask = x > 0;
        return x * mask;
    }
    Tensor mask;
};

void check_as_before(Restless& model, const Tensor& cache) {
    CHECK(model.named_buffers(false).size() == 1);
    CHECK(model.named_children().size() == 1);
    CHECK(model.child->cache.is_same(cache));
    CHECK(!model.child->named_buffers()["cache"].is_meta());
    CHECK(model.child->cache.equal(at::zeros({3})));
    CHECK(model.count.equal(at::zeros({1})));
}

}  // namespace

TEST_CASE("what forward registers or exchanges is put back, and exchanged buffers are mutations") {
    Restless model;
    const Tensor cache = model.child->cache;
    const auto program =
        ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({2, 3})), {.dynamic = true});
    check_as_before(model, cache);
    std::size_t mutations = 0;
    for (const auto& output : program.signature.outputs)
        mutations += output.kind == ferry::OutputKind::buffer_mutation ? 1 : 0;
    CHECK(mutations == 2);

    auto module = program.module();
    for (int call = 0; call < 3; ++call) {
        const Tensor x = at::randn({5 + call, 3});
        CHECK(at::allclose(module(ferry::inputs("x", x)).leaves[0].tensor(), model.forward(x)));
    }
    CHECK(at::allclose(module.tensor("child.cache"), model.child->cache));
}

TEST_CASE("also when the model throws") {
    Restless model;
    const Tensor cache = model.child->cache;
    model.fails = true;
    CHECK_THROWS_WITH(
        static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({2, 3})))),
        "out of luck");
    check_as_before(model, cache);
}

TEST_CASE("a tensor left in a plain member is refused, not exported") {
    for (const bool dynamic : {true, false}) {
        CAPTURE(dynamic);
        Hoarder model;
        CHECK_THROWS_WITH(static_cast<void>(ferry::DynamoExporter{}.export_model(
                              model, ferry::inputs("x", at::ones({2, 3})), {.dynamic = dynamic})),
                          doctest::Contains("left behind"));
    }
}

TEST_CASE("an export inside of a forward is an export of its own") {
    std::size_t inner_nodes = 0;
    const auto model = [&](Tensor x) {
        const auto inner = ferry::DynamoExporter{}.export_model(
            [](Tensor y) { return y.relu() * 2; }, ferry::inputs("y", at::ones({4, 3})), {.dynamic = true});
        inner_nodes = inner.graph.num_nodes();
        return inner.module()(ferry::inputs("y", x)).leaves[0].tensor() + 1;
    };
    const auto program =
        ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({2, 3})), {.dynamic = true});
    CHECK(inner_nodes >= 2);
    const Tensor x = at::randn({7, 5});
    CHECK(at::allclose(program.module()(ferry::inputs("x", x)).leaves[0].tensor(), x.relu() * 2 + 1));
}
