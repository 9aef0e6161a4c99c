#include <ferry/tree/tree.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using ferry::Leaf;
using ferry::Tree;
using ferry::TreeSpec;

TEST_CASE("tree: built at run time, looked up by path") {
    Tree tree = Tree::dict({"ids", "past"}, {Leaf(1), Tree::list({Tree::tuple({Leaf(2), Leaf("x")}), Leaf()})});
    CHECK(tree.spec.leaf_paths() == std::vector<std::string>{"ids", "past.0.0", "past.0.1", "past.1"});
    CHECK((tree.leaves == std::vector<Leaf>{1, 2, "x", {}}));
    CHECK(tree.at("past.0") == Tree::tuple({Leaf(2), Leaf("x")}));
    CHECK(tree.at("") == tree);
    CHECK(tree.leaf("past.0.1") == Leaf("x"));
    CHECK(tree.contains("past.1"));
    CHECK_FALSE(tree.contains("past.2"));
    CHECK(tree.children().size() == 2);
    CHECK(tree.children()[1] == tree.at("past"));

    const Tree before = tree;
    tree.leaf("past.1") = 3.5;
    CHECK(tree.same_structure(before));
    CHECK(tree != before);
    CHECK(before.leaf("past.1").is_none());
}

TEST_CASE("tree: a wrong path or number of leaves names what there is") {
    const Tree tree = Tree::list({Leaf(1), Leaf(2)});
    try {
        static_cast<void>(tree.at("2"));
        FAIL("accepted");
    } catch (const ferry::Error& error) {
        CHECK(error.where().path == "2");
        CHECK(error.hint() == "its leaves are: 0, 1");
    }
    CHECK_THROWS_AS(static_cast<void>(tree.leaf("")), ferry::Error);
    try {
        Tree(tree.spec, {Leaf(1)});
        FAIL("accepted");
    } catch (const ferry::Error& error) {
        CHECK(error.message() == "the tree has 2 leaves, but 1 were given");
        CHECK(error.where().path == "1");
    }
    CHECK_THROWS_AS(Tree(TreeSpec{}, {}), ferry::Error);
    CHECK_THROWS_AS(Tree(TreeSpec{}, {1, 2}), ferry::Error);
}
