#include <ferry/tree/spec.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using ferry::TreeSpec;
using ferry::tree::Context;
using Paths = std::vector<std::string>;

namespace {
const TreeSpec leaf;
}

TEST_CASE("spec: counts, names and paths") {
    const TreeSpec spec =
        TreeSpec::dict({"ids", 7}, {leaf, TreeSpec::list({TreeSpec::tuple({leaf, leaf}), TreeSpec::list({}), leaf})});
    CHECK(spec.num_leaves() == 4);
    CHECK(spec.num_nodes() == 8);
    CHECK(spec.leaf_paths() == Paths{"ids", "7.0.0", "7.0.1", "7.2"});
    CHECK(leaf.leaf_paths() == Paths{""});
    CHECK(TreeSpec::list({}).leaf_paths().empty());
    CHECK(spec.type() == "builtins.dict");
    CHECK(leaf.type().empty());
    CHECK(TreeSpec::list({}) != leaf);
}

TEST_CASE("spec: equal means the same types, contexts and children") {
    CHECK(leaf == TreeSpec{});
    CHECK(TreeSpec::list({leaf}) == TreeSpec::list({leaf}));
    CHECK(TreeSpec::list({leaf}) != TreeSpec::tuple({leaf}));
    CHECK(TreeSpec::list({leaf}) != TreeSpec::list({leaf, leaf}));
    CHECK(TreeSpec::dict({"a"}, {leaf}) != TreeSpec::dict({"b"}, {leaf}));
    CHECK(TreeSpec::dict({"1"}, {leaf}) != TreeSpec::dict({1}, {leaf}));
    CHECK(TreeSpec::opaque("a.A", {}, {leaf}, {"x"}) == TreeSpec::opaque("a.A", {}, {leaf}));
    CHECK(TreeSpec::opaque("a.A", {}, {leaf}) != TreeSpec::opaque("a.B", {}, {leaf}));
    CHECK(TreeSpec::list({leaf}).with_choice(1) == TreeSpec::list({leaf}));
    CHECK(leaf.with_choice(3) == leaf);
}

TEST_CASE("spec: finds what is at a path") {
    const TreeSpec past = TreeSpec::list({TreeSpec::dict({"keys", "values"}, {leaf, leaf})});
    const TreeSpec spec = TreeSpec::dict({"ids", "past", "a", "a.b"},
                                         {leaf, past, TreeSpec::dict({"c"}, {leaf}), TreeSpec::dict({"d"}, {leaf})});
    CHECK(spec.find("past.0.values")->first_leaf == 2);
    CHECK(spec.find("past")->spec == past);
    CHECK(spec.find("")->spec == spec);
    CHECK(spec.find("a.b.d")->first_leaf == 4);  // behind a key that has a dot in it
    for (const char* missing : {"x", "past.1", "past.0.values.0", "pas", "past.", "ids.", ".ids", "a.d"})
        CHECK_FALSE(spec.find(missing));
}

TEST_CASE("spec: prints as Python does") {
    CHECK(leaf.str() == "*");
    CHECK(TreeSpec::list({}).str() == "TreeSpec(list, None, [])");
    CHECK(TreeSpec::dict({"a", "b"}, {leaf, TreeSpec::tuple({leaf, leaf})}).str() ==
          "TreeSpec(dict, ['a', 'b'], [*,\n  TreeSpec(tuple, None, [*,\n    *])])");
    CHECK(TreeSpec::container(TreeSpec::Kind::deque, 5, {leaf}).str() == "TreeSpec(deque, 5, [*])");
    CHECK(TreeSpec::container(TreeSpec::Kind::named_tuple, "m.Point", {leaf}).str() ==
          "TreeSpec(namedtuple, <class 'm.Point'>, [*])");
    CHECK(TreeSpec::opaque("transformers.cache_utils.DynamicCache", Context::list({1}), {leaf}).str() ==
          "TreeSpec(DynamicCache, [1], [*])");
}

TEST_CASE("spec: names of a registered type's children come from the names given or from its context") {
    CHECK(TreeSpec::opaque("a.A", {}, {leaf}, {"keys"}).leaf_paths() == Paths{"keys"});
    CHECK(TreeSpec::opaque("a.A", {}, {leaf}).leaf_paths() == Paths{"0"});
    const auto cache = Context::list({Context::list({"key_cache", "value_cache"}), Context::list({{}, {}})});
    CHECK(TreeSpec::opaque("a.Cache", cache, {leaf, leaf}).leaf_paths() == Paths{"key_cache", "value_cache"});
    CHECK(TreeSpec::opaque("a.Output", Context::list({"logits"}), {leaf}).leaf_paths() == Paths{"logits"});
    CHECK(TreeSpec::opaque("a.Output", Context::list({"logits"}), {leaf, leaf}).leaf_paths() == Paths{"0", "1"});
}

TEST_CASE("spec: names of what transformers flattens are the object's own") {
    const auto tensor = [](std::int64_t index) { return Context::dict({"_t", "i"}, {"tensor", index}); };
    const auto layer = [&](std::int64_t first) {
        const auto state = Context::dict({"keys", "values", "is_initialized", "dtype"},
                                         {tensor(first), tensor(first + 1), true, Context::dict({"_t"}, {"dtype"})});
        return Context::dict({"_t", "p", "s"}, {"obj", "m:Layer", state});
    };
    const auto cache_of = [&](const Context& layers) {
        return Context::dict({"_t", "p", "s"}, {"obj", "m:Cache", Context::dict({"layers", "window"}, {layers, {}})});
    };
    const auto lists = cache_of(Context::list({layer(0), layer(2)}));
    CHECK(TreeSpec::opaque("m:Cache", lists, {leaf, leaf, leaf, leaf}).leaf_paths() ==
          Paths{"layers.0.keys", "layers.0.values", "layers.1.keys", "layers.1.values"});
    const auto maps = cache_of(Context::dict({"_t", "p", "v"}, {"map", "m:Map", Context::dict({"a"}, {layer(0)})}));
    CHECK(TreeSpec::opaque("m:Cache", maps, {leaf, leaf}).leaf_paths() == Paths{"layers.a.keys", "layers.a.values"});
    const auto tuples = cache_of(Context::dict({"_t", "v"}, {"seq", Context::list({tensor(1), tensor(0)})}));
    const TreeSpec swapped = TreeSpec::opaque("m:Cache", tuples, {leaf, leaf});
    CHECK(swapped.leaf_paths() == Paths{"layers.1", "layers.0"});
    REQUIRE(swapped.find("layers.0").has_value());
    CHECK(swapped.find("layers.0")->first_leaf == 1);
    // One that does not name all of the children, or others, names none.
    CHECK(TreeSpec::opaque("m:Cache", maps, {leaf, leaf, leaf}).leaf_paths() == Paths{"0", "1", "2"});
    CHECK(TreeSpec::opaque("m:Cache", maps, {leaf}).leaf_paths() == Paths{"layers.a.keys"});
}

TEST_CASE("spec: contexts that do not belong to a container are refused") {
    using Kind = TreeSpec::Kind;
    const auto refused = [](Kind kind, Context context, std::vector<TreeSpec> children) {
        CHECK_THROWS_AS(static_cast<void>(TreeSpec::container(kind, std::move(context), std::move(children))),
                        ferry::Error);
    };
    refused(Kind::leaf, {}, {});
    refused(Kind::opaque, {}, {});
    refused(Kind::list, 1, {});
    refused(Kind::tuple, "x", {});
    refused(Kind::dict, {}, {});
    refused(Kind::dict, Context::list({"a"}), {});
    refused(Kind::ordered_dict, Context::dict({}, {}), {});
    refused(Kind::deque, "5", {});
    refused(Kind::named_tuple, {}, {});
    refused(Kind::default_dict, Context::list({}), {});
    refused(Kind::default_dict,
            Context::dict({"default_factory_module", "default_factory_name", "dict_context"}, {"builtins", "list", 3}),
            {});
    CHECK_THROWS_AS(static_cast<void>(TreeSpec::opaque("", {}, {})), ferry::Error);
}

TEST_CASE("spec: depth is limited") {
    TreeSpec spec;
    for (std::size_t i = 0; i < TreeSpec::max_depth; ++i) spec = TreeSpec::list({spec});
    CHECK(spec.str().size() > TreeSpec::max_depth);
    CHECK_THROWS_AS(static_cast<void>(TreeSpec::list({spec})), ferry::Error);
}
