// Sizes of 0 and 1, in the sample and when a program runs; sizes that are equal by chance; multiples; ranges that end.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/nn/functional/conv.h>
#include <torch/nn/functional/upsampling.h>
#include <torch/types.h>

using namespace ferry_test;
using at::Tensor;
using doctest::Contains;
using ferry::Dim;
using ferry::inputs;

namespace {

std::string notes_of(const ferry::ExportedProgram& program) {
    std::string text;
    for (const std::string& note : program.notes) text += note + "\n";
    return text;
}

/// Halves the image so often, doubles it again, and puts what it had beside it.
Tensor u_net(const Tensor& x, int levels) {
    if (levels == 0) return x.tanh();
    const Tensor up = u_net(at::max_pool2d(x, {2, 2}), levels - 1).repeat_interleave(2, 2).repeat_interleave(2, 3);
    return at::cat({x, up}, 1);
}

}  // namespace

TEST_CASE("one is a size, and zero where it is asked for") {
    auto program = check_sizes("pointwise", [](Tensor x) { return at::relu(x) * 2 + x.size(0); }, {4, 6},
                               {{1, 6}, {7, 1}, {1, 1}});
    for (const auto& [name, range] : program.ranges) CHECK(range == ferry::ValueRange::at_least(1));
    program = check_sizes("all but the last two", [](Tensor x) { return x.flatten().slice(0, -2); }, {4, 6},
                          {{1, 1}, {1, 2}, {2, 1}, {5, 1}});
    for (const auto& [name, range] : program.ranges) CHECK(range == ferry::ValueRange::at_least(1));
    check_capture([](Tensor x) { return at::relu(x) * 2; }, inputs("x", at::randn({4, 6})),
                  {.dynamic_shapes = {{"x", {{0, Dim{"n", 0, 8}}}}}}, {inputs("x", at::randn({0, 6}))});
    check_sizes("linear", [w = at::randn({5, 6})](Tensor x) { return at::linear(x, w).softmax(-1); }, {4, 6},
                {{1, 6}, {9, 6}});
    program = check_sizes("squeeze", [](Tensor x) { return x.squeeze(0) * 2; }, {4, 6}, {{2, 6}, {7, 1}});
    CHECK_THROWS_WITH(static_cast<void>(program.module()(inputs("x", at::ones({1, 6})))), Contains("range"));
    CHECK(notes_of(program).c_str() == Contains("aten::squeeze"));
}

TEST_CASE("a sample of one is a batch like any other") {
    check_sizes("image",
                [w = at::randn({5, 3, 3, 3})](Tensor x) { return at::conv2d(x, w, {}, 1, 1).relu().mean({2, 3}); },
                {1, 3, 8, 8}, {{3, 3, 8, 8}, {1, 3, 12, 10}, {2, 3, 7, 9}});
    const auto make = [](std::int64_t batch, std::int64_t length) {
        return inputs("ids", at::randint(0, 10, {batch, length}), "mask", at::ones({batch, length}));
    };
    check_capture(
        [table = at::randn({10, 4})](Tensor ids, Tensor mask) {
            return table.index_select(0, ids.flatten()).view({ids.size(0), ids.size(1), 4}) * mask.unsqueeze(-1);
        },
        make(1, 5), dynamic(), {make(3, 5), make(2, 9), make(1, 1)});
    const auto cached = [](std::int64_t batch, std::int64_t past, std::int64_t now) {
        return inputs("x", at::randn({batch, now, 4}), "past", at::randn({batch, past, 4}), "mask",
                      at::ones({batch, past + now}));
    };
    check_capture([](Tensor x, Tensor past, Tensor mask) { return at::cat({past, x}, 1) * mask.unsqueeze(-1); },
                  cached(1, 7, 1), dynamic(), {cached(3, 7, 1), cached(2, 4, 3), cached(1, 2, 1)});
    check_capture([](Tensor x, Tensor past, Tensor mask) { return at::cat({past, x}, 1) * mask.unsqueeze(-1); },
                  cached(2, 0, 3), dynamic(), {cached(3, 7, 1), cached(2, 4, 3), cached(1, 0, 2)});
    const auto program = check_sizes(
        "another thing with one", [](Tensor x) { return x.size(0) == 1 ? x * 2 : x.sum(0, true); }, {1, 4}, {{1, 7}});
    CHECK_THROWS(static_cast<void>(program.module()(inputs("x", at::ones({2, 4})))));
    check_sizes("another number with one", [](Tensor x) { return x.slice(1, 0, x.size(0) == 1 ? 2 : 3) * 2; }, {1, 6},
                {{1, 7}, {1, 2}});
    const auto named = check_capture([](Tensor x) { return x * 2; }, inputs("x", at::randn({1, 4})),
                                     {.dynamic_shapes = {{"x", {{0, Dim{"n", 1, 16}}}}}},
                                     {inputs("x", at::randn({1, 4})), inputs("x", at::randn({16, 4}))});
    CHECK(*named.ranges.find("n") == ferry::ValueRange{1, 16});
}

TEST_CASE("sizes that are equal in the sample alone") {
    const auto model = [](Tensor a, Tensor b, Tensor w, Tensor c) { return at::cat({a, b}, 1).matmul(w) + c; };
    const auto make = [](std::int64_t batch, std::int64_t left, std::int64_t right, std::int64_t out) {
        return inputs("a", at::randn({batch, left}), "b", at::randn({batch, right}), "w",
                      at::randn({left + right, out}), "c", at::randn({out}));
    };
    check_capture(model, make(2, 4, 3, 2), dynamic(), {make(5, 4, 3, 2), make(2, 4, 3, 6), make(3, 4, 3, 8)});
    const auto two = [](Tensor a, Tensor b, Tensor c, Tensor d) { return (a + b).sum() + (c * d).sum(); };
    const auto pairs = [](std::int64_t n, std::int64_t m) {
        return inputs("a", at::randn({n, 2}), "b", at::randn({n, 2}), "c", at::randn({m, 2}), "d", at::randn({m, 2}));
    };
    const auto program = check_capture(two, pairs(3, 3), dynamic(), {pairs(3, 8), pairs(7, 2)});
    const auto three = [](Tensor a, Tensor b, Tensor c) { return at::cat({a, b, c}, 1); };
    const auto rows = [](std::int64_t n) {
        return inputs("a", at::randn({n, 3}), "b", at::randn({n, 4}), "c", at::randn({n, 3}));
    };
    check_capture(three, rows(3), dynamic(), {rows(8)});
    // The first and the last of the pairs are as long as each other, the one between them as the mask.
    const auto windows = [](Tensor x, std::vector<Tensor> keys, std::vector<Tensor> values, Tensor mask) {
        const auto seen = [&](std::size_t i, const Tensor& from) {
            return at::addcmul(from, at::cat({keys[i], x}, 1), at::cat({values[i], x}, 1)).sum(1, true);
        };
        const Tensor window = at::ones({keys[0].size(1) + x.size(1), 1});
        const Tensor first = seen(0, window), second = seen(1, mask.unsqueeze(-1));
        return first + second + seen(2, window);
    };
    const auto caches = [](std::int64_t batch, std::int64_t some, std::int64_t past, std::int64_t now) {
        std::vector<Tensor> keys, values;
        for (const std::int64_t length : {some, past, some}) {
            keys.push_back(at::randn({batch, length, 4}));
            values.push_back(at::randn({batch, length, 4}));
        }
        return inputs("x", at::randn({batch, now, 4}), "keys", keys, "values", values, "mask",
                      at::ones({batch, past + now}));
    };
    check_capture(windows, caches(3, 5, 5, 1), dynamic(), {caches(3, 5, 5, 1), caches(2, 5, 8, 1), caches(1, 9, 2, 3)});
}

TEST_CASE("networks that halve and double: multiples are found") {
    for (const int levels : {1, 2, 3, 4}) {
        const std::int64_t unit = std::int64_t{1} << levels;
        for (const std::int64_t sample : {unit, 2 * unit, 3 * unit}) {
            CAPTURE(levels);
            CAPTURE(sample);
            const auto program =
                check_sizes("u-net", [=](Tensor x) { return u_net(x, levels); }, {2, 1, sample, sample},
                            {{1, 1, unit, 2 * unit}, {3, 1, 5 * unit, 3 * unit}, {2, 1, 7 * unit, unit}});
            CHECK_THROWS_AS(static_cast<void>(program.module()(inputs("x", at::randn({2, 1, sample + 1, sample})))),
                            ferry::Error);
        }
    }
}

TEST_CASE("a hint is one that works") {
    const auto net = [](Tensor x) { return u_net(x, 2); };
    const auto given = inputs("x", at::randn({1, 1, 8, 8}));
    const std::string text = refusal(net, given, {.dynamic_shapes = {{"x", {{2, Dim{"h", 4, 64}}}}}});
    INFO(text);
    CHECK(text.c_str() == Contains("4 * Dim{\"h\", 1, 16}"));
    check_capture(net, given, {.dynamic_shapes = {{"x", {{2, 4 * Dim{"h", 1, 16}}}}}},
                  {inputs("x", at::randn({1, 1, 64, 8}))});
    const auto gap = [](Tensor x) { return x.size(0) > 20 || x.size(0) < 3 ? x * 2 : x + 1; };
    const std::string range =
        refusal(gap, inputs("x", at::ones({4})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 1, 64}}}}}});
    CHECK(range.c_str() == Contains("Dim{\"n\", 3, 20}"));
    CHECK(refusal(gap, inputs("x", at::ones({4})), {.dynamic_shapes = {{"x", {{0, Dim{"n", 3, 20}}}}}}) ==
          "no refusal");
}

TEST_CASE("a range that ends near the sample") {
    const auto model = [](Tensor x) { return x.size(0) > 10 ? x * 2 : x + 1; };
    for (const std::int64_t sample : {8, 9, 10}) {
        CAPTURE(sample);
        const auto program = check_sizes("up to ten", model, {sample}, {{10}, {3}, {1}});
        REQUIRE(program.ranges.size() == 1);
        CHECK(program.ranges.find("s0")->max == 10);
    }
    const auto program = check_sizes("from eleven", model, {11}, {{12}, {40}});
    CHECK(program.ranges.find("s0")->min == 11);
    check_sizes("a table", [table = at::randn({12, 3})](Tensor x) { return x + table.narrow(0, 0, x.size(0)); },
                {10, 3}, {{12, 3}, {4, 3}});
}
