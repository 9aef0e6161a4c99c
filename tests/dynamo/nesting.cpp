// How inputs and outputs are nested, and tensors that are several of them.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

#include <boost/hana.hpp>

#include <map>
#include <optional>

using namespace ferry_test;
using ferry::inputs;
using torch::Tensor;

namespace {

struct Heads {
    BOOST_HANA_DEFINE_STRUCT(Heads, (Tensor, logits), (std::optional<Tensor>, hidden), (std::vector<Tensor>, all));
};

}  // namespace

TEST_CASE("several outputs") {
    check_sizes("a struct", [](Tensor x) { return Heads{x * 2, x + 1, {x, x - 1}}; }, {3, 4}, {{5, 7}});
    check_sizes("a struct with nothing in it", [](Tensor x) { return Heads{x * 2, std::nullopt, {}}; }, {3, 4},
                {{5, 7}});
    check_sizes("a tuple", [](Tensor x) { return std::make_tuple(x * 2, std::make_pair(x, x.sum())); }, {3, 4},
                {{5, 7}});
    check_sizes("a map", [](Tensor x) { return std::map<std::string, Tensor>{{"a", x * 2}, {"b", x.t()}}; }, {3, 4},
                {{5, 7}});
    check_sizes("constants", [](Tensor x) { return std::make_tuple(x + 1, 3, 2.5, true, std::string("text")); }, {3, 4},
                {{5, 7}});
    check_sizes("an undefined tensor", [](Tensor x) { return std::make_tuple(x + 1, Tensor()); }, {3, 4}, {{5, 7}});
}

TEST_CASE("tensors that are several things") {
    check_sizes("an output that is an input", [](Tensor x) { return std::make_tuple(x, x * 2); }, {3, 4}, {{5, 7}});
    check_sizes("views of an input", [](Tensor x) { return std::make_tuple(x.t(), x[0], x.view({-1})); }, {3, 4},
                {{5, 7}});
    check_sizes("one tensor twice",
                [](Tensor x) {
                    const Tensor y = x * 2;
                    return std::make_tuple(y, y, y.t());
                },
                {3, 4}, {{5, 7}});
    check_sizes("an input, written to and returned",
                [](Tensor x) {
                    x.add_(1);
                    return std::make_tuple(x, x.t());
                },
                {3, 4}, {{5, 7}});
    struct Weights : torch::nn::Module {
        Tensor weight = register_parameter("weight", torch::randn({3}));
        Tensor buffer = register_buffer("buffer", torch::randn({3}));
        std::tuple<Tensor, Tensor, Tensor> forward(Tensor x) { return {weight, buffer, x}; }
    } weights;
    check_sizes("a parameter", weights, {3, 4}, {{5, 7}});
    const Tensor x = torch::randn({3, 3});
    check_capture([](Tensor a, Tensor b) { return a + b; }, inputs("a", x, "b", x), dynamic(),
                  {inputs("a", torch::randn({5, 6}), "b", torch::randn({5, 6}))});
}

TEST_CASE("inputs of all kinds") {
    const auto model = [](Tensor x, std::optional<Tensor> mask, std::vector<Tensor> past,
                          std::map<std::string, Tensor> extra, int64_t steps, double scale, bool flag) {
        if (mask) x = x * *mask;
        for (const Tensor& each : past) x = x + each;
        for (const auto& [name, each] : extra) x = x - each;
        return flag ? x * scale + steps : x;
    };
    const auto make = [](int64_t n, bool masked) {
        const auto any = [&] { return torch::randn({n, 4}); };
        return inputs("x", any(), "mask", masked ? std::optional(any()) : std::nullopt, "past",
                      std::vector{any(), any()}, "extra", std::map<std::string, Tensor>{{"k", any()}}, "steps", 3,
                      "scale", 0.5, "flag", true);
    };
    check_capture(model, make(3, true), dynamic(), {make(6, true)});
    check_capture(model, make(3, false), dynamic(), {make(6, false)});
    const auto program = export_any(any_model(model), make(3, true), dynamic());
    auto other = make(6, true);
    other.set("steps", 4);
    CHECK_THROWS_AS(static_cast<void>(program.module()(other)), ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(program.module()(make(6, false))), ferry::Error);
}

TEST_CASE("inputs left out") {
    const auto model = [](Tensor x, std::optional<Tensor> mask, Tensor bias) {
        if (mask) x = x * *mask;
        return bias.defined() ? x + bias : x;
    };
    const auto make = [](int64_t n) { return inputs("x", torch::randn({n, 4})); };
    check_capture(model, make(3), dynamic(), {make(6)});
    check_capture([](Tensor x) { return x + 1; }, inputs("x", torch::randn({4, 3}).t()), dynamic(),
                  {inputs("x", torch::randn({5, 6}).t())});
}
