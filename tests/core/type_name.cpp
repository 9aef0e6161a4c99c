#include <ferry/core/type_name.hpp>

#include <doctest/doctest.h>

namespace outer::inner {
struct plain {};
template <class...>
struct wrap {};
}  // namespace outer::inner

TEST_CASE("a type's name is the compiler's, without its frame") {
    CHECK(ferry::type_name<int>() == "int");
    CHECK(ferry::type_name<outer::inner::plain>() == "outer::inner::plain");
    CHECK(ferry::short_type_name<outer::inner::plain>() == "plain");
    CHECK(ferry::short_type_name<int>() == "int");
    CHECK(ferry::short_type_name<outer::inner::wrap<outer::inner::plain>>() == "wrap<outer::inner::plain>");
}
