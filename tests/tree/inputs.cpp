#include <ferry/tree/inputs.hpp>

#include "types.hpp"

#include <ATen/ops/ones.h>
#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using ferry::Inputs;
using ferry::Leaf;
using ferry::Tree;
using ferry::tree::dict_of;
using ferry::tree::list_of;
using ferry::tree::tuple_of;
using Paths = std::vector<std::string>;

static_assert(ferry::flattenable<Inputs> && ferry::flattenable<std::vector<std::optional<Inputs>>>);

}  // namespace

TEST_CASE("inputs: named, ordered, of anything") {
    const at::Tensor ids = at::ones({1, 3}), mask = at::ones({1, 3});
    const std::string name = "use_cache";
    const Inputs inputs = ferry::inputs("input_ids", ids, "attention_mask", mask, "past_key_values",
                                        std::vector<my::layer>{{ids, mask}}, name, true, "mode", "fast");
    CHECK(inputs.size() == 5);
    Paths names;
    for (const auto& [key, value] : inputs) names.push_back(key);
    CHECK(names == Paths{"input_ids", "attention_mask", "past_key_values", "use_cache", "mode"});
    CHECK(inputs.get<at::Tensor>("attention_mask").is_same(mask));
    CHECK(inputs.get<at::Tensor>("past_key_values.0.keys").is_same(ids));
    CHECK(inputs.get<std::vector<my::layer>>("past_key_values")[0].values.is_same(mask));
    CHECK(inputs.get<bool>("use_cache"));
    CHECK(inputs.get<std::string>("mode") == "fast");
    CHECK(inputs.spec().leaf_paths() == Paths{"input_ids", "attention_mask", "past_key_values.0.keys",
                                              "past_key_values.0.values", "use_cache", "mode"});
    CHECK(inputs.find("mode") != nullptr);
    CHECK(inputs.find("past_key_values.0") == nullptr);
    CHECK(inputs.contains("past_key_values.0"));
    CHECK_FALSE(inputs.contains("labels"));
    CHECK(inputs.has("past_key_values.0"));
    CHECK_FALSE(inputs.has("labels"));
    CHECK_FALSE(ferry::inputs("labels", std::nullopt).has("labels"));
    CHECK_THROWS_AS(static_cast<void>(inputs.at("labels")), ferry::Error);
    CHECK(ferry::inputs().empty());
}

TEST_CASE("inputs: entries register types here too") {
    const at::Tensor t = at::ones({1});
    const Inputs inputs = ferry::inputs<ferry::pytrees<my::kv_cache_node>>("past", my::kv_cache{{t}, {t}, 9, {}, {}});
    CHECK(inputs.spec().leaf_paths() == Paths{"past.keys.0", "past.values.0"});
    CHECK(inputs.get<my::kv_cache, ferry::pytrees<my::kv_cache_node>>("past").max_len == 9);
}

TEST_CASE("inputs: change in place") {
    Inputs inputs = ferry::inputs("a", 1, "b", 2);
    const Inputs before = inputs;
    inputs.set("a", std::vector<int>{1, 2});
    inputs.set("c", 3);
    CHECK(inputs.spec().leaf_paths() == Paths{"a.0", "a.1", "b", "c"});
    CHECK(inputs.erase("a"));
    CHECK_FALSE(inputs.erase("a"));
    CHECK(inputs.spec().leaf_paths() == Paths{"b", "c"});
    CHECK(before != inputs);
    CHECK_FALSE(before.same_structure(inputs));
    CHECK(before.same_structure(ferry::inputs("a", "text", "b", 2.5)));
    CHECK_FALSE(before.same_structure(ferry::inputs("b", 2, "a", 1)));
    CHECK_THROWS_WITH_AS(static_cast<void>(ferry::inputs("a", 1, "a", 2)),
                         "ferry: invalid input: the input 'a' is given twice (at a)", ferry::Error);
}

TEST_CASE("inputs: flatten and unflatten like everything else") {
    const Inputs inputs =
        ferry::inputs("x", 1, "nested", list_of(1, tuple_of(2.5, "s", std::optional<int>()), dict_of("k", true)));
    const Tree tree = ferry::tree::flatten(inputs);
    CHECK(tree.spec.leaf_paths() == Paths{"x", "nested.0", "nested.1.0", "nested.1.1", "nested.1.2", "nested.2.k"});
    CHECK(ferry::tree::unflatten<Inputs>(tree) == inputs);
    const std::vector<Inputs> several{inputs, ferry::inputs()};
    CHECK((ferry::tree::unflatten<std::vector<Inputs>>(ferry::tree::flatten(several)) == several));
    CHECK_THROWS_AS(static_cast<void>(ferry::tree::unflatten<Inputs>(ferry::tree::flatten(std::map<int, int>{{1, 1}}))),
                    ferry::Error);
}
