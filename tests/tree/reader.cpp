#include <ferry/tree/reader.hpp>

#include <doctest/doctest.h>

#include <string_view>

using ferry::Leaf;
using ferry::Tree;
using ferry::TreeSpec;
using ferry::tree::Reader;

TEST_CASE("reader: children know their paths and leaves") {
    const Tree tree = Tree::dict({"a", "b"}, {Leaf(1), Tree::list({Leaf(2), Leaf(3)})});
    const Reader root(tree, "inputs");
    const auto children = root.mapping();
    const auto items = children[1].sequence(TreeSpec::Kind::list);
    CHECK(items[1].path() == "inputs.b.1");
    CHECK(items[1].leaf(Leaf::Kind::integer) == Leaf(3));
    CHECK(children[1].tree() == tree.at("b"));
    CHECK(Reader(tree).path().empty());
}

TEST_CASE("reader: strict takes only what flattening writes") {
    const Tree tuple = Tree::tuple({Leaf(1)});
    const Reader reader(tuple);
    CHECK(reader.sequence(TreeSpec::Kind::list).size() == 1);
    CHECK_THROWS_AS(static_cast<void>(reader.as_strict(true).sequence(TreeSpec::Kind::list)), ferry::Error);
    CHECK(reader.as_strict(true).sequence(TreeSpec::Kind::tuple).size() == 1);
}

TEST_CASE("reader: members come in the order asked for") {
    const Tree tree = Tree::dict({"a", "b"}, {Leaf(1), Leaf(2)});
    const std::string_view names[] = {"b", "a"};
    const Reader reader(tree);
    const auto members = reader.members(names);
    CHECK(members[0].leaf(Leaf::Kind::integer) == Leaf(2));
    CHECK(members[0].path() == "b");
}
