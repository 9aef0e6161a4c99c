// prefer_deferred_runtime_asserts_over_guards: what was asked for is kept, and the program checks what the model holds for.
#include "support.hpp"

#include <ferry/program/print.hpp>
#include <ferry/program/run_decompositions.hpp>

#include <ATen/ATen.h>
#include <doctest/doctest.h>

using namespace ferry_test;
using at::Tensor;
using doctest::Contains;
using ferry::Dim;
using ferry::DynamoConfig;
using ferry::inputs;
using ferry::ValueRange;

namespace {

DynamoConfig asking(const ferry::DynamicShapes& shapes, bool defers) {
    return {.dynamic_shapes = shapes, .prefer_deferred_runtime_asserts_over_guards = defers};
}

std::string failure(const ferry::ExportedProgram& program, const ferry::Inputs& given) {
    try {
        static_cast<void>(program.module()(given));
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "no failure";
}

std::size_t asserts_in(const ferry::ExportedProgram& program) {
    std::size_t count = 0;
    for (const ferry::Node& node : program.graph.nodes()) count += node.op() == "aten::_assert_scalar" ? 1 : 0;
    return count;
}

ferry::Inputs x_of(int64_t n) { return inputs("x", at::randn({n, 3})); }

}  // namespace

TEST_CASE("a range that holds in part") {
    at::manual_seed(1);
    const auto branches = [](Tensor x) { return x.size(0) > 16 ? x * 2 : x + 1; };
    const ferry::DynamicShapes shapes{{"x", {{0, Dim{"n", 2, 64}}}}};
    const std::string refused = refusal(branches, x_of(4), asking(shapes, false));
    CHECK(refused.c_str() == Contains("'n' holds for VR[2, 16] only"));
    CHECK(refused.c_str() == Contains("Dim{\"n\", 2, 16}"));
    CHECK(refused.c_str() == Contains("prefer_deferred_runtime_asserts_over_guards"));

    const auto program = check_capture(branches, x_of(4), asking(shapes, true), {x_of(2), x_of(11), x_of(16)});
    REQUIRE(program.ranges.find("n") != nullptr);
    CHECK((*program.ranges.find("n") == ValueRange{2, 64}));
    CHECK(asserts_in(program) == 1);
    CHECK(failure(program, x_of(17)).c_str() == Contains("Runtime assertion failed for expression n <= 16"));
    CHECK(failure(program, x_of(64)).c_str() == Contains("n <= 16"));
    CHECK(failure(program, x_of(65)).c_str() == Contains("outside VR[2, 64]"));  // was never promised
}

TEST_CASE("a range of which the middle holds") {
    at::manual_seed(2);
    const auto branches = [](Tensor x) { return x.size(0) > 16 ? x * 2 : x.size(0) < 5 ? x - 1 : x + 1; };
    const ferry::DynamicShapes shapes{{"x", {{0, Dim{"n", 0, 64}}}}};
    const std::string refused = refusal(branches, x_of(9), asking(shapes, false));
    CHECK(refused.c_str() == Contains("Dim{\"n\", 5, 16}"));
    const auto program = check_capture(branches, x_of(9), asking(shapes, true), {x_of(5), x_of(16)});
    CHECK(asserts_in(program) == 2);
    CHECK(failure(program, x_of(4)).c_str() == Contains("n >= 5"));
    CHECK(failure(program, x_of(0)).c_str() == Contains("n >= 5"));
    CHECK(failure(program, x_of(17)).c_str() == Contains("n <= 16"));
}

TEST_CASE("ends at which ops broadcast") {
    const auto drops = [](Tensor x) { return x.squeeze(0) * 2; };
    const ferry::DynamicShapes shapes{{"x", {{0, Dim{"n", 1, 64}}}}};
    CHECK(refusal(drops, x_of(4), asking(shapes, false)).c_str() == Contains("Dim{\"n\", 2, 64}"));
    const auto program = check_capture(drops, x_of(4), asking(shapes, true), {x_of(2), x_of(64)});
    CHECK(failure(program, x_of(1)).c_str() == Contains("n >= 2"));
}

TEST_CASE("a dimension that the model fixes") {
    at::manual_seed(3);
    const auto fixed = [](Tensor x) { return x.reshape({2, 2, 3}).sum(0); };
    const ferry::DynamicShapes shapes{{"x", {{0, Dim{"n", 2, 64}}}}};
    CHECK(refusal(fixed, x_of(4), asking(shapes, false)).c_str() == Contains("make 'n' static"));
    const auto program = check_capture(fixed, x_of(4), asking(shapes, true), {x_of(4)});
    CHECK((*program.ranges.find("n") == ValueRange{2, 64}));
    CHECK(failure(program, x_of(5)).c_str() == Contains("Eq(n, 4)"));
    CHECK(failure(program, x_of(3)).c_str() == Contains("Eq(n, 4)"));
}

TEST_CASE("dimensions that must be equal, or apart by a constant") {
    at::manual_seed(4);
    const auto two = [](int64_t n, int64_t m) { return inputs("a", at::randn({n, 3}), "b", at::randn({m, 3})); };
    const ferry::DynamicShapes shapes{{"a", {{0, Dim{"n", 2, 16}}}}, {"b", {{0, Dim{"m", 2, 32}}}}};
    const auto add = [](Tensor a, Tensor b) { return a + b; };
    CHECK(refusal(add, two(4, 4), asking(shapes, false)).c_str() == Contains("must be equal to"));
    const auto program = check_capture(add, two(4, 4), asking(shapes, true), {two(2, 2), two(11, 11), two(16, 16)});
    CHECK((*program.ranges.find("n") == ValueRange{2, 16}));
    CHECK((*program.ranges.find("m") == ValueRange{2, 32}));
    CHECK(failure(program, two(4, 5)).c_str() == Contains("Runtime assertion failed for expression Eq(m, n)"));

    const auto shifted = [](Tensor a, Tensor b) { return at::cat({a, at::ones({1, 3})}) * b; };
    CHECK(refusal(shifted, two(4, 5), asking(shapes, false)).c_str() == Contains("n + 1"));
    const auto longer = check_capture(shifted, two(4, 5), asking(shapes, true), {two(2, 3), two(16, 17)});
    CHECK(failure(longer, two(4, 6)).c_str() == Contains("Eq(m, n + 1)"));

    const auto three = [](int64_t a, int64_t b, int64_t c) {
        return inputs("a", at::randn({a}), "b", at::randn({b}), "c", at::randn({c}));
    };
    const ferry::DynamicShapes of_three{
        {"a", {{0, Dim{"n", 2, 16}}}}, {"b", {{0, Dim{"m", 2, 16}}}}, {"c", {{0, Dim{"k", 2, 16}}}}};
    const auto sum = [](Tensor a, Tensor b, Tensor c) { return a + b * c; };
    const auto all = check_capture(sum, three(4, 4, 4), asking(of_three, true), {three(7, 7, 7)});
    CHECK(asserts_in(all) == 2);
    CHECK(failure(all, three(7, 7, 6)).c_str() == Contains("Eq("));
    CHECK(failure(all, three(7, 6, 7)).c_str() == Contains("Eq("));
}

TEST_CASE("sizes that depend on each other otherwise") {
    at::manual_seed(5);
    const auto two = [](int64_t n, int64_t m) { return inputs("a", at::randn({n}), "b", at::randn({m})); };
    const ferry::DynamicShapes shapes{{"a", {{0, Dim{"n", 2, 64}}}}, {"b", {{0, Dim{"m", 2, 64}}}}};
    const auto area = [](Tensor a, Tensor b) { return a.size(0) * b.size(0) > 700 ? a.sum() : a.sum() + b.sum(); };
    const auto program = check_capture(area, two(4, 5), asking(shapes, true), {two(8, 5), two(64, 5)});
    CHECK(asserts_in(program) > 0);
    CHECK(failure(program, two(40, 50)).c_str() == Contains("Runtime assertion failed"));
}

TEST_CASE("checks outlive a decomposition") {
    at::manual_seed(6);
    const auto branches = [](Tensor x) { return x.size(0) > 16 ? x * 2 : at::silu(x); };
    const auto program = export_any(any_model(branches), x_of(4), asking({{"x", {{0, Dim{"n", 2, 64}}}}}, true));
    const auto smaller = program.run_decompositions<ferry::core_aten_decompositions>();
    check_same(any_model(branches), smaller, x_of(11));
    CHECK((*smaller.ranges.find("n") == ValueRange{2, 64}));
    CHECK(failure(smaller, x_of(17)).c_str() == Contains("n <= 16"));
}
