// A model has the same state after an export as before, whatever its forward does; and exports inside of an export.
#include <ferry/core/extend.hpp>
#include <ferry/core/log.hpp>
#include <ferry/dynamo/exporter.hpp>

#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/module.h>

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace state_models {  // named: g++ wants pointers to members of types with a name

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

/// Keeps a table as long as the longest input so far, as rotary embeddings do, and how long that is.
struct Rotary : torch::nn::Module {
    Tensor forward(const Tensor& x) {
        if (x.size(0) > longest) {
            longest = x.size(0);
            table = at::arange(longest, at::kFloat).unsqueeze(1).sin();
        }
        return x * table.narrow(0, 0, x.size(0));
    }
    std::int64_t longest = 0;
    Tensor table;
};

/// Does something else from the second call on, without a tensor that would tell.
struct Starter : torch::nn::Module {
    Tensor forward(const Tensor& x) { return calls++ == 0 ? x * 2 : x + 1; }
    int calls = 0;
};

/// Keeps a tensor and never uses it.
struct Looker : torch::nn::Module {
    Tensor forward(const Tensor& x) {
        last = x * 2;
        return last + 1;
    }
    Tensor last = at::ones({1});
};

std::vector<std::string> messages;
struct Listening {
    ferry::LogSink before =
        ferry::set_log_sink([](ferry::LogLevel, std::string_view text) { messages.emplace_back(text); });
    Listening() { messages.clear(); }
    ~Listening() { ferry::set_log_sink(before); }
    [[nodiscard]] static std::size_t count(std::string_view part) {
        std::size_t found = 0;
        for (const std::string& each : messages) found += each.find(part) != std::string::npos ? 1 : 0;
        return found;
    }
};

template <class Model, auto... Members>
using Exporter = ferry::DynamoExporter<ferry::extend<ferry::dynamo_pipeline, ferry::stateful_members<Members...>>>;

void check_as_before(Restless& model, const Tensor& cache) {
    CHECK(model.named_buffers(false).size() == 1);
    CHECK(model.named_children().size() == 1);
    CHECK(model.child->cache.is_same(cache));
    CHECK(!model.child->named_buffers()["cache"].is_meta());
    CHECK(model.child->cache.equal(at::zeros({3})));
    CHECK(model.count.equal(at::zeros({1})));
}

}  // namespace state_models

using namespace state_models;

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
        doctest::Contains("out of luck"));
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

TEST_CASE("named members are put back after each run, and so after the export") {
    Rotary model;
    const auto program = Exporter<Rotary, &Rotary::longest, &Rotary::table>{}.export_model(
        model, ferry::inputs("x", at::ones({6, 3})), {.dynamic = true});
    CHECK(model.longest == 0);
    CHECK(!model.table.defined());
    for (const std::int64_t length : {2, 6, 40}) {
        const Tensor x = at::randn({length, 3});
        CHECK(at::allclose(program.module()(ferry::inputs("x", x)).leaves[0].tensor(), model.forward(x)));
    }
    model.table = at::ones({50, 1});
    model.longest = 50;
    static_cast<void>(Exporter<Rotary, &Rotary::longest, &Rotary::table>{}.export_model(
        model, ferry::inputs("x", at::ones({6, 3})), {.dynamic = true}));
    CHECK(model.longest == 50);
    CHECK(model.table.equal(at::ones({50, 1})));
}

TEST_CASE("a model that remembers is refused, and the way out named") {
    Rotary rotary;
    CHECK_THROWS_WITH(static_cast<void>(ferry::DynamoExporter{}.export_model(
                          rotary, ferry::inputs("x", at::ones({6, 3})), {.dynamic = true})),
                      doctest::Contains("stateful_members"));
    for (const bool dynamic : {true, false}) {
        Starter starter;
        CHECK_THROWS_WITH(static_cast<void>(ferry::DynamoExporter{}.export_model(
                              starter, ferry::inputs("x", at::ones({6, 3})), {.dynamic = dynamic})),
                          doctest::Contains("stateful_members"));
    }
    Starter starter;
    const auto program =
        Exporter<Starter, &Starter::calls>{}.export_model(starter, ferry::inputs("x", at::ones({6, 3})));
    CHECK(starter.calls == 0);
    CHECK(program.module()(ferry::inputs("x", at::ones({6, 3}))).leaves[0].tensor().equal(at::full({6, 3}, 2.0)));
}

TEST_CASE("a tensor left in a member is said in the log") {
    Looker model;
    {
        const Listening listening;
        static_cast<void>(
            ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({6, 3})), {.dynamic = true}));
        CHECK(Listening::count("stateful_members") == 1);
    }
    const Listening listening;
    Looker other;
    static_cast<void>(Exporter<Looker, &Looker::last>{}.export_model(other, ferry::inputs("x", at::ones({6, 3}))));
    CHECK(Listening::count("stateful_members") == 0);
    CHECK(other.last.equal(at::ones({1})));
}

TEST_CASE("notes are said once per export") {
    const Listening listening;
    const auto program = ferry::DynamoExporter{}.export_model([](Tensor x) { return at::matmul(x, at::ones({3, 2})); },
                                                              ferry::inputs("x", at::ones({6, 3})), {.dynamic = true});
    CHECK(program.notes.size() == 1);
    CHECK(Listening::count("x dimension 1 is static") == 1);
}

TEST_CASE("whatever forward throws is an Error that says where") {
    const auto refusal = [](auto model) -> std::string {
        try {
            static_cast<void>(ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({6, 3}))));
        } catch (const ferry::Error& error) {
            return error.what();
        } catch (const std::exception& error) {
            return std::string("no ferry::Error: ") + error.what();
        }
        return "no refusal";
    };
    const auto check = [&](const char* name, const std::string& text, const char* part) {
        INFO(name, ": ", text);
        CHECK(text.find("ferry: ") == 0);
        CHECK(text.find(part) != std::string::npos);
        CHECK(text.find("frame #") == std::string::npos);
        CHECK(text.find("Exception raised from") == std::string::npos);
    };
    check("printed", refusal([](Tensor x) {
              std::ostringstream text;
              text << x;
              return x;
          }),
          "hint");
    check("data_ptr", refusal([](Tensor x) { return x * x.data_ptr<float>()[0]; }), "has none while");
    check("TORCH_CHECK", refusal([](Tensor x) {
              x = x * 2;
              TORCH_CHECK(x.size(0) == 5, "five rows, please");
              return x;
          }),
          "after aten::mul.Scalar: five rows, please");
    check("an op's complaint", refusal([](Tensor x) { return x.matmul(x); }), "op aten::matmul");
    check("gradients", refusal([](Tensor x) {
              Tensor y = x.detach().requires_grad_(true);
              return torch::autograd::grad({y.pow(2).sum()}, {y})[0];
          }),
          "without autograd");
    check("thrown", refusal([](Tensor x) -> Tensor {
              if (x.dim() == 2) throw std::runtime_error("not that");
              return x;
          }),
          "not that");
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
