#include <ferry/tree/leaf.hpp>

#include <doctest/doctest.h>

#include <ATen/ops/ones.h>

#include <cstdint>
#include <string>

using ferry::Leaf;

TEST_CASE("leaf: kinds and values") {
    CHECK(Leaf().is_none());
    CHECK(*Leaf(true).get_if<bool>());
    CHECK((Leaf(true).kind() == Leaf::Kind::boolean));
    CHECK(*Leaf(std::uint8_t{7}).get_if<std::int64_t>() == 7);
    CHECK(*Leaf(0.5F).get_if<double>() == 0.5);
    CHECK(*Leaf("text").get_if<std::string>() == "text");
    CHECK(Leaf(1).get_if<double>() == nullptr);
    CHECK(Leaf(at::Tensor()).is_tensor());
    CHECK_FALSE(Leaf(at::Tensor()).is_none());
}

TEST_CASE("leaf: tensors are equal when they are one tensor") {
    const at::Tensor tensor = at::ones({2});
    CHECK(Leaf(tensor) == Leaf(tensor));
    CHECK(Leaf(tensor) != Leaf(tensor.clone()));
    CHECK(Leaf(1) == Leaf(1));
    CHECK(Leaf(1) != Leaf(1.0));
    CHECK(Leaf(1) != Leaf(true));
    CHECK(Leaf() == Leaf());
    CHECK(Leaf("a") != Leaf("b"));
}
