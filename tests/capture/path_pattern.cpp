#include <ferry/capture/path_pattern.hpp>

#include <doctest/doctest.h>

using namespace ferry::capture;

TEST_CASE("a pattern is the start of a path, with * for any one component") {
    const auto fits = [](const char* pattern, const char* path) { return fit_path(pattern, path).has_value(); };
    CHECK(fits("past", "past.0.keys"));
    CHECK(fits("past.0", "past.0.keys"));
    CHECK(fits("past.*", "past.0.keys"));
    CHECK(fits("past.*.keys", "past.0.keys"));
    CHECK(fits("*", "x"));
    CHECK(fits("*.*.keys", "past.0.keys"));
    CHECK_FALSE(fits("pas", "past.0.keys"));
    CHECK_FALSE(fits("past.*.values", "past.0.keys"));
    CHECK_FALSE(fits("past.*.keys.more", "past.0.keys"));
    CHECK_FALSE(fits("past.*.*.*", "past.0.keys"));
    CHECK_FALSE(fits("past.k*", "past.keys"));
    CHECK_FALSE(fits("", "x"));
}

TEST_CASE("the closest pattern is the longest, then that with the fewest *, then with the last ones") {
    const auto closer = [](const char* a, const char* b) {
        const auto one = fit_path(a, "past.0.keys"), other = fit_path(b, "past.0.keys");
        return one->closer_than(*other) && !other->closer_than(*one);
    };
    CHECK(closer("past.0", "past"));
    CHECK(closer("*.*", "past"));
    CHECK(closer("past.0.*", "past.*.*"));
    CHECK(closer("past.0.*", "past.*.keys"));
    CHECK(closer("past.*.keys", "*.0.keys"));
    CHECK_FALSE(closer("past.*.keys", "past.*.keys"));
}
