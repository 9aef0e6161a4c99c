#include <ferry/tree/flatten.hpp>

#include "types.hpp"

#include <ATen/ops/ones.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

using ferry::flattenable;
using ferry::Leaf;
using ferry::Tree;
using ferry::TreeSpec;
using ferry::tree::flatten;
using Paths = std::vector<std::string>;
using Leaves = std::vector<Leaf>;
using Nodes = ferry::pytrees<my::kv_cache_node>;

static_assert(flattenable<at::Tensor> && flattenable<int> && flattenable<std::uint64_t> && flattenable<float> &&
              flattenable<bool> && flattenable<std::string>);
static_assert(flattenable<const std::vector<bool>&> && flattenable<std::array<std::pair<int, double>, 3>> &&
              flattenable<std::tuple<>>);
static_assert(flattenable<std::map<std::string, at::Tensor>> && flattenable<std::unordered_map<int, at::Tensor>>);
static_assert(flattenable<std::variant<std::monostate, int, std::vector<std::string>>> &&
              flattenable<std::optional<std::variant<int, bool>>>);
static_assert(flattenable<my::model_inputs> && flattenable<my::adapted> && flattenable<my::family> &&
              flattenable<my::point> && flattenable<my::boxed>);
static_assert(flattenable<Tree> && flattenable<std::vector<Leaf>>);
static_assert(flattenable<my::kv_cache, Nodes> && flattenable<std::vector<std::optional<my::kv_cache>>, Nodes>);

static_assert(!flattenable<my::kv_cache> && !flattenable<my::unregistered> &&
              !flattenable<std::vector<my::unregistered>>);
static_assert(!flattenable<std::tuple<int, std::map<int, my::unregistered>>> &&
              !flattenable<std::variant<int, my::unregistered>>);
static_assert(!flattenable<void> && !flattenable<int*> && !flattenable<const char*> && !flattenable<char> &&
              !flattenable<char32_t> && !flattenable<long double>);
static_assert(!flattenable<std::map<double, int>> && !flattenable<std::map<bool, int>> && !flattenable<int[3]>);
static_assert(!flattenable<std::optional<std::optional<int>>> &&
              !flattenable<std::optional<std::variant<std::monostate, int>>> && !flattenable<std::optional<Leaf>>);
static_assert(!flattenable<int, ferry::pytrees<my::unregistered>>);  // no entry at all

}  // namespace

TEST_CASE("flatten: leaves") {
    const at::Tensor t = at::ones({2});
    CHECK(ferry::tree::flatten(t) == Tree(Leaf(t)));
    CHECK((flatten(3).leaves == Leaves{3}));
    CHECK((flatten(true).leaves == Leaves{true}));
    CHECK((flatten(0.5F).leaves == Leaves{0.5}));
    CHECK((flatten(std::string("a")).leaves == Leaves{"a"}));
    CHECK((flatten(std::optional<int>()).leaves == Leaves{Leaf()}));
    CHECK(flatten(std::optional<int>(4)) == flatten(4));
    CHECK_THROWS_WITH_AS(
        static_cast<void>(flatten(std::numeric_limits<std::uint64_t>::max())),
        "ferry: invalid input: the integer 18446744073709551615 does not fit the 64 bits that a tree's leaf has",
        ferry::Error);
}

TEST_CASE("flatten: containers are Python's") {
    const TreeSpec leaf;
    CHECK(flatten(std::vector<int>{1, 2}).spec == TreeSpec::list({leaf, leaf}));
    CHECK((flatten(std::vector<bool>{true, false}).leaves == Leaves{true, false}));
    CHECK(flatten(std::array<int, 2>{1, 2}).spec == TreeSpec::tuple({leaf, leaf}));
    CHECK(flatten(std::pair(1, 2.5)) == flatten(std::tuple(1, 2.5)));
    CHECK(flatten(std::tuple()).spec == TreeSpec::tuple({}));
    CHECK(flatten(std::map<std::string, int>{{"b", 2}, {"a", 1}}).spec == TreeSpec::dict({"a", "b"}, {leaf, leaf}));
    CHECK((flatten(std::map<int, int, std::greater<>>{{1, 10}, {2, 20}}).leaves == Leaves{20, 10}));
    std::unordered_map<int, int> unordered;
    for (int i = 0; i < 100; ++i) unordered[(i * 37) % 100] = i;
    CHECK(flatten(unordered) == flatten(std::map<int, int>(unordered.begin(), unordered.end())));
    CHECK(flatten(std::variant<int, std::vector<int>>(std::vector<int>{1})) == flatten(std::vector<int>{1}));
    CHECK((flatten(std::variant<std::monostate, int>()).leaves == Leaves{Leaf()}));
}

TEST_CASE("flatten: structs, with paths") {
    const at::Tensor t = at::ones({2});
    const my::model_inputs inputs{t, {}, {{t, t}, {t, t}}};
    const Tree tree = flatten(inputs);
    CHECK(tree.spec.leaf_paths() == Paths{"input_ids", "mask", "past_key_values.0.keys", "past_key_values.0.values",
                                          "past_key_values.1.keys", "past_key_values.1.values"});
    CHECK(tree.leaf("mask").is_none());
    CHECK(tree.spec.type() == "builtins.dict");
    CHECK(flatten(my::adapted{2.5, "fast"}).spec == TreeSpec::dict({"scale", "mode"}, {{}, {}}));
    CHECK(flatten(my::family{"a", {{"b", {}}, {"c", {}}}}).spec.leaf_paths() ==
          Paths{"name", "children.0.name", "children.1.name"});
}

TEST_CASE("flatten: a run-time tree is flattened in its place") {
    const Tree inner = Tree::tuple({Leaf(1), Leaf(2)});
    const Tree tree = flatten(std::map<std::string, Tree>{{"a", inner}, {"b", Leaf("x")}});
    CHECK(tree.spec.leaf_paths() == Paths{"a.0", "a.1", "b"});
    CHECK(tree.at("a") == inner);
    Tree broken = inner;
    broken.leaves.pop_back();
    CHECK_THROWS_AS(static_cast<void>(flatten(broken)), ferry::Error);
}

TEST_CASE("flatten: entries reach every level") {
    const at::Tensor t = at::ones({2});
    const std::map<std::string, std::optional<my::kv_cache>> caches{{"decoder", my::kv_cache{{t}, {t}, 8, {}, {}}},
                                                                    {"encoder", std::nullopt}};
    CHECK(flatten<Nodes>(caches).spec.leaf_paths() == Paths{"decoder.keys.0", "decoder.values.0", "encoder"});
}
