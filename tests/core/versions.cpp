#include <ferry/core/versions.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace ferry;

namespace {

std::vector<std::string> warnings;

inline constexpr Dependency library{"lib", {1, 2, 0}, {1, 4, 1}};

static_assert(parse_version("2.12.0") == Version{2, 12, 0});
static_assert(parse_version("2.12.0+cpu") == Version{2, 12, 0});
static_assert(parse_version("1.22.0rc1") == Version{1, 22, 0});
static_assert(parse_version("3") == Version{3, 0, 0} && parse_version("3.1") == Version{3, 1, 0});
static_assert(parse_version("") == Version{} && parse_version("abc") == Version{});
static_assert(Version{2, 9, 1} < Version{2, 12, 0} && Version{3, 0, 0} > Version{2, 99, 99});

}  // namespace

TEST_CASE("a number too long for an int does not overflow") {
    CHECK(parse_version("99999999999999999999.1").major > 0);
}

TEST_CASE("an old library is refused, another one than tested is said once") {
    const LogSink before = set_log_sink([](LogLevel, std::string_view text) { warnings.emplace_back(text); });
    check_version<library>({1, 4, 1});
    CHECK(warnings.empty());
    check_version<library>({1, 2, 0});
    check_version<library>({1, 5, 0});
    CHECK(warnings == std::vector<std::string>{"using lib 1.2.0, tested with 1.4.1"});
    try {
        check_version<library>({1, 1, 9});
        FAIL("an old version passed");
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::version);
        CHECK(error.message() == "lib 1.1.9 is older than Ferry works with");
        CHECK(error.hint() == "use lib 1.2.0 or newer; tested with 1.4.1");
    }
    set_log_sink(before);
}
