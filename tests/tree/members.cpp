#include <ferry/tree/members.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

struct plain {
    int keys, v2;
    const double _under_score = 0;
};
template <class Type>
struct generic {
    Type values;
};
struct derived : plain {
    int own;
};

}  // namespace

using ferry::tree::detail::member_name;
using ferry::tree::detail::member_type_t;

static_assert(member_name<&plain::keys>() == "keys");
static_assert(member_name<&plain::v2>() == "v2");
static_assert(member_name<&plain::_under_score>() == "_under_score");
static_assert(member_name<&generic<generic<int>>::values>() == "values");
static_assert(member_name<&derived::own>() == "own");
static_assert(member_name<&derived::keys>() == "keys");
static_assert(std::is_same_v<member_type_t<&plain::_under_score>, double>);
static_assert(ferry::members<&plain::keys, &plain::v2>::size == 2);

TEST_CASE("members: names are the compiler's") { CHECK(member_name<&plain::keys>() == "keys"); }
