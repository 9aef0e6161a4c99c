#include <ferry/tree/node.hpp>

#include "types.hpp"

#include <ferry/tree/flatten.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/ops/ones.h>
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using ferry::Tree;
using ferry::TreeSpec;
using ferry::tree::flatten;
using ferry::tree::unflatten;
using Paths = std::vector<std::string>;

struct window_node {
    using type = my::window;
    static constexpr std::string_view name = "my.Window";
    static std::pair<std::vector<at::Tensor>, ferry::tree::Context> flatten(const type& value) {
        return {value.tensors(), value.width()};
    }
    static type unflatten(std::vector<at::Tensor> tensors, const ferry::tree::Context& width) {
        return {std::move(tensors), *width.as_integer()};
    }
};

struct point_entry {
    using type = my::point;
    static constexpr std::string_view name = "my.Point";
    using leaves = ferry::members<&type::y, &type::x>;
};

struct layer_pair {
    my::layer first, second;
};
struct layer_pair_node {
    using type = layer_pair;
    static constexpr std::string_view name = "my.Pair";
    struct parts {
        BOOST_HANA_DEFINE_STRUCT(parts, (my::layer, first), (my::layer, second));
    };
    static parts flatten(const type& value) { return {value.first, value.second}; }
    static type unflatten(parts value) { return {value.first, value.second}; }
};

using Nodes = ferry::pytrees<my::kv_cache_node, window_node, layer_pair_node>;

static_assert(ferry::tree::detail::described<my::point, ferry::pytrees<>>);
static_assert(!ferry::tree::detail::described<my::window, ferry::pytrees<>>);
static_assert(ferry::tree::detail::described<my::window, Nodes>);

}  // namespace

TEST_CASE("node: members with constants, as an entry") {
    const at::Tensor t = at::ones({2});
    const my::kv_cache cache{{t, t}, {t}, 128, 0.5, {{3, "three"}}};
    const Tree tree = flatten<Nodes>(cache);
    CHECK(tree.spec.leaf_paths() == Paths{"keys.0", "keys.1", "values.0"});
    CHECK(
        tree.spec.str() ==
        "TreeSpec(KvCache, {'max_len': 128, 'scale': 0.5, 'notes': {'3': 'three'}}, [TreeSpec(list, None, [*,\n    *]),\n  TreeSpec(list, None, [*])])");
    const auto back = unflatten<my::kv_cache, Nodes>(tree);
    CHECK(back.keys.size() == 2);
    CHECK(back.values[0].is_same(t));
    CHECK(back.max_len == 128);
    CHECK(back.scale == 0.5);
    CHECK((back.notes == cache.notes));
    CHECK_FALSE(unflatten<my::kv_cache, Nodes>(flatten<Nodes>(my::kv_cache{})).scale.has_value());
}

TEST_CASE("node: members without a name are a dict") {
    const Tree tree = flatten(my::point{1, 2});
    CHECK(tree.spec == TreeSpec::dict({"x", "y"}, {{}, {}}));
    CHECK(unflatten<my::point>(tree).y == 2);
}

TEST_CASE("node: an entry takes precedence over a specialisation") {
    const Tree tree = flatten<ferry::pytrees<point_entry>>(my::point{1, 2});
    CHECK(tree.spec.type() == "my.Point");
    CHECK((tree.leaves == std::vector<ferry::Leaf>{2.0, 1.0}));
    CHECK(unflatten<my::point, ferry::pytrees<point_entry>>(tree).x == 1);
    CHECK_THROWS_AS(static_cast<void>(unflatten<my::point>(tree)), ferry::Error);
}

TEST_CASE("node: functions with a context, for a type without default constructor, inside other types") {
    const at::Tensor t = at::ones({2});
    const std::vector<std::pair<int, my::window>> windows{{1, my::window({t}, 7)}, {2, my::window({}, 8)}};
    const Tree tree = flatten<Nodes>(windows);
    CHECK(tree.spec.leaf_paths() == Paths{"0.0", "0.1.0", "1.0"});
    CHECK(tree.at("0.1").spec.str() == "TreeSpec(Window, 7, [*])");
    const auto back = unflatten<std::vector<std::pair<int, my::window>>, Nodes>(tree);
    CHECK(back[1].second.width() == 8);
    CHECK(back[0].second.tensors()[0].is_same(t));
}

TEST_CASE("node: functions that give a struct keep its members' names") {
    const at::Tensor t = at::ones({2});
    const Tree tree = flatten<Nodes>(layer_pair{{t, t}, {t, t}});
    CHECK(tree.spec.type() == "my.Pair");
    CHECK(tree.spec.leaf_paths() == Paths{"first.keys", "first.values", "second.keys", "second.values"});
    CHECK(unflatten<layer_pair, Nodes>(tree).second.keys.is_same(t));
}

TEST_CASE("node: functions without a name stand for what they give") {
    const my::boxed box{std::make_shared<std::int64_t>(5)};
    CHECK(flatten(box) == flatten(5));
    CHECK(*unflatten<my::boxed>(flatten(5)).value == 5);
}

TEST_CASE("node: a node of another type, size or context does not fit") {
    const Tree tree = flatten<Nodes>(my::kv_cache{});
    CHECK_THROWS_WITH_AS(
        static_cast<void>(unflatten<my::window, Nodes>(tree)),
        "ferry: invalid input: the tree does not fit the C++ type: expected my.Window, found my.KvCache of 2 (at <root>)",
        ferry::Error);
    const Tree bare(TreeSpec::opaque("my.KvCache", {}, tree.spec.children()), {});
    CHECK_THROWS_WITH_AS(
        static_cast<void>(unflatten<my::kv_cache, Nodes>(bare)),
        "ferry: invalid input: the tree does not fit the C++ type: expected a context with 'max_len', found the context None (at <root>)",
        ferry::Error);
    const Tree small(TreeSpec::opaque("my.KvCache", tree.spec.context(), {}), {});
    CHECK_THROWS_AS(static_cast<void>(unflatten<my::kv_cache, Nodes>(small)), ferry::Error);
    const auto wrong = ferry::tree::Context::dict({"max_len", "scale", "notes"}, {"long", {}, {}});
    CHECK_THROWS_WITH_AS(
        static_cast<void>(
            unflatten<my::kv_cache, Nodes>(Tree(TreeSpec::opaque("my.KvCache", wrong, tree.spec.children()), {}))),
        "ferry: invalid input: the tree does not fit the C++ type: expected an integer, found a string (at (context).max_len)",
        ferry::Error);
}
