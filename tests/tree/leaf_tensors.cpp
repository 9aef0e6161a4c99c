#include <ferry/tree/leaf_tensors.hpp>

#include "types.hpp"

#include <ferry/tree/inputs.hpp>

#include <ATen/ops/ones.h>
#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

using ferry::cast_leaf_tensors;
using ferry::duplicate_leaf_tensors;
using ferry::get_leaf_tensors;
using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("leaf tensors: by path, in order") {
    const at::Tensor a = at::ones({1}), b = at::ones({2});
    const auto tensors = get_leaf_tensors(my::model_inputs{a, {}, {{b, a}, {at::Tensor(), b}}});
    Paths paths;
    for (const auto& [path, tensor] : tensors) paths.push_back(path);
    CHECK(paths ==
          Paths{"input_ids", "past_key_values.0.keys", "past_key_values.0.values", "past_key_values.1.values"});
    CHECK(tensors.at("past_key_values.0.keys").is_same(b));
    CHECK(tensors.contains("input_ids"));
    CHECK_FALSE(tensors.contains("mask"));
    CHECK_THROWS_AS(static_cast<void>(tensors.at("mask")), ferry::Error);
    CHECK(tensors.shared() == std::vector<Paths>{{"input_ids", "past_key_values.0.values"},
                                                 {"past_key_values.0.keys", "past_key_values.1.values"}});
    CHECK(get_leaf_tensors(a).at("output").is_same(a));
    CHECK(get_leaf_tensors(ferry::inputs("x", 1, "y", "z")).empty());
    using nested = std::map<std::string, std::variant<at::Tensor, std::map<std::string, at::Tensor>>>;
    CHECK_THROWS_AS(
        static_cast<void>(get_leaf_tensors(nested{{"a.b", a}, {"a", std::map<std::string, at::Tensor>{{"b", b}}}})),
        ferry::Error);
}

TEST_CASE("leaf tensors: a view of a tensor is another tensor") {
    const at::Tensor a = at::ones({4});
    CHECK(get_leaf_tensors(std::vector{a, a.view({2, 2}), a.alias()}).shared().empty());
}

TEST_CASE("leaf tensors: dtype is for floating-point tensors, device for all") {
    const at::Tensor real = at::ones({2}), whole = at::ones({2}, at::kLong), mask = at::ones({2}, at::kBool);
    const auto inputs = ferry::inputs("x", real, "ids", whole, "mask", mask, "scale", 2.5, "nothing",
                                      std::optional<int>(), "undefined", at::Tensor());
    const auto half = cast_leaf_tensors(inputs, at::kHalf);
    CHECK((half.get<at::Tensor>("x").scalar_type() == at::kHalf));
    CHECK(half.get<at::Tensor>("ids").is_same(whole));
    CHECK((half.get<at::Tensor>("mask").scalar_type() == at::kBool));
    CHECK(half.get<double>("scale") == 2.5);
    CHECK_FALSE(half.get<at::Tensor>("undefined").defined());
    CHECK(half.same_structure(inputs));

    const auto meta = cast_leaf_tensors(inputs, at::kHalf, c10::Device("meta"));
    CHECK((meta.get<at::Tensor>("x").scalar_type() == at::kHalf));
    CHECK(meta.get<at::Tensor>("x").is_meta());
    CHECK(meta.get<at::Tensor>("ids").is_meta());
    CHECK((meta.get<at::Tensor>("ids").scalar_type() == at::kLong));
    CHECK(
        (cast_leaf_tensors(inputs, {.device = c10::Device("meta")}).get<at::Tensor>("x").scalar_type() == at::kFloat));
    CHECK(cast_leaf_tensors(inputs, ferry::CastOptions{}) == inputs);

    const my::layer layer = cast_leaf_tensors(my::layer{real, real}, at::kDouble);
    CHECK((layer.keys.scalar_type() == at::kDouble));
    CHECK(layer.keys.is_same(layer.values));
    CHECK((real.scalar_type() == at::kFloat));
}

TEST_CASE("leaf tensors: repeated ones are cloned") {
    const at::Tensor a = at::ones({2});
    const auto apart = duplicate_leaf_tensors(my::layer{a, a});
    CHECK(apart.keys.is_same(a));
    CHECK_FALSE(apart.values.is_same(a));
    CHECK(apart.values.equal(a));
}
