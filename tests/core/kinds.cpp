#include <ferry/core/kinds.hpp>

#include "entries.hpp"

#include <doctest/doctest.h>

#include <boost/hana/length.hpp>

#include <concepts>

using namespace ferry;

namespace {

static_assert(entry_list<node_fixes<entries::drop_alias>> && entry_list<translations<>>);
static_assert(!entry_list<entries::gelu> && !entry_list<type_list<entries::gelu>> && !entry_list<int>);
static_assert(std::same_as<detail::kind_of<translations<entries::gelu, entries::add>>, translations<>>);
static_assert(!std::same_as<detail::kind_of<patches<>>, detail::kind_of<fakes<>>>);
static_assert(decltype(boost::hana::length(translations<entries::gelu, entries::add>{}))::value == 2);

}  // namespace

TEST_CASE("a kind is labelled as a user spells it") {
    CHECK(input_preparers<>::label == "input_preparers");
    CHECK(patches<>::label == "patches");
    CHECK(model_patches<>::label == "model_patches");
    CHECK(fakes<>::label == "fakes");
    CHECK(pytrees<>::label == "pytrees");
    CHECK(decompositions<>::label == "decompositions");
    CHECK(program_fixes<>::label == "program_fixes");
    CHECK(node_fixes<>::label == "node_fixes");
    CHECK(translations<>::label == "translations");
    CHECK(ir_fixes<>::label == "ir_fixes");
}
