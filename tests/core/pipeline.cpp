#include <ferry/core/pipeline.hpp>

#include "entries.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <utility>

using namespace ferry;
using namespace entries;

namespace {

struct my_stages : stages<"mine", stage<"fix", node_fixes>, stage<"translate", translations>> {};

using pointwise = translations<add>;
using activations = translations<gelu>;
using mine = pipeline<my_stages, pointwise, node_fixes<drop_alias>, activations, node_fixes<drop_detach>>;

static_assert(mine::valid);
static_assert(std::same_as<mine::stage<translations>, translations<add, gelu>>);
static_assert(std::same_as<mine::stage<node_fixes>, node_fixes<drop_alias, drop_detach>>);
static_assert(std::same_as<mine::gathered<node_fixes<>>, mine::stage<node_fixes>>);
static_assert(std::same_as<mine::stage<patches>, patches<>>);
static_assert(contains_v<mine, gelu> && !contains_v<mine, exact_gelu>);
static_assert(pipeline<my_stages>::valid, "a backend without entries is a pipeline too");

/// aten::x000, aten::x001, ...
template <std::size_t Number>
constexpr char name_of[] = {
    'a', 't', 'e', 'n', ':', ':', 'x', '0' + Number / 100, '0' + Number / 10 % 10, '0' + Number % 10, 0};
template <std::size_t Number>
struct numbered {
    static constexpr auto target = op(name_of<Number>);
    static Ref translate(Translation&);
};
template <class Indices>
struct translations_of;
template <std::size_t... Index>
struct translations_of<std::index_sequence<Index...>> {
    using type = translations<numbered<Index>...>;
};
using many = translations_of<std::make_index_sequence<400>>::type;
static_assert(pipeline<my_stages, many, pointwise>::valid, "more entries than clang++ folds");
static_assert(contains_v<many, numbered<399>> && index_of_v<many, numbered<399>> == 399);
static_assert(op_table<many>::find("aten::x321") == 321);

}  // namespace

TEST_CASE("lists of one kind come together in one table") {
    using table = op_table<mine::stage<translations>>;
    CHECK(table::find("aten::add.Scalar") == 0);
    CHECK(table::find("aten::gelu") == 1);
    CHECK_FALSE(table::contains("aten::alias"));
}
