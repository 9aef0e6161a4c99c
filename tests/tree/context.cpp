#include <ferry/tree/context.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

using ferry::tree::Context;
using ferry::tree::python_repr;

TEST_CASE("context: values are told apart and read back") {
    CHECK(Context().is_none());
    CHECK(Context(true).as_boolean() == true);
    CHECK_FALSE(Context(1).as_boolean());
    CHECK(Context(-7).as_integer() == -7);
    CHECK_FALSE(Context("7").as_integer());
    CHECK(Context(std::numeric_limits<std::uint64_t>::max()).text() == "18446744073709551615");
    CHECK_FALSE(Context(std::numeric_limits<std::uint64_t>::max()).as_integer());
    CHECK(Context(0.1).as_real() == 0.1);
    CHECK(std::isnan(*Context(std::nan("")).as_real()));
    CHECK(Context::integer("-0") == Context(0));
    const Context dict = Context::dict({"a", "b"}, {1, "x"});
    CHECK(*dict.find("b") == Context("x"));
    CHECK(dict.find("c") == nullptr);
    CHECK(Context(1) != Context(1.0));
    CHECK(Context("1") != Context(1));
}

TEST_CASE("context: repr is Python's") {
    CHECK(python_repr({}) == "None");
    CHECK(python_repr(Context::list({true, false, 3, "a"})) == "[True, False, 3, 'a']");
    CHECK(python_repr(Context::dict({"k"}, {Context::list({})})) == "{'k': []}");
    CHECK(python_repr("it's") == "\"it's\"");
    CHECK(python_repr("it's \"so\"") == "'it\\'s \"so\"'");
    CHECK(python_repr("a\\b\n\t\r") == "'a\\\\b\\n\\t\\r'");
    CHECK(python_repr(Context(std::string("\x01\x7f", 2))) == "'\\x01\\x7f'");
    CHECK(python_repr("\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80") == "'\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80'");
    CHECK(python_repr("\xc2\xa0\xe2\x80\x8b") == "'\\xa0\\u200b'");
    CHECK(python_repr("\xf3\xa0\x80\x81") == "'\\U000e0001'");
    CHECK(python_repr(Context(std::string("\xff", 1))) == "'\\xff'");  // no UTF-8, but still printed
}

TEST_CASE("context: floats are spelt as Python spells them") {
    const auto spelt = [](double value) { return python_repr(Context(value)); };
    CHECK(spelt(0.0) == "0.0");
    CHECK(spelt(-0.0) == "-0.0");
    CHECK(spelt(1.0) == "1.0");
    CHECK(spelt(0.1) == "0.1");
    CHECK(spelt(123456.789) == "123456.789");
    CHECK(spelt(1e15) == "1000000000000000.0");
    CHECK(spelt(1e16) == "1e+16");
    CHECK(spelt(1.5e300) == "1.5e+300");
    CHECK(spelt(0.0001) == "0.0001");
    CHECK(spelt(0.00001) == "1e-05");
    CHECK(spelt(-1.25e-7) == "-1.25e-07");
    CHECK(spelt(std::numeric_limits<double>::denorm_min()) == "5e-324");
    CHECK(spelt(std::numeric_limits<double>::infinity()) == "inf");
}
