#include <ferry/graph/graph.hpp>

#include "build.hpp"

#include <ferry/graph/verify.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace ferry;
using build::call;
using build::tensor;

namespace {

std::vector<std::string> names(const Graph& graph) {
    std::vector<std::string> found;
    for (const Node& node : graph.nodes()) found.push_back(graph.info(node.output()).name);
    return found;
}
using Names = std::vector<std::string>;

struct Chain {
    Graph g;
    Value x = g.add_input("x", tensor({2}));
    Value a = call(g, "aten::sin", {{"self", x}}, tensor({2}));
    Value b = call(g, "aten::add.Tensor", {{"self", a}, {"other", a}}, tensor({2}));
    Value c = call(g, "aten::cat", {{"tensors", ArgumentList{a, b, x}}}, tensor({6}));
    Chain() { g.set_outputs({c, ArgumentList{a, c}}); }
    Node& node(Value value) { return *g.info(value).producer; }
};

}  // namespace

TEST_CASE("names are those that fx gives") {
    Graph g;
    const auto name = [&](std::string_view base) { return g.info(g.new_value(base, {})).name; };
    CHECK(name("add") == "add");
    CHECK(name("add") == "add_1");
    CHECK(name("add_5") == "add_5");
    CHECK(name("add") == "add_6");
    CHECK(name("add_5") == "add_7");
    CHECK(name("sum") == "sum_1");
    CHECK(name("sum") == "sum_2");
    CHECK(name("add_") == "add_");
    CHECK(name("add_") == "add__1");
    CHECK(name("getitem") == "getitem");
    // An input keeps a word of Python as its name, a value that comes later does not.
    CHECK(g.info(g.add_input("input", {})).name == "input");
    CHECK(g.info(g.add_input("x_1", {})).name == "x_1");
    CHECK(name("x") == "x");
    CHECK(name("input") == "input_1");
    CHECK(name("x") == "x_2");
}

TEST_CASE("nodes are inserted, visited and erased in order") {
    Chain chain;
    Graph& g = chain.g;
    CHECK(names(g) == Names{"sin", "add", "cat"});
    const Value cos = g.new_value("cos", tensor({2}));
    Node& node = g.insert_before(&chain.node(chain.b), "aten::cos", {{"self", chain.a}}, {{.values = {cos}}});
    CHECK(names(g) == Names{"sin", "cos", "add", "cat"});
    CHECK(node.previous() == &chain.node(chain.a));
    CHECK(node.next() == &chain.node(chain.b));
    const Value first = g.new_value("tan", tensor({2}));
    g.insert_before(g.first(), "aten::tan", {{"self", chain.x}}, {{.values = {first}}});
    CHECK(names(g) == Names{"tan", "sin", "cos", "add", "cat"});
    verify(g);
    for (Node& each : g.nodes())
        if (!g.is_used(each.output())) g.erase(each);
    CHECK(names(g) == Names{"sin", "add", "cat"});
    CHECK(g.num_nodes() == 3);
    verify(g);
}

TEST_CASE("a node in use is not erased, nor one twice") {
    Chain chain;
    CHECK_THROWS_WITH_AS(chain.g.erase(chain.node(chain.a)), doctest::Contains("'sin' is in use"), Error);
    CHECK_THROWS_WITH_AS(chain.g.erase(chain.node(chain.c)), doctest::Contains("'cat' is in use"), Error);
    Node& last = chain.node(chain.c);
    chain.g.set_outputs({chain.b});
    chain.g.erase(last);
    CHECK_THROWS_AS(chain.g.erase(last), Error);
    CHECK(chain.g.num_nodes() == 2);
    verify(chain.g);
}

TEST_CASE("users follow what arguments say") {
    Chain chain;
    Graph& g = chain.g;
    CHECK(g.info(chain.a).users.size() == 3);
    CHECK(g.info(chain.a).output_uses == 1);
    CHECK(g.info(chain.c).output_uses == 2);
    g.set_argument(chain.node(chain.b), 1, chain.x);
    CHECK(g.info(chain.a).users.size() == 2);
    CHECK(g.info(chain.x).users.size() == 3);
    g.set_argument(chain.node(chain.c), 0, ArgumentList{chain.b, ArgumentList{chain.b}});
    CHECK(g.info(chain.b).users.size() == 2);
    verify(g);
}

TEST_CASE("a new value like another one is used by nobody yet") {
    Chain chain;
    const Value alike = chain.g.new_value("alike", chain.g.info(chain.a));
    CHECK(!chain.g.is_used(alike));
    CHECK(chain.g.info(alike).producer == nullptr);
    verify(chain.g);
}

TEST_CASE("uses are replaced in nodes, lists and outputs") {
    Chain chain;
    Graph& g = chain.g;
    g.replace_uses(chain.a, chain.x);
    CHECK(!g.is_used(chain.a));
    CHECK(*chain.node(chain.b).find("self") == Argument(chain.x));
    CHECK(*chain.node(chain.b).find("other") == Argument(chain.x));
    CHECK(*chain.node(chain.c).find("tensors") == Argument(ArgumentList{chain.x, chain.b, chain.x}));
    CHECK(g.outputs()[1] == Argument(ArgumentList{chain.x, chain.c}));
    verify(g);
    g.erase(chain.node(chain.a));
    g.replace_uses(chain.c, chain.c);
    verify(g);
    g.replace_uses(chain.c, chain.b);
    CHECK((g.outputs() == std::vector<Argument>{chain.b, ArgumentList{chain.x, chain.b}}));
    CHECK(g.info(chain.b).output_uses == 2);
    verify(g);
}

TEST_CASE("uses are replaced by constants") {
    Chain chain;
    chain.g.replace_by_constant(chain.a, 7);
    CHECK(*chain.node(chain.b).find("self") == Argument(7));
    CHECK(*chain.node(chain.c).find("tensors") == Argument(ArgumentList{7, chain.b, chain.x}));
    CHECK(chain.g.outputs()[1] == Argument(ArgumentList{7, chain.c}));
    CHECK(!chain.g.is_used(chain.a));
    verify(chain.g);
}

TEST_CASE("inputs are put in place and taken out") {
    Chain chain;
    const Value w = chain.g.insert_input(0, "w", tensor({3}));
    CHECK(chain.g.inputs()[0] == w);
    CHECK(chain.g.inputs()[1] == chain.x);
    CHECK_THROWS_AS(chain.g.erase_input(chain.x), Error);
    chain.g.erase_input(w);
    CHECK(chain.g.inputs().size() == 1);
    CHECK_THROWS_AS(chain.g.erase_input(w), Error);
    verify(chain.g);
}

TEST_CASE("copies and moves") {
    Chain chain;
    chain.node(chain.a).set_module_path(chain.g.intern(std::string("layers.0.") + "act"));
    Graph copy = chain.g;
    verify(copy);
    CHECK(copy.first() != chain.g.first());
    CHECK(copy.first()->module_path() == "layers.0.act");
    CHECK(copy.first()->module_path().data() != chain.g.first()->module_path().data());
    copy.replace_uses(chain.a, chain.x);
    copy.erase(*copy.first());
    CHECK(chain.g.num_nodes() == 3);
    CHECK(copy.num_nodes() == 2);
    CHECK(copy.info(copy.new_value("add", {})).name == "add_1");
    Node* const first = chain.g.first();
    const Graph moved = std::move(chain.g);
    CHECK(moved.first() == first);
    verify(moved);
    verify(copy);
}

TEST_CASE("values of nowhere are refused") {
    Graph g;
    CHECK_THROWS_AS(static_cast<void>(g.info(Value{})), Error);
    CHECK_THROWS_AS(g.append("aten::relu", {{"self", Value{5}}}, {}), Error);
}

TEST_CASE("texts are kept once") {
    Graph g;
    const std::string_view a = g.intern(std::string("some text that is long enough to live elsewhere"));
    CHECK(g.intern(std::string(a)).data() == a.data());
}
