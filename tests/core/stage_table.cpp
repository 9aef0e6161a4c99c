#include <ferry/core/stage_table.hpp>

#include "entries.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using namespace entries;

namespace {

struct my_stages
    : stages<"mine", stage<"bind">, stage<"fix", node_fixes>, stage<"translate", translations, decompositions>> {};
using mine = pipeline<my_stages, translations<gelu>, translations<add>>;

template <fixed_string Op>
struct any_unary {
    static constexpr auto target = op(Op.text);
    static Ref translate(Translation&);
};

}  // namespace

TEST_CASE("stages are described from the lists themselves") {
    const auto stages = describe_stages<mine>();
    REQUIRE(stages.size() == 3);
    CHECK(stages[0].number == 1);
    CHECK(stages[0].lists.empty());
    CHECK(stages[2].name == "translate");
    REQUIRE(stages[2].lists.size() == 2);
    REQUIRE(stages[2].lists[0].entries.size() == 2);
    CHECK(stages[2].lists[0].entries[1].name == "add");
    CHECK(stages[2].lists[0].entries[1].ops.size() == 2);
}

TEST_CASE("the table is Markdown with one row for each stage") {
    CHECK(stage_table(describe_stages<mine>()) ==
          "| # | stage | takes | entries |\n"
          "|---|---|---|---|\n"
          "| 1 | bind | no list | none |\n"
          "| 2 | fix | `node_fixes` | none |\n"
          "| 3 | translate | `translations`, `decompositions` | `gelu`, `add` |\n");
}

TEST_CASE("of many entries the table has the first ones and the number of others") {
    const StageInfo stage{1, "fix", {{"node_fixes", std::vector<EntryInfo>(30, EntryInfo{"same", {}})}}};
    const std::string table = stage_table(std::vector{stage});
    CHECK(table.ends_with("`same` and 6 more |\n"));
}

TEST_CASE("the ops of each entry follow its name") {
    CHECK(op_list(describe_stages<mine>()) == "gelu: aten::gelu\nadd: aten::add.Tensor, aten::add.Scalar\n");
}

TEST_CASE("what a template makes of an op is called after the op") {
    using unary = pipeline<my_stages, translations<any_unary<"aten::exp">, any_unary<"aten::eq.Tensor">>>;
    CHECK(op_list(describe_stages<unary>()) == "exp: aten::exp\neq.Tensor: aten::eq.Tensor\n");
}
