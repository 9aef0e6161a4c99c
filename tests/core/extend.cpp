#include <ferry/core/extend.hpp>

#include "entries.hpp"

#include <doctest/doctest.h>

#include <concepts>

using namespace ferry;
using namespace entries;

namespace {

struct capture_stages : stages<"capture", stage<"swap", fakes>> {};
struct my_stages : stages_after<capture_stages, "mine", stage<"fix", node_fixes>, stage<"translate", translations>> {};

struct gelu_shape {
    static constexpr auto target = op("aten::gelu");
    static int fake(int);
};

using capture = pipeline<capture_stages, fakes<gelu_shape>>;
using base = pipeline_after<my_stages, capture, translations<gelu>, node_fixes<drop_alias>>;

static_assert(std::same_as<base, pipeline<my_stages, fakes<gelu_shape>, translations<gelu>, node_fixes<drop_alias>>>);

template <class Left, class Right>
concept same_stages =
    std::same_as<typename Left::template stage<node_fixes>, typename Right::template stage<node_fixes>> &&
    std::same_as<typename Left::template stage<translations>, typename Right::template stage<translations>> &&
    std::same_as<typename Left::template stage<fakes>, typename Right::template stage<fakes>>;

// Laws: extending by nothing changes nothing, and taking away what was added gives back the stages.
static_assert(std::same_as<extend<base>, base>);
static_assert(std::same_as<without<base>, base>);
static_assert(same_stages<without<extend<base, translations<add>, node_fixes<drop_detach>>, add, drop_detach>, base>);
static_assert(std::same_as<replace<replace<base, gelu, exact_gelu>, exact_gelu, gelu>, base>);

static_assert(std::same_as<extend<base, translations<add>>::stage<translations>, translations<gelu, add>>);
static_assert(std::same_as<replace<base, gelu, exact_gelu>::stage<translations>, translations<exact_gelu>>);
static_assert(
    std::same_as<insert_before<base, drop_alias, drop_detach>::stage<node_fixes>, node_fixes<drop_detach, drop_alias>>);
static_assert(std::same_as<insert_after<base, drop_alias, drop_detach, drop_asserts>::stage<node_fixes>,
                           node_fixes<drop_alias, drop_detach, drop_asserts>>);

}  // namespace

TEST_CASE("a replaced entry answers for the op that the old one had") {
    using table = op_table<replace<base, gelu, exact_gelu>::stage<translations>>;
    CHECK(table::find("aten::gelu") == 0);
    CHECK(table::size == 1);
}
