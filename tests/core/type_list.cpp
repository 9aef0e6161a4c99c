#include <ferry/core/type_list.hpp>

#include <doctest/doctest.h>
#include <boost/hana/fold_left.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/length.hpp>

#include <concepts>
#include <string>
#include <type_traits>

using namespace ferry;

namespace {

template <class... Types>
struct kind : type_list<Types...> {};

template <class Type>
using is_integral = std::bool_constant<std::integral<Type>>;

using numbers = type_list<int, float, long, int>;

static_assert(numbers::size == 4);
static_assert(std::same_as<at_t<0, numbers>, int> && std::same_as<at_t<2, numbers>, long>);

static_assert(std::same_as<concat_t<type_list<>>, type_list<>>);
static_assert(std::same_as<concat_t<type_list<int>, type_list<>, type_list<float, int>>, type_list<int, float, int>>);
static_assert(std::same_as<concat_t<type_list<int>, type_list<>, type_list<char>, type_list<>, type_list<long>,
                                    type_list<short, bool>, type_list<float>, type_list<double>>,
                           type_list<int, char, long, short, bool, float, double>>);

static_assert(std::same_as<filter_t<numbers, is_integral>, type_list<int, long, int>>);
static_assert(std::same_as<unique_t<numbers>, type_list<int, float, long>>);
static_assert(contains_v<numbers, float> && !contains_v<numbers, char> && !contains_v<type_list<>, int>);
static_assert(index_of_v<numbers, int> == 0 && index_of_v<numbers, long> == 2 && index_of_v<numbers, char> == 4);

static_assert(std::same_as<replace_t<numbers, int, char>, type_list<char, float, long, char>>);
static_assert(std::same_as<replace_t<numbers, bool, char>, numbers>);
static_assert(std::same_as<remove_t<numbers, int>, type_list<float, long>>);
static_assert(
    std::same_as<insert_before_t<type_list<int, float>, float, char, bool>, type_list<int, char, bool, float>>);
static_assert(std::same_as<insert_after_t<type_list<int, float>, int, char>, type_list<int, char, float>>);

// A kind of list stays that kind through every operation.
static_assert(std::same_as<filter_t<kind<int, float>, is_integral>, kind<int>>);
static_assert(std::same_as<unique_t<kind<int, int>>, kind<int>>);
static_assert(std::same_as<replace_t<kind<int>, int, bool>, kind<bool>>);
static_assert(std::same_as<concat_t<kind<int>, type_list<bool>>, kind<int, bool>>);

static_assert(decltype(boost::hana::length(numbers{}))::value == 4);

}  // namespace

TEST_CASE("Hana's algorithms walk a list and any kind of it, in order") {
    std::string seen;
    boost::hana::for_each(kind<char, int, double>{},
                          [&](auto type) { seen += std::to_string(sizeof(typename decltype(type)::type)); });
    CHECK(seen == "148");
    const auto bytes = boost::hana::fold_left(
        type_list<char, int>{}, 0, [](int sum, auto type) { return sum + int{sizeof(typename decltype(type)::type)}; });
    CHECK(bytes == 5);
}
