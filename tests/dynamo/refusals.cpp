// What cannot be captured says so, and what to do about it.
#include "support.hpp"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <torch/types.h>

using namespace ferry_test;
using at::Tensor;
using doctest::Contains;
using ferry::Dim;
using ferry::inputs;

TEST_CASE("a branch on a tensor's value") {
    const auto by_item = [](Tensor x) { return x.sum().item<float>() > 0 ? x * 2 : x; };
    CHECK(refusal(by_item, inputs("x", at::ones({3}))).c_str() == Contains("ferry::cond"));
    const auto by_bool = [](Tensor x) { return (x > 0).all().item<bool>() ? x * 2 : x; };
    CHECK(refusal(by_bool, inputs("x", at::ones({3}))).c_str() == Contains("ferry::cond"));
    const auto by_equal = [](Tensor x) { return at::equal(x, x * 1) ? x * 2 : x; };
    CHECK(refusal(by_equal, inputs("x", at::ones({3}))).c_str() == Contains("ferry::cond"));
    const auto by_allclose = [](Tensor x) { return at::allclose(x, x * 1) ? x * 2 : x; };
    CHECK(refusal(by_allclose, inputs("x", at::ones({3}))).c_str() == Contains("ferry::cond"));
    const auto nonzero = [](Tensor x) { return x.is_nonzero() ? x * 2 : x; };
    CHECK(refusal(nonzero, inputs("x", at::ones({}))).c_str() == Contains("ferry::cond"));
}

TEST_CASE("a loop over a dynamic size") {
    const auto loop = [](Tensor x) {
        Tensor sum = at::zeros({x.size(1)});
        for (int64_t i = 0; i < x.size(0); ++i) sum = sum * 0.5 + x[i];
        return sum;
    };
    const std::string text =
        refusal(loop, inputs("x", at::ones({4, 3})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 2, 16}}}}}});
    CHECK(text.c_str() == Contains("'n'"));
    CHECK(text.c_str() == Contains("4"));
    // Found out by probing, the dimension is static, with a note.
    const auto program =
        check_capture(loop, inputs("x", at::randn({4, 3})), dynamic(), {inputs("x", at::randn({4, 8}))});
    bool noted = false;
    for (const std::string& note : program.notes) noted = noted || note.find("x dimension 0") != std::string::npos;
    CHECK(noted);
}

TEST_CASE("a range that does not hold") {
    const auto branches = [](Tensor x) { return x.size(0) > 16 ? x * 2 : x + 1; };
    const std::string text =
        refusal(branches, inputs("x", at::ones({4})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 1, 64}}}}}});
    CHECK(text.c_str() == Contains("16"));
    CHECK(text.c_str() == Contains("'n'"));
    CHECK(text.c_str() == Contains("aten::"));
    const auto small = [](Tensor x) { return x.squeeze(0); };
    CHECK(refusal(small, inputs("x", at::ones({4, 3})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 1, 64}}}}}}).c_str() ==
          Contains("'n'"));
    CHECK(refusal(small, inputs("x", at::ones({4, 3})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 2, 64}}}}}}) ==
          "no refusal");
    const auto outside = [](Tensor x) { return x * 2; };
    CHECK(refusal(outside, inputs("x", at::ones({4})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 5, 64}}}}}}).c_str() ==
          Contains("outside"));
}

TEST_CASE("dimensions that must be equal") {
    const auto add = [](Tensor a, Tensor b) { return a + b; };
    const Dim n{"n", 2, 16}, m{"m", 2, 16};
    const auto given = inputs("a", at::ones({4}), "b", at::ones({4}));
    const std::string text = refusal(add, given, {.dynamic_shapes = {{"a", {{0, n}}}, {"b", {{0, m}}}}});
    CHECK(text.c_str() == Contains("'n'"));
    CHECK(refusal(add, given, {.dynamic_shapes = {{"a", {{0, n}}}, {"b", {{0, n}}}}}) == "no refusal");
    CHECK(refusal(add, inputs("a", at::ones({4}), "b", at::ones({5})),
                  {.dynamic_shapes = {{"a", {{0, n}}}, {"b", {{0, n}}}}})
              .c_str() == Contains("'n' is 4 in one input and 5 in another"));
    CHECK(refusal(add, given, {.dynamic_shapes = {{"c", {{0, n}}}}}).c_str() == Contains("the inputs are: a, b"));
}

TEST_CASE("data pointers") {
    CHECK(refusal([](Tensor x) { return x * x.data_ptr<float>()[0]; }, inputs("x", at::ones({4}))).c_str() ==
          Contains("reads the data of a tensor, which has none while a model is captured"));
    CHECK(refusal([](Tensor x) { return x * x.accessor<float, 1>()[0]; }, inputs("x", at::ones({4}))).c_str() ==
          Contains("reads the data of a tensor, which has none while a model is captured"));
    CHECK(refusal(
              [](Tensor x) {
                  Tensor y = x + 1;
                  return x * y.const_data_ptr<float>()[0];
              },
              inputs("x", at::ones({4})))
              .c_str() == Contains("reads the data of a tensor, which has none while a model is captured"));
}

TEST_CASE("inputs that are no tensors or numbers where forward takes those") {
    const auto two = [](Tensor x, Tensor y) { return x + y; };
    const auto scaled = [](Tensor x, double by) { return x * by; };
    const auto repeated = [](Tensor x, int64_t times) { return x.repeat({times}); };
    const auto sum = [](std::vector<Tensor> all) { return at::stack(all).sum(0); };
    const auto by_name = [](std::map<std::string, Tensor> all) { return all.at("a") * 2; };
    const Tensor x = at::ones({4});
    const auto check = [](const std::string& text, const char* path, const char* what) {
        INFO(text);
        CHECK(text.c_str() == Contains("ferry: invalid input"));
        CHECK(text.c_str() == Contains(path));
        CHECK(text.c_str() == Contains(what));
    };
    check(refusal(two, inputs("x", x, "y", "text")), "y", "a string");
    check(refusal(two, inputs("x", x, "y", 2)), "y", "an integer");
    check(refusal(two, inputs("x", x, "y", ferry::tree::list_of(x, x))), "y", "tensor");
    check(refusal(scaled, inputs("x", x, "by", "twice")), "by", "a string");
    check(refusal(scaled, inputs("x", x, "by", x)), "by", "a tensor");
    check(refusal(scaled, inputs("x", x, "by", std::optional<double>())), "by", "None");
    check(refusal(repeated, inputs("x", x, "times", 1.5)), "times", "a floating-point number");
    check(refusal(sum, inputs("all", ferry::tree::list_of(x, "text"))), "all.1", "a string");
    check(refusal(by_name, inputs("all", ferry::tree::dict_of("a", "text"))), "all.a", "a string");
    check(refusal([](Tensor only) { return only; }, inputs("x", x, "y", x)), "signature", "1 parameters");
}

TEST_CASE("text that forward takes is a constant of the program") {
    const auto model = [](Tensor x, std::string mode) { return mode == "double" ? x * 2 : x; };
    const auto given = [](int64_t n, const char* mode) { return inputs("x", at::randn({n}), "mode", mode); };
    const auto program = check_capture(model, given(4, "double"), dynamic(), {given(7, "double")});
    CHECK_THROWS_WITH(static_cast<void>(program.module()(given(4, "single"))), Contains("'double'"));
}

TEST_CASE("tensors that have no sizes and strides") {
    const auto model = [](Tensor x) { return x + x; };
    const std::string text = refusal(model, inputs("x", at::eye(3).to_sparse()));
    INFO(text);
    CHECK(text.c_str() == Contains("x"));
    CHECK(text.c_str() == Contains("sparse"));
}

TEST_CASE("memory that is shared in ways that no graph shows") {
    const auto expanded = [](Tensor x) {
        Tensor y = x.clone().expand({3, 4});
        y.add_(1);
        return y;
    };
    CHECK(refusal(expanded, inputs("x", at::ones({4}))).c_str() == Contains("clone()"));
}
