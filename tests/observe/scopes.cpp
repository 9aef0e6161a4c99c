// What an observer keeps: calls within its scopes, of one model, as they were when they were made.
#include <ferry/capture/submodule.hpp>
#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/observe/torchscript.hpp>
#include <ferry/program/module.hpp>

#include <torch/csrc/jit/api/module.h>
#include <torch/nn/modules/linear.h>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace observer_scope_tests {

using ferry::InputObserver;

struct Inner : torch::nn::Module {
    static constexpr auto forward_parameters = ferry::names("x", "mask", "power");
    at::Tensor forward(const at::Tensor& x, const at::Tensor& mask, std::int64_t power) {
        if (x.size(0) == 13) throw std::runtime_error("thirteen");
        return mask.defined() ? x.pow(power) * mask : x.pow(power);
    }
};

struct Outer : torch::nn::Module {
    ferry::submodule<Inner> first = register_module("first", std::make_shared<Inner>());
    ferry::submodule<Inner> second = register_module("second", std::make_shared<Inner>());
    at::Tensor forward(const at::Tensor& x) { return second(first(x, at::ones_like(x), 2), at::Tensor(), 3); }
};

template <class Call>
std::string message_of(const Call& call) {
    try {
        static_cast<void>(call());
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace observer_scope_tests

TEST_CASE("submodules are observed wherever they are called, and not outside of the scope") {
    using namespace observer_scope_tests;
    Outer outer;
    InputObserver of_first, of_second;
    {
        const auto first = of_first(outer.first);
        const auto second = of_second(outer.second, {.store_n_calls = 2});
        for (const std::int64_t size : {2, 3, 4, 5}) outer.forward(at::ones({size, 2}));
    }
    outer.forward(at::ones({9, 2}));
    CHECK(of_first.num_calls() == 3);
    CHECK(of_second.num_calls() == 2);
    {
        const auto again = of_second(outer.second);  // three more
        for (const std::int64_t size : {6, 7, 8, 9}) outer.forward(at::ones({size, 2}));
    }
    CHECK(of_second.num_calls() == 5);
    CHECK(of_second.calls()[2].inputs.get<at::Tensor>("x").size(0) == 6);
    CHECK(of_second.calls()[2].outputs.leaves[0].tensor().size(0) == 6);
    CHECK_FALSE(of_second.calls()[0].inputs.contains("mask"));
    CHECK(of_first.infer_arguments().get<std::int64_t>("power") == 2);
    CHECK(of_first.infer_dynamic_shapes().at("mask").contains(0));
}

TEST_CASE("calls are kept as they were, and those that fail are not") {
    using namespace observer_scope_tests;
    Outer outer;
    InputObserver observer;
    const auto observed = observer(outer.first, {.store_n_calls = 2});
    at::Tensor x = at::ones({2});
    static_cast<void>(outer.first(x, at::Tensor(), 1));
    x.fill_(7);
    CHECK_THROWS_AS(static_cast<void>(outer.first(at::ones({13}), at::Tensor(), 1)), std::runtime_error);
    REQUIRE(observer.num_calls() == 1);
    CHECK(observer.calls()[0].inputs.get<at::Tensor>("x")[0].item<float>() == 1);
    CHECK(observer.calls()[0].outputs.leaves[0].tensor()[0].item<float>() == 1);
    CHECK(observer.calls()[0].seconds >= 0);
}

TEST_CASE("scopes may end in any order") {
    using namespace observer_scope_tests;
    Outer outer;
    InputObserver one, two;
    auto first =
        std::make_unique<ferry::ObservedModel<ferry::submodule<Inner>>>(one, outer.first, ferry::ObserveOptions{});
    const auto second =
        std::make_unique<ferry::ObservedModel<ferry::submodule<Inner>>>(two, outer.first, ferry::ObserveOptions{});
    outer.forward(at::ones({2}));
    first.reset();
    outer.forward(at::ones({3}));
    CHECK(one.num_calls() == 1);
    CHECK(two.num_calls() == 2);
}

TEST_CASE("an export inside of a scope is not observed") {
    using namespace observer_scope_tests;
    Outer outer;
    InputObserver observer;
    const auto observed = observer(outer.first);
    const auto program = ferry::DynamoExporter{}.export_model(outer, ferry::inputs("x", at::ones({2})));
    CHECK(observer.num_calls() == 0);
}

TEST_CASE("callables, modules and programs are called through the scope") {
    using namespace observer_scope_tests;
    const auto scale = [](const at::Tensor& x, double by) { return x * by; };
    InputObserver of_callable;
    {
        auto observed = of_callable(scale);
        CHECK(observed(at::ones({2, 3}), 2.0).sum().item<float>() == 12);
        static_cast<void>(observed(at::ones({4, 3}), 2.0));
    }
    const auto program = ferry::DynamoExporter{}.export_model(scale, of_callable);  // parameters go by position
    ferry::ProgramModule module = program.module();
    InputObserver of_program;
    auto observed = of_program(module);
    CHECK(observed(at::ones({5, 3}), 2.0).leaves[0].tensor().sizes() == at::IntArrayRef{5, 3});
    CHECK(of_program.calls()[0].inputs.get<at::Tensor>("0").size(0) == 5);

    torch::nn::Linear linear(3, 4);
    InputObserver of_module;
    auto called = of_module(linear);
    static_cast<void>(called(at::ones({1, 3})));
    static_cast<void>(called(ferry::inputs("0", at::ones({2, 3}))));
    CHECK(of_module.num_calls() == 2);
    CHECK(of_module.infer_dynamic_shapes().at("0").size() == 1);
    CHECK(of_callable.num_calls() == 2);
}

TEST_CASE("the defaults of a TorchScript module are no constants") {
    using namespace observer_scope_tests;
    torch::jit::Module script("Scaled");
    script.define("def forward(self, x, scale: float = 1.5, n: int = 2):\n    return x * scale * n\n");
    InputObserver observer;
    auto observed = observer(script);
    static_cast<void>(observed(ferry::inputs("x", at::ones({2}), "scale", 1.5, "n", 3)));
    static_cast<void>(observed(ferry::inputs("n", 3, "x", at::ones({4}))));
    const ferry::Inputs arguments = observer.infer_arguments();
    CHECK(arguments.get<std::int64_t>("n") == 3);
    CHECK_FALSE(arguments.contains("scale"));
    const auto program = ferry::DynamoExporter{}.export_model(script, observer);
    CHECK(program.module()(ferry::inputs("x", at::ones({7}), "n", 3)).leaves[0].tensor().size(0) == 7);
}

TEST_CASE("inputs can be removed, and given beside those observed") {
    using namespace observer_scope_tests;
    Outer outer;
    InputObserver observer;
    const auto observed = observer(outer.first);
    for (const std::int64_t size : {2, 3}) static_cast<void>(outer.first(at::ones({2, size}), at::ones({size}), 1));
    const ferry::Inputs given = observer.infer_arguments(ferry::inputs("x", at::ones({2, 8}), "power", 1));
    CHECK(given.get<at::Tensor>("mask").sizes() == at::IntArrayRef{0});
    CHECK(message_of([&] { return observer.infer_arguments(7); }).find("there is no call 7: 2 are stored") !=
          std::string::npos);
    CHECK(message_of([&] {
              return observer.infer_arguments(ferry::inputs("x", at::ones({2, 8}), "power", 2));
          }).find("different constant values") != std::string::npos);
    observer.remove_inputs({"mask"});
    CHECK_FALSE(observer.infer_arguments().contains("mask"));
    CHECK(message_of([&] {
              observer.remove_inputs({"mask"});
              return 0;
          }).find("no call had such an input") != std::string::npos);
    CHECK(message_of([&] {
              InputObserver wrong(ferry::inputs("y", at::ones({1})));
              const auto scope = wrong(outer.first);
              return 0;
          }).find("its parameters are: x, mask, power") != std::string::npos);
}
