// Two threads that capture different models at once.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/types.h>

#include <string>
#include <thread>

namespace {

using at::Tensor;

std::string text_of(const ferry::ExportedProgram& program) {
    std::string text;
    for (const ferry::Node& node : program.graph.nodes()) {
        text.append(node.op()).append("(");
        for (const ferry::NamedArgument& argument : node.arguments())
            ferry::for_each_value(argument.value,
                                  [&](ferry::Value value) { text.append(program.graph.info(value).name).append(","); });
        text += ")\n";
    }
    return text;
}

}  // namespace

TEST_CASE("captures on two threads do not see each other") {
    const Tensor weight = at::randn({5, 5});
    auto first = [&](Tensor x) { return at::softmax(x.matmul(weight), -1).view({x.size(0), -1}) + x; };
    auto second = [](Tensor x) {
        Tensor y = x.clone();
        y.select(1, 0).add_(1);
        return y.index({y.sum(1) > 0}).cumsum(0);
    };
    const auto run = [](auto& model, const ferry::Inputs& inputs) {
        return ferry_test::export_any(ferry_test::any_model(model), inputs, ferry_test::dynamic());
    };
    const ferry::Inputs x = ferry::inputs("x", at::ones({4, 5}));
    const std::string expected_first = text_of(run(first, x)), expected_second = text_of(run(second, x));
    CHECK(expected_first != expected_second);
    const Tensor other = at::randn({9, 5});
    int wrong[2] = {0, 0};
    const auto repeat = [&](auto& model, const std::string& expected, int& failures) {
        const at::NoGradGuard no_gradients;
        for (int i = 0; i < 100; ++i) {
            const auto program = run(model, x);
            const bool same =
                text_of(program) == expected &&
                at::allclose(program.module()(ferry::inputs("x", other)).leaves[0].tensor(), model(other), 1e-5, 1e-5);
            failures += same ? 0 : 1;
        }
    };
    std::thread one([&] { repeat(first, expected_first, wrong[0]); });
    std::thread two([&] { repeat(second, expected_second, wrong[1]); });
    one.join();
    two.join();
    CHECK(wrong[0] == 0);
    CHECK(wrong[1] == 0);
}
