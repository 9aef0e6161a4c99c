// What cannot be captured says so, and what to do about it.
#include "support.hpp"

#include <ATen/ATen.h>
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
          Contains("data"));
    CHECK(refusal([](Tensor x) { return x * x.accessor<float, 1>()[0]; }, inputs("x", at::ones({4}))).c_str() ==
          Contains("data"));
    CHECK(refusal(
              [](Tensor x) {
                  Tensor y = x + 1;
                  return x * y.const_data_ptr<float>()[0];
              },
              inputs("x", at::ones({4})))
              .c_str() == Contains("data"));
}

TEST_CASE("inputs and results that are no tensors or numbers") {
    CHECK(refusal([](Tensor x, Tensor y) { return x + y; }, inputs("x", at::ones({4}), "y", "text")).c_str() ==
          Contains("y"));
    CHECK(refusal([](Tensor x) { return x; }, inputs("x", at::ones({4}), "y", at::ones({4}))).c_str() ==
          Contains("1 parameters"));
}

TEST_CASE("memory that is shared in ways that no graph shows") {
    const auto expanded = [](Tensor x) {
        Tensor y = x.clone().expand({3, 4});
        y.add_(1);
        return y;
    };
    CHECK(refusal(expanded, inputs("x", at::ones({4}))).c_str() == Contains("clone()"));
}
