// Numbers that code computes from sizes and that are no integers.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/types.h>

#include <cmath>

using namespace ferry_test;
using at::Tensor;
using ferry::inputs;

TEST_CASE("roots, quotients and logarithms of sizes") {
    const auto check = [&](const char* name, auto model) {
        const auto program = check_sizes(name, model, {4, 6}, {{7, 9}, {5, 12}, {1, 6}, {40, 2}});
        INFO("model: ", std::string(name));
        CHECK(program.ranges.size() == 2);
        CHECK(program.notes.empty());
    };
    check("root", [](Tensor x) { return x / std::sqrt(static_cast<double>(x.size(1))); });
    check("root of float", [](Tensor x) { return x * std::sqrt(static_cast<float>(x.size(1))); });
    check("inverse root", [](Tensor x) { return x * (1.0 / std::sqrt(static_cast<double>(x.size(1)))); });
    check("a share", [](Tensor x) { return x.sum() * (2.5 / static_cast<double>(x.size(0))); });
    check("of a product", [](Tensor x) { return x * (1.0 / static_cast<double>(x.size(0) * x.size(1))); });
    check("half a size", [](Tensor x) { return x + static_cast<double>(x.size(1)) * 0.5; });
    check("logarithm", [](Tensor x) { return x * std::log(static_cast<double>(x.size(0) + 1)); });
    check("logarithm to another base", [](Tensor x) { return x * (std::log(1.0 + x.size(1)) / std::log(512.0)) + 1; });
    check("of integers", [](Tensor x) { return x.to(at::kLong) * std::log(static_cast<double>(x.size(0) + 1)); });
    check("as an argument", [](Tensor x) { return x.clamp(-1.0 / static_cast<double>(x.size(0) + 1), 1.0); });
    check("epsilon", [](Tensor x) { return at::full({2}, std::sqrt(static_cast<double>(x.size(1)))) + x.sum(); });
    check_sizes("returned", [](Tensor x) { return std::make_tuple(x * 2, std::sqrt(static_cast<double>(x.size(1)))); },
                {4, 6}, {{4, 9}});
}

TEST_CASE("a number that follows from no size keeps the size as it is") {
    const auto model = [](Tensor x) { return x * std::sin(static_cast<double>(x.size(0))); };
    const auto program = check_sizes("sine", model, {4, 6}, {{4, 9}});
    CHECK(program.ranges.size() == 1);
    REQUIRE(!program.notes.empty());
    const auto branch = [](Tensor x) { return x * (x.size(0) > 20 ? 0.5 : 0.25); };
    const auto ranged = check_sizes("a factor of two kinds", branch, {4, 6}, {{20, 9}, {1, 3}});
    CHECK(ranged.ranges.find("s0")->max == 20);
}
