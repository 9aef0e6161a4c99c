#include <ferry/tree/unflatten.hpp>

#include "types.hpp"

#include <ferry/tree/flatten.hpp>
#include <ferry/tree/spec_json.hpp>

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

using ferry::Leaf;
using ferry::Tree;
using ferry::TreeSpec;
using ferry::tree::flatten;
using ferry::tree::unflatten;

/// The same value, through the tree and through the tree with its spec written and read again.
template <class Type>
void round_trip(const Type& value) {
    const Tree tree = flatten(value);
    CHECK((unflatten<Type>(tree) == value));
    CHECK((unflatten<Type>(ferry::tree::treespec_loads(ferry::tree::treespec_dumps(tree.spec)), tree.leaves) == value));
}

template <class Type>
void refused(const Tree& tree, const std::string& path, const std::string& message) {
    try {
        static_cast<void>(unflatten<Type>(tree));
        FAIL_CHECK("accepted");
    } catch (const ferry::Error& error) {
        CHECK((error.kind() == ferry::ErrorKind::invalid_input));
        CHECK(error.where().path == path);
        CHECK(error.message() == "the tree does not fit the C++ type: " + message);
    }
}

}  // namespace

TEST_CASE("unflatten: values come back with their types") {
    round_trip(3);
    round_trip(std::int8_t{-128});
    round_trip(std::numeric_limits<std::int64_t>::min());
    round_trip(std::uint16_t{65535});
    round_trip(0.1F);
    round_trip(1e300);
    round_trip(false);
    round_trip(std::string("a\nb"));
    round_trip(std::optional<std::string>());
    round_trip(std::optional<std::string>("x"));
    round_trip(std::vector<std::vector<int>>{{}, {1}, {2, 3}});
    round_trip(std::vector<bool>{true, false, true});
    round_trip(std::vector<std::optional<int>>{1, {}, 3});
    round_trip(std::array<std::string, 2>{"a", "b"});
    round_trip(std::tuple<int, std::pair<double, bool>, std::tuple<>>{1, {2, true}, {}});
    round_trip(std::map<std::string, int>{{"", 0}, {"a.b", 1}, {"\xc3\xa9", 2}});
    round_trip(std::map<std::uint64_t, std::vector<int>>{{std::numeric_limits<std::uint64_t>::max(), {1}}, {0, {}}});
    round_trip(std::unordered_map<int, std::string>{{-5, "a"}, {7, "b"}});
}

TEST_CASE("unflatten: structs and tensors come back") {
    const at::Tensor a = at::ones({1}), b = at::ones({2});
    const auto back = unflatten<my::model_inputs>(flatten(my::model_inputs{a, b, {{a, b}}}));
    CHECK(back.input_ids.is_same(a));
    CHECK(back.mask->is_same(b));
    CHECK(back.past_key_values.at(0).values.is_same(b));
    CHECK_FALSE(unflatten<my::model_inputs>(flatten(my::model_inputs{a, {}, {}})).mask.has_value());
    CHECK(unflatten<my::adapted>(flatten(my::adapted{2.5, "fast"})).mode == "fast");
    CHECK(unflatten<my::family>(flatten(my::family{"a", {{"b", {{"c", {}}}}}})).children[0].children[0].name == "c");
    // An undefined tensor is not None: it comes back as itself, also out of an optional.
    CHECK(unflatten<std::optional<at::Tensor>>(flatten(std::optional(at::Tensor()))).has_value());
}

TEST_CASE("unflatten: a variant holds the alternative it held") {
    using ambiguous = std::variant<std::int64_t, int, std::vector<int>, std::vector<double>, std::variant<int, bool>>;
    for (const ambiguous& value : {ambiguous(std::in_place_index<0>, 1), ambiguous(std::in_place_index<1>, 1),
                                   ambiguous(std::in_place_index<2>), ambiguous(std::in_place_index<3>),
                                   ambiguous(std::in_place_index<4>, 7), ambiguous(std::in_place_index<4>, true)})
        CHECK((unflatten<std::vector<ambiguous>>(flatten(std::vector{value, value}))[1] == value));

    // Once the spec has been through Python, the first alternative that fits is taken: so much can still be told apart.
    using distinct = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<int>,
                                  std::tuple<int, int>, my::point>;
    const auto through_json = [](const distinct& value) {
        const Tree tree = flatten(value);
        return unflatten<distinct>(ferry::tree::treespec_loads(ferry::tree::treespec_dumps(tree.spec)), tree.leaves)
            .index();
    };
    const std::vector<distinct> values{
        std::monostate{}, true,           std::int64_t{2}, 2.5, std::string("x"), std::vector<int>{1, 2},
        std::tuple(1, 2), my::point{1, 2}};
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(through_json(values[i]) == i);

    refused<std::variant<int, std::string>>(flatten(2.5), "<root>",
                                            "expected one of the alternatives of a std::variant, found none that fits");
}

TEST_CASE("unflatten: what does not fit is named") {
    using map = std::map<std::string, std::vector<int>>;
    refused<map>(flatten(std::map<std::string, std::vector<double>>{{"a", {}}, {"b", {1.5}}}), "b.0",
                 "expected an integer, found a floating-point number");
    refused<map>(flatten(std::map<std::string, int>{{"a", 1}}), "a", "expected a list, found an integer");
    refused<map>(flatten(std::map<int, std::vector<int>>{{1, {}}}), "<root>",
                 "expected a dict whose keys are strings, found a builtins.dict with the keys [1]");
    refused<std::map<int, int>>(
        flatten(std::map<std::string, int>{{"1x", 1}}), "<root>",
        "expected a dict whose keys are integers that fit the map's key type, found a builtins.dict with the keys ['1x']");
    refused<std::map<std::int8_t, int>>(
        flatten(std::map<int, int>{{300, 1}}), "<root>",
        "expected a dict whose keys are integers that fit the map's key type, found a builtins.dict with the keys [300]");
    refused<std::vector<std::int8_t>>(flatten(std::vector<int>{1, 300}), "1",
                                      "expected an integer from -128 to 127, found 300");
    refused<unsigned>(flatten(-1), "<root>", "expected an integer from 0 to 4294967295, found -1");
    refused<std::array<int, 3>>(flatten(std::array<int, 2>{}), "<root>",
                                "expected a tuple of 3, found a builtins.tuple of 2");
    refused<std::pair<int, at::Tensor>>(flatten(std::pair(1, std::optional<at::Tensor>())), "1",
                                        "expected a tensor, found None");
    refused<std::string>(ferry::tree::flatten(at::ones({2})), "<root>", "expected a string, found a tensor");
    refused<double>(flatten(std::tuple(1)), "<root>", "expected a floating-point number, found a builtins.tuple of 1");
    refused<std::string>(ferry::tree::flatten(at::Tensor()), "<root>", "expected a string, found an undefined tensor");
    refused<my::point>(flatten(std::map<std::string, double>{{"x", 1}, {"z", 1}}), "<root>",
                       "expected a dict with the keys ['x', 'y'], found a builtins.dict with the keys ['x', 'z']");
    refused<my::point>(flatten(std::map<std::string, double>{{"x", 1}}), "<root>",
                       "expected a dict with the keys ['x', 'y'], found a builtins.dict with the keys ['x']");
    refused<std::vector<my::layer>>(flatten(std::vector<std::map<std::string, int>>{{{"keys", 1}, {"values", 2}}}),
                                    "0.keys", "expected a tensor, found an integer");
    refused<std::map<std::string, int>>(
        Tree(TreeSpec::dict({"a", "a"}, {{}, {}}), {1, 2}), "<root>",
        "expected a dict without repeated keys, found a builtins.dict with the keys ['a', 'a']");
    refused<Leaf>(flatten(std::tuple(1)), "<root>", "expected a leaf, found a builtins.tuple of 1");
    CHECK_THROWS_WITH_AS(
        static_cast<void>(unflatten<std::vector<int>>(TreeSpec::list({{}, {}}), {1})),
        "ferry: invalid input: the tree has 2 leaves, but 1 were given (at 1)\n  hint: the first one missing is '1'",
        ferry::Error);
}

TEST_CASE("unflatten: Python is free with sequences, mappings and the order of keys") {
    CHECK(unflatten<std::vector<int>>(flatten(std::tuple(1, 2))) == std::vector<int>{1, 2});
    CHECK((unflatten<std::pair<int, int>>(flatten(std::vector<int>{1, 2})) == std::pair(1, 2)));
    const Tree reversed = Tree::dict({"y", "x"}, {Leaf(2.0), Leaf(1.0)});
    CHECK(unflatten<my::point>(reversed).x == 1);
    const Tree ordered(
        TreeSpec::container(TreeSpec::Kind::ordered_dict, ferry::tree::Context::list({"x", "y"}), {{}, {}}),
        {1.0, 2.0});
    CHECK(unflatten<my::point>(ordered).y == 2);
    CHECK(unflatten<std::map<std::string, double>>(ordered).size() == 2);
}
