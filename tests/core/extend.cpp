#include <ferry/core/extend.hpp>
#include <ferry/core/list_finder.hpp>

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

struct IrModel;
template <int Number>
struct ir_fix {
    static bool fix(IrModel&);
};
using drop_weights = ir_fix<0>;
using drop_names = ir_fix<1>;
using drop_all = ir_fix<2>;

// Lists with a name keep it for what is left of them, unless the order of their entries counts.
struct named_translations : translations<gelu, add> {};
struct named_fixes : ir_fixes<drop_weights, drop_names> {};
struct ir_stages : stages<"ir", stage<"translate", translations>, stage<"fix", ir_fixes>> {};
using named = pipeline<ir_stages, named_translations, named_fixes>;
static_assert(named::valid);
static_assert(std::same_as<without<named, gelu>::lists, type_list<named_less<named_translations, gelu>, named_fixes>>);
static_assert(std::same_as<without<named, gelu>::stage<translations>, translations<add>>);
static_assert(std::same_as<replace<named, gelu, exact_gelu>::stage<translations>, translations<add, exact_gelu>>);
static_assert(std::same_as<replace<named, drop_weights, drop_all>::stage<ir_fixes>, ir_fixes<drop_all, drop_names>>);
static_assert(std::same_as<insert_after<named, drop_weights, drop_all>::lists,
                           type_list<named_translations, ir_fixes<drop_weights, drop_all, drop_names>>>);

struct first {
    static constexpr auto target = op("aten::relu", "aten::relu6");
    static constexpr const char* label = "first";
};
struct second {
    static constexpr auto target = op("aten::silu");
    static constexpr const char* label = "second";
};
struct both : translations<first, second> {};

template <class Entry>
struct bind_name {
    static constexpr const char* value = Entry::label;
};

}  // namespace

TEST_CASE("what is left of a named list is found in it") {
    using all = list_finder<both, const char*, bind_name>;
    using less = list_finder<named_less<both, first>, const char*, bind_name>;
    CHECK(all::find("aten::relu6") == first::label);
    CHECK(less::find("aten::relu6") == nullptr);
    CHECK(less::find("aten::relu") == nullptr);
    CHECK(less::find("aten::silu") == second::label);
    CHECK(less::find("aten::tanh") == nullptr);
}

TEST_CASE("a replaced entry answers for the op that the old one had") {
    using table = op_table<replace<base, gelu, exact_gelu>::stage<translations>>;
    CHECK(table::find("aten::gelu") == 0);
    CHECK(table::size == 1);
}
