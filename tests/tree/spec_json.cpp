#include <ferry/tree/spec_json.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using ferry::TreeSpec;
using ferry::tree::Context;
using ferry::tree::treespec_dumps;
using ferry::tree::treespec_loads;

namespace {

const TreeSpec leaf;
constexpr std::string_view leaf_text = R"({"type": null, "context": null, "children_spec": []})";

/// What Python wrote for one of everything; peer_treespec.py has many more, made anew on each run.
const std::string everything =
    R"([1, {"type": "builtins.dict", "context": "[\"a\", 1, \"\\u00e9\"]", "children_spec": [)" +
    std::string(leaf_text) + R"(, {"type": "collections.OrderedDict", "context": "[\"k\"]", "children_spec": [)" +
    std::string(leaf_text) +
    R"(]}, {"type": "builtins.list", "context": "null", "children_spec": [{"type": "collections.deque", "context": "3", "children_spec": []}, )"
    R"({"type": "collections.defaultdict", "context": {"default_factory_module": "builtins", "default_factory_name": "list", "dict_context": ["z"]}, "children_spec": [)" +
    std::string(leaf_text) +
    R"(]}, {"type": "m.Point", "context": "m.Point", "children_spec": []}, {"type": "transformers.cache_utils.DynamicCache", "context": "[[\"key_cache\"], [null, 128]]", "children_spec": [)" +
    std::string(leaf_text) + R"(]}]}]}])";

}  // namespace

TEST_CASE("spec json: reads and writes back what Python wrote") {
    const TreeSpec spec = treespec_loads(everything);
    CHECK(treespec_dumps(spec) == everything);
    CHECK(spec.num_leaves() == 4);
    CHECK(
        spec.str() ==
        "TreeSpec(dict, ['a', 1, '\xc3\xa9'], [*,\n  TreeSpec(OrderedDict, ['k'], [*]),\n  TreeSpec(list, None, [TreeSpec(deque, 3, []),\n"
        "    TreeSpec(defaultdict, [<class 'list'>, ['z']], [*]),\n    TreeSpec(Point, <class 'm.Point'>, []),\n"
        "    TreeSpec(DynamicCache, [['key_cache'], [None, 128]], [*])])])");
    CHECK(spec.leaf_paths() == std::vector<std::string>{"a", "1.k", "\xc3\xa9.1.z", "\xc3\xa9.3.key_cache"});
    CHECK(treespec_dumps(leaf) == "[1, " + std::string(leaf_text) + "]");
    CHECK(treespec_loads(treespec_dumps(leaf)) == leaf);
}

TEST_CASE("spec json: contexts of unknown classes stay verbatim") {
    for (const std::string_view context :
         {R"("not json")", R"("[1,2]")", R"({"a": [1, 2.5]})", "null", "3", R"("1.50")", R"("null")", R"("\"x\"")"}) {
        const std::string text =
            R"([1, {"type": "some.Class", "context": )" + std::string(context) + R"(, "children_spec": []}])";
        CHECK(treespec_dumps(treespec_loads(text)) == text);
    }
}

TEST_CASE("spec json: what is no tree spec is refused as a bad file") {
    const auto node = [](std::string_view rest) { return "[1, {" + std::string(rest) + "}]"; };
    for (const std::string& bad :
         {std::string("{}"), std::string("[1]"), std::string("[2, ") + std::string(leaf_text) + "]",
          std::string("[1, null]"), std::string("[1, []]"), node(""), node(R"("type": null, "context": null)"),
          node(R"("type": null, "context": "x", "children_spec": [])"),
          node(R"("type": null, "context": null, "children_spec": [1])"),
          node(R"("type": 3, "context": null, "children_spec": [])"),
          node(R"("type": "", "context": null, "children_spec": [])"),
          node(R"("type": "builtins.list", "context": null, "children_spec": [])"),
          node(R"("type": "builtins.list", "context": "3", "children_spec": [])"),
          node(R"("type": "builtins.dict", "context": "[\"a\"]", "children_spec": [])"),
          node(R"("type": "builtins.dict", "context": "{", "children_spec": [])"),
          node(R"("type": "builtins.list", "context": "null", "children_spec": {})"),
          node(R"("type": "collections.deque", "context": "\"x\"", "children_spec": [])"),
          node(R"("type": "collections.defaultdict", "context": {"a": 1}, "children_spec": [])")}) {
        CAPTURE(bad);
        try {
            static_cast<void>(treespec_loads(bad));
            FAIL_CHECK("accepted");
        } catch (const ferry::Error& error) {
            CHECK(error.kind() == ferry::ErrorKind::bad_file);
        }
    }
}

TEST_CASE("spec json: depth is limited on both sides") {
    const auto nested = [](std::size_t depth) {
        std::string text = "[1, ";
        for (std::size_t i = 0; i < depth; ++i)
            text += R"({"type": "builtins.list", "context": "null", "children_spec": [)";
        for (std::size_t i = 0; i < depth; ++i) text += "]}";
        return text + "]";
    };
    CHECK(treespec_dumps(treespec_loads(nested(TreeSpec::max_depth))) == nested(TreeSpec::max_depth));
    CHECK_THROWS_AS(static_cast<void>(treespec_loads(nested(TreeSpec::max_depth + 1))), ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(treespec_loads(nested(200'000))), ferry::Error);
}

TEST_CASE("spec json: damaged text is an error or another spec, never a crash") {
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    constexpr std::string_view likely = "[]{}\",:\\u0129.eE-+ntf\x01\xff";
    int errors = 0, specs = 0;
    for (int round = 0; round < 6000; ++round) {
        std::string text = everything;
        for (std::size_t change = 0; change <= below(4); ++change) {
            const std::size_t at = below(text.size());
            switch (below(5)) {
                case 0: text[at] = likely[below(likely.size())]; break;
                case 1: text[at] = static_cast<char>(below(256)); break;
                case 2: text.erase(at, 1 + below(20)); break;
                case 3: text.insert(at, 1, likely[below(likely.size())]); break;
                case 4: text.insert(at, text.substr(below(text.size()), below(200))); break;
            }
            if (text.empty()) text = " ";
        }
        if (below(10) == 0) text.resize(below(text.size()));
        try {
            const TreeSpec spec = treespec_loads(text);
            ++specs;
            CHECK(treespec_loads(treespec_dumps(spec)) == spec);
            CHECK(spec.leaf_paths().size() == spec.num_leaves());
            CHECK_FALSE(spec.str().empty());
        } catch (const ferry::Error& error) {
            ++errors;
            if (error.kind() != ferry::ErrorKind::bad_file) FAIL_CHECK(error.what());
        }
    }
    CHECK(errors > 1000);
    CHECK(specs > 50);
}
