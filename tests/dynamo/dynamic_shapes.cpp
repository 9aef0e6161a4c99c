// What dynamic_shapes may say, and what of it is refused.
#include "support.hpp"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace ferry_test;
using at::Tensor;
using doctest::Contains;
using ferry::Dim;
using ferry::DynamicShapes;
using ferry::inputs;

namespace {

using Layer = std::map<std::string, Tensor>;

const auto twice = [](Tensor x) { return x * 2; };

/// Of all layers the keys' last dimension and the values' first ones are independent of each other.
const auto attend = [](Tensor x, std::vector<Layer> past, int64_t count) {
    Tensor sum = x * count;
    for (const Layer& layer : past) sum = sum + layer.at("keys").sum(-1) + layer.at("values").sum(-1);
    return sum;
};

ferry::Inputs attend_inputs(int64_t batch, int64_t keys, int64_t values) {
    std::vector<Layer> past;
    for (int i = 0; i < 2; ++i)
        past.push_back({{"keys", at::randn({batch, keys})}, {"values", at::randn({batch, values})}});
    return inputs("x", at::randn({batch}), "past", past, "count", 3);
}

bool takes(const ferry::ExportedProgram& program, const ferry::Inputs& given) {
    try {
        static_cast<void>(program.module()(given));
        return true;
    } catch (const ferry::Error&) {
        return false;
    }
}

}  // namespace

TEST_CASE("a path is of all tensors below it, and * is any one component") {
    at::manual_seed(1);
    const Dim batch{"batch", 2, 64}, keys{"keys", 2, 64}, values{"values", 2, 64};
    const auto capture = [&](const DynamicShapes& shapes) {
        return export_any(any_model(attend), attend_inputs(4, 5, 6), {.dynamic_shapes = shapes});
    };
    const auto below = capture({{"x", {{0, batch}}}, {"past", {{0, batch}}}});
    CHECK(takes(below, attend_inputs(9, 5, 6)));
    CHECK_FALSE(takes(below, attend_inputs(4, 7, 6)));
    const auto patterns = capture(
        {{"x", {{0, batch}}}, {"past", {{0, batch}}}, {"past.*.keys", {{-1, keys}}}, {"*.*.values", {{1, values}}}});
    CHECK(takes(patterns, attend_inputs(9, 7, 8)));
    check_same(any_model(attend), patterns, attend_inputs(3, 11, 2));
    // The closer one decides, for each dimension.
    const auto own = capture({{"x", {{0, batch}}},
                              {"past", {{0, batch}, {1, Dim::AUTO}}},
                              {"past.*.values", {{1, Dim::STATIC}}},
                              {"past.1.values", {{1, Dim::AUTO}}}});
    CHECK(takes(own, attend_inputs(9, 7, 6)));
    CHECK_FALSE(takes(own, attend_inputs(9, 7, 8)));
    auto one = attend_inputs(9, 7, 6);
    ferry::Tree past = one.at("past");
    past.leaf("1.values") = at::randn({9, 8});
    one.set("past", past);
    CHECK(takes(own, one));
}

TEST_CASE("paths and dimensions that there are not") {
    const auto refused = [](const DynamicShapes& shapes) {
        return refusal(attend, attend_inputs(4, 5, 6), {.dynamic_shapes = shapes});
    };
    const Dim n{"n", 2, 64};
    for (const char* path : {"pas", "past.*.queries", "past.0.keys.0", "past.2", "y"}) {
        const std::string text = refused({{path, {{0, n}}}});
        INFO(path);
        CHECK(text.c_str() == Contains("names an input that there is not"));
        CHECK(text.c_str() ==
              Contains("the inputs are: x, past.0.keys, past.0.values, past.1.keys, past.1.values, count"));
    }
    CHECK(refused({{"x", {{1, n}}}}).c_str() == Contains("a dimension 1 of an input of rank 1 (at x, "));
    CHECK(refused({{"x", {{-2, n}}}}).c_str() == Contains("a dimension -2 of an input of rank 1"));
    CHECK(refused({{"past", {{2, Dim::AUTO}}}}).c_str() == Contains("at past.0.keys"));
    CHECK(refused({{"past.1.*", {{2, Dim::STATIC}}}}).c_str() == Contains("at past.1.keys"));
    CHECK(refused({{"past.0.keys", {{1, n}, {-1, n}}}}).c_str() == Contains("twice"));
    CHECK(refused({{"count", {{1, n}}}}).c_str() == Contains("at count"));
}

TEST_CASE("where shapes are given, all other dimensions are static") {
    const auto given = [](int64_t n, int64_t m) { return inputs("x", at::randn({n, m})); };
    const auto program =
        check_capture(twice, given(3, 4), {.dynamic = true, .dynamic_shapes = {{"x", {{0, Dim{"n"}}}}}}, {given(5, 4)});
    CHECK_FALSE(takes(program, given(3, 5)));
    const auto fixed = check_capture(twice, given(3, 4), {.dynamic = true, .dynamic_shapes = {{"x", {}}}}, {});
    CHECK_FALSE(takes(fixed, given(5, 4)));
}

TEST_CASE("a dimension of one size") {
    const auto given = inputs("x", at::randn({3, 4}));
    const auto program = check_capture(twice, given, {.dynamic_shapes = {{"x", {{0, 3}, {1, Dim::AUTO}}}}},
                                       {inputs("x", at::randn({3, 7}))});
    CHECK_FALSE(takes(program, inputs("x", at::randn({5, 4}))));
    CHECK(refusal(twice, given, {.dynamic_shapes = {{"x", {{0, 5}}}}}).c_str() ==
          Contains("size 5 for a dimension that is 3 in the sample (at x dimension 0"));
}

TEST_CASE("a dimension that must vary down to nothing") {
    const auto given = [](int64_t n) { return inputs("x", at::randn({n, 2})); };
    for (const bool from_none : {false, true}) {
        const Dim dim = from_none ? Dim::dynamic_from(0) : Dim(Dim::DYNAMIC);
        const auto program =
            check_capture(twice, given(3), {.dynamic_shapes = {{"x", {{0, dim}}}}}, {given(5), given(1)});
        CHECK(takes(program, given(0)) == from_none);
    }
}

TEST_CASE("a sum of a past that is empty in the sample and a present that others share") {
    const auto attend = [](Tensor ids, Tensor mask, Tensor positions, Tensor past) {
        const Tensor all = at::cat({past, (ids + positions).unsqueeze(-1)}, 1);
        return all * mask.unsqueeze(-1);
    };
    const auto given = [](int64_t tokens, int64_t past) {
        return inputs("ids", at::randn({2, tokens}), "mask", at::randn({2, tokens + past}), "positions",
                      at::randn({2, tokens}), "past", at::randn({2, past, 1}));
    };
    const DynamicShapes shapes{{"ids", {{1, Dim::DYNAMIC}}},
                               {"mask", {{1, Dim::DYNAMIC}}},
                               {"positions", {{1, Dim::DYNAMIC}}},
                               {"past", {{1, Dim::DYNAMIC}}}};
    const auto program =
        check_capture(attend, given(9, 0), {.dynamic_shapes = shapes}, {given(1, 9), given(4, 3), given(5, 0)});
    CHECK(program.ranges.size() == 2);
}

TEST_CASE("a dimension that must vary") {
    const auto given = [](int64_t n, int64_t m) { return inputs("x", at::randn({n, m})); };
    const DynamicShapes first{{"x", {{0, Dim::DYNAMIC}}}}, both{{"x", {{0, Dim::DYNAMIC}, {1, Dim::DYNAMIC}}}};
    check_capture(twice, given(3, 4), {.dynamic_shapes = both}, {given(5, 9)});
    const auto loop = [](Tensor x) {
        Tensor sum = at::zeros({x.size(1)});
        for (int64_t i = 0; i < x.size(0); ++i) sum = sum * 0.5 + x[i];
        return sum;
    };
    for (const bool all : {false, true})
        CHECK(refusal(loop, given(4, 3), {.dynamic = all, .dynamic_shapes = first}).c_str() ==
              Contains("must vary is fixed by the model: x dimension 0 is static: at 9, "));
    check_capture(twice, given(1, 3), {.dynamic_shapes = first}, {given(4, 3)});
    // What shows only where sizes move together.
    const auto area = [](Tensor x) { return x.size(0) * x.size(1) == 12 || x.size(0) == 9 ? x * 2 : x + 1; };
    const std::string text = refusal(area, given(3, 4), {.dynamic_shapes = both});
    CHECK(text.c_str() == Contains("must vary"));
    CHECK(text.c_str() == Contains("static: "));
    const auto squared = [](Tensor x) { return x.mm(x); };
    const auto program = check_capture(squared, given(3, 3), {.dynamic_shapes = both}, {given(7, 7)});
    CHECK(program.ranges.size() == 1);
    CHECK(refusal([](Tensor x, int64_t n) { return x * n; }, inputs("x", at::ones({3}), "n", 2),
                  {.dynamic_shapes = {{"n", {{0, Dim::DYNAMIC}}}}})
              .c_str() == Contains("an integer varies only under a name"));
}
