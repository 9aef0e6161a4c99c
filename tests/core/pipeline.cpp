#include <ferry/core/pipeline.hpp>

#include "entries.hpp"

#include <doctest/doctest.h>

#include <concepts>

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

}  // namespace

TEST_CASE("lists of one kind come together in one table") {
    using table = op_table<mine::stage<translations>>;
    CHECK(table::find("aten::add.Scalar") == 0);
    CHECK(table::find("aten::gelu") == 1);
    CHECK_FALSE(table::contains("aten::alias"));
}
