// Random trees, made from a fixed seed: what goes through a tree, a spec's text or a path must come out as it went in.

#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf_tensors.hpp>
#include <ferry/tree/spec_json.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/ops/ones.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using ferry::Leaf;
using ferry::Tree;
using ferry::TreeSpec;
using ferry::tree::Context;

class Maker {
public:
    explicit Maker(std::uint32_t seed) : random_(seed) {}

    std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

    std::string text() {
        constexpr const char* pieces[] = {"a",  "key", "0",        "\"",           "'",
                                          "\\", "\n",  "\xc3\xa9", "\xe2\x80\x8b", "\xf0\x9f\x98\x80",
                                          "{",  "]",   " ",        "\x7f"};
        std::string made;
        for (std::size_t i = below(4); i > 0; --i) made += pieces[below(std::size(pieces))];
        return made;
    }

    Leaf leaf() {
        switch (below(6)) {
            case 0: return {};
            case 1: return below(2) == 0;
            case 2: return static_cast<std::int64_t>(random_()) - (1LL << 31);
            case 3: return std::uniform_real_distribution<double>(-1e20, 1e20)(random_);
            case 4: return text();
            default: return at::ones({static_cast<std::int64_t>(below(3))});
        }
    }

    Tree tree(std::size_t depth) {
        if (depth == 0 || below(4) == 0) return leaf();
        std::vector<Tree> children;
        for (std::size_t i = below(4); i > 0; --i) children.push_back(tree(depth - 1));
        switch (below(4)) {
            case 0: return Tree::list(std::move(children));
            case 1: return Tree::tuple(std::move(children));
            case 2: {
                Tree parts = Tree::list(std::move(children));
                return {TreeSpec::opaque("my.Type" + std::to_string(below(3)), context(2), parts.spec.children()),
                        std::move(parts.leaves)};
            }
            default: {
                std::vector<Context> keys;
                for (std::size_t i = 0; i < children.size(); ++i)
                    keys.push_back(below(3) == 0 ? Context(-1 - static_cast<int>(i))
                                                 : Context(std::to_string(i) + text()));
                return Tree::dict(std::move(keys), std::move(children));
            }
        }
    }

    Context context(std::size_t depth) {
        switch (below(depth == 0 ? 5 : 7)) {
            case 0: return {};
            case 1: return below(2) == 0;
            case 2: return static_cast<int>(below(1000)) - 500;
            case 3: return std::uniform_real_distribution<double>(-1, 1)(random_);
            case 4: return text();
            case 5: return Context::list({context(depth - 1), context(depth - 1)});
            default: return Context::dict({"a", "b" + text()}, {context(depth - 1), context(depth - 1)});
        }
    }

private:
    std::mt19937 random_;
};

using nested =
    std::map<std::string, std::vector<std::variant<std::int64_t, std::optional<double>, std::pair<bool, std::string>>>>;

}  // namespace

TEST_CASE("property: run-time trees come back from every form") {
    Maker make(1234);
    std::size_t leaves = 0;
    for (int round = 0; round < 2000; ++round) {
        const Tree tree = make.tree(5);
        leaves += tree.leaves.size();
        CHECK((ferry::tree::flatten(tree) == tree));
        CHECK((ferry::tree::unflatten<Tree>(tree.spec, tree.leaves) == tree));

        const std::string text = ferry::tree::treespec_dumps(tree.spec);
        const TreeSpec read = ferry::tree::treespec_loads(text);
        CHECK((read == tree.spec));
        CHECK(read.str() == tree.spec.str());
        CHECK(ferry::tree::treespec_dumps(read) == text);

        const ferry::Inputs inputs = ferry::inputs("x", tree, "y", std::vector{tree, tree});
        CHECK((ferry::tree::unflatten<ferry::Inputs>(ferry::tree::flatten(inputs)) == inputs));
        CHECK((inputs.at("y.1") == tree));
        CHECK((ferry::cast_leaf_tensors(inputs, ferry::CastOptions{}) == inputs));

        const auto paths = tree.spec.leaf_paths();
        REQUIRE(paths.size() == tree.leaves.size());
        for (std::size_t i = 0; i < paths.size() && !tree.is_leaf(); ++i)
            CHECK((tree.leaf(paths[i]) == tree.leaves[i]));
    }
    CHECK(leaves > 5000);
}

TEST_CASE("property: typed values come back with their types") {
    Maker make(99);
    for (int round = 0; round < 500; ++round) {
        nested value;
        for (std::size_t keys = make.below(4); keys > 0; --keys) {
            auto& items = value[make.text()];
            for (std::size_t i = make.below(4); i > 0; --i) switch (make.below(4)) {
                    case 0: items.emplace_back(static_cast<std::int64_t>(make.below(100))); break;
                    case 1: items.emplace_back(std::optional<double>()); break;
                    case 2: items.emplace_back(std::optional<double>(0.5)); break;
                    default: items.emplace_back(std::pair(true, make.text()));
                }
        }
        const Tree tree = ferry::tree::flatten(value);
        CHECK((ferry::tree::unflatten<nested>(tree) == value));
        CHECK((ferry::tree::unflatten<nested>(ferry::tree::treespec_loads(ferry::tree::treespec_dumps(tree.spec)),
                                              tree.leaves) == value));
    }
}
