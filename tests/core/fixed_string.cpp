#include <ferry/core/fixed_string.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace ferry;

namespace {

template <fixed_string Name>
struct named {
    static constexpr std::string_view name = Name;
};

static_assert(named<"torch patches">::name == "torch patches");
static_assert(std::is_same_v<named<"a">, named<"a">> && !std::is_same_v<named<"a">, named<"b">>);
static_assert(fixed_string("abc").size() == 3 && fixed_string("").size() == 0);
static_assert(fixed_string("abc") == fixed_string("abc") && fixed_string("abc") != fixed_string("ab"));
static_assert(fixed_string<3>(std::string_view("abcdef", 3)) == fixed_string("abc"));

}  // namespace

TEST_CASE("a fixed_string reads as a string_view at run time too") {
    const std::string_view name = named<"node fixes">::name;
    CHECK(name == "node fixes");
    CHECK(name.size() == 10);
}
