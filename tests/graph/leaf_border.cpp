#include <ferry/graph/leaf_border.hpp>

#include <ATen/ops/ones.h>

#include <doctest/doctest.h>

#include <vector>

using namespace ferry;

TEST_CASE("leaves are what they were after a way through ops or a graph") {
    for (const Leaf& leaf : std::vector<Leaf>{Leaf(), true, false, 3, -7, 2.5, 0.0, "text", ""}) {
        CHECK((to_leaf(to_ivalue(leaf)) == leaf));
        CHECK((to_leaf(to_argument(leaf)) == leaf));
    }
    const at::Tensor tensor = at::ones({2});
    CHECK((to_leaf(to_ivalue(Leaf(tensor))) == Leaf(tensor)));
    CHECK(to_argument(Leaf(at::Tensor())).is_none());
}

TEST_CASE("what is no leaf is refused") {
    CHECK_THROWS_AS(static_cast<void>(to_leaf(c10::IValue(std::vector<std::int64_t>{1, 2}))), Error);
    CHECK_THROWS_AS(static_cast<void>(to_leaf(c10::IValue(c10::complex<double>(1, 2)))), Error);
    CHECK_THROWS_AS(static_cast<void>(to_leaf(Argument(Value{1}))), Error);
    CHECK_THROWS_AS(static_cast<void>(to_leaf(Argument(ArgumentList{1, 2}))), Error);
    CHECK_THROWS_AS(static_cast<void>(to_argument(Leaf(at::ones({2})))), Error);
    CHECK(!is_leaf(c10::IValue(std::vector<std::int64_t>{1, 2})));
    CHECK(is_leaf(c10::IValue()));
}
