// Arithmetic on sizes, and what it is used for.
#include "support.hpp"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <algorithm>

using namespace ferry_test;
using at::Tensor;
using ferry::inputs;

TEST_CASE("size arithmetic") {
    at::manual_seed(1);
    const Sizes sample{4, 6, 16};
    const std::initializer_list<Sizes> others{{5, 9, 32}, {7, 4, 16}, {12, 33, 24}};
    const auto check = [&](const char* name, auto model) { check_sizes(name, model, sample, others); };
    check("view with -1", [](Tensor x) { return x.view({x.size(0), -1, 2, 4}); });
    check("heads", [](Tensor x) {
        return x.view({x.size(0), x.size(1), 4, -1}).transpose(1, 2).reshape({x.size(0) * 4, x.size(1), -1});
    });
    check("half", [](Tensor x) { return x.narrow(1, 0, x.size(1) / 2); });
    check("at least 8", [](Tensor x) { return at::zeros({std::max<int64_t>(x.size(1), 8), 3}); });
    check("at most 8", [](Tensor x) { return x.narrow(1, 0, std::min<int64_t>(x.size(1), 8)); });
    check("rounded up",
          [](Tensor x) { return at::constant_pad_nd(x, {0, 0, 0, (x.size(1) + 7) / 8 * 8 - x.size(1)}); });
    check("remainder", [](Tensor x) { return at::full({x.size(1) % 4 + 1}, 2.0); });
    check("sums and differences",
          [](Tensor x) { return at::ones({x.size(0) + x.size(1), 2 * x.size(1) - x.size(0) + 12}); });
    check("products", [](Tensor x) { return x.reshape({x.size(0) * x.size(1), x.size(2)}).sum(1); });
    check("triangle", [](Tensor x) { return at::arange(x.size(1) * (x.size(1) + 1) / 2); });
    check("numel", [](Tensor x) { return x.reshape({x.numel() / 2 * 2}) / x.numel(); });
    check("size as a number", [](Tensor x) { return x * x.size(1) + x.size(0); });
    check("size as a scale", [](Tensor x) { return x.sum() / x.size(1); });
    check("size returned", [](Tensor x) { return std::make_tuple(x + 1, x.size(1) * 2, x.dim()); });
    check("arange and comparison", [](Tensor x) {
        const auto r = at::arange(x.size(1));
        return (r.unsqueeze(0) <= r.unsqueeze(1)).to(at::kFloat);
    });
    check("linspace", [](Tensor x) { return at::linspace(0, 1, x.size(1)); });
    check("repeat and expand", [](Tensor x) {
        return x.select(0, 0).unsqueeze(0).expand({x.size(0), -1, -1}) +
               x.select(1, 0).unsqueeze(1).repeat({1, x.size(1), 1});
    });
    check("repeat_interleave", [](Tensor x) { return x.repeat_interleave(3, 1); });
    check("broadcast of two sizes", [](Tensor x) { return x.unsqueeze(1) * x.unsqueeze(2); });
    check("cat", [](Tensor x) {
        return at::cat({x, x.narrow(1, 1, x.size(1) - 1), at::zeros({x.size(0), 2, x.size(2)})}, 1);
    });
    check("stack", [](Tensor x) { return at::stack({x, x * 2}, 1); });
    check("a loop of fixed count", [](Tensor x) {
        for (int i = 0; i < 5; ++i) x = at::sin(x) + i;
        return x;
    });
    check("as_strided", [](Tensor x) { return x.as_strided({x.size(1), x.size(2)}, {x.size(2), 1}); });
}

TEST_CASE("divisible sizes") {
    at::manual_seed(2);
    check_sizes("blocks of 4", [](Tensor x) { return x.view({x.size(0), x.size(1) / 4, 4}).sum(2); }, {3, 8},
                {{5, 12}, {2, 20}, {4, 40}});
    check_sizes("squares of 2 by 2",
                [](Tensor x) { return x.view({x.size(0) / 2, 2, x.size(1) / 2, 2}).permute({0, 2, 1, 3}); }, {6, 8},
                {{10, 4}, {4, 14}});
    const auto program = check_sizes("even", [](Tensor x) { return x.view({-1, 2}); }, {6}, {{10}});
    CHECK_THROWS_AS(static_cast<void>(program.module()(inputs("x", at::ones({7})))), ferry::Error);
}

TEST_CASE("equal and derived dimensions are found") {
    at::manual_seed(3);
    const auto two = [](int64_t n, int64_t m) { return inputs("a", at::randn({n, 4}), "b", at::randn({m, 4})); };
    const auto program = check_capture([](Tensor a, Tensor b) { return a + b; }, two(3, 3), dynamic(), {two(7, 7)});
    CHECK_THROWS_AS(static_cast<void>(program.module()(two(4, 5))), ferry::Error);
    check_capture([](Tensor a, Tensor b) { return at::matmul(a, b.t()); }, two(3, 5), dynamic(), {two(7, 2)});
    const auto past = [](int64_t old, int64_t now) {
        return inputs("past", at::randn({2, old}), "x", at::randn({2, now}), "mask", at::ones({2, old + now}));
    };
    check_capture([](Tensor old, Tensor x, Tensor mask) { return at::cat({old, x}, 1) * mask; }, past(4, 3), dynamic(),
                  {past(9, 2), past(2, 11)});
}

TEST_CASE("explicit dimensions") {
    at::manual_seed(4);
    using ferry::Dim;
    const Dim batch{"batch", 1, 32};
    const Dim seq{"seq", 2, 64};
    const auto make = [](int64_t b, int64_t s) {
        return inputs("x", at::randn({b, s}), "y", at::randn({b, 2 * s + 1}));
    };
    const auto model = [](Tensor x, Tensor y) { return at::cat({x, x, at::ones({x.size(0), 1})}, 1) * y; };
    const auto program = check_capture(
        model, make(2, 5), {.dynamic_shapes = {{"x", {{0, batch}, {1, seq}}}, {"y", {{0, batch}, {1, 2 * seq + 1}}}}},
        {make(1, 7), make(32, 64), make(3, 2)});
    CHECK_THROWS_AS(static_cast<void>(program.module()(make(33, 5))), ferry::Error);
    check_capture([](Tensor x) { return x * 2; }, inputs("x", at::randn({3, 4})),
                  {.dynamic_shapes = {{"x", {{-1, Dim::AUTO}}}}}, {inputs("x", at::randn({3, 9}))});
}

TEST_CASE("a fixed size that happens to be a dynamic one's") {
    const auto model = [](Tensor x, Tensor bias, Tensor y, Tensor scale) {
        return x.matmul(at::ones({4, 3})) * scale + y + bias;
    };
    const auto make = [](int64_t n) {
        return inputs("x", at::randn({n, 4}), "bias", at::randn({3}), "y", at::randn({n, 3}), "scale", at::randn({3}));
    };
    const auto program = check_capture(model, make(3), dynamic(), {make(7), make(2)});
    CHECK(program.ranges.size() == 1);
}
