#include <ferry/tree/context_json.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using ferry::tree::Context;
using ferry::tree::from_json;
using ferry::tree::to_json;

TEST_CASE("json: is written as json.dumps writes it") {
    CHECK(to_json(Context::list({{}, true, false, 1, 2.5, "a", Context::list({}), Context::dict({}, {})})) ==
          R"([null, true, false, 1, 2.5, "a", [], {}])");
    CHECK(to_json(Context::dict({"a", "b"}, {1, Context::list({1e16})})) == R"({"a": 1, "b": [1e+16]})");
    CHECK(to_json("q\"\\\b\f\n\r\t/\x01\x7f\xc3\xa9\xf0\x9f\x98\x80") ==
          R"("q\"\\\b\f\n\r\t/\u0001\u007f\u00e9\ud83d\ude00")");
    CHECK(to_json(from_json("[NaN, Infinity, -Infinity]")) == "[NaN, Infinity, -Infinity]");
    CHECK_THROWS_AS(static_cast<void>(to_json(std::string("\xff", 1))), ferry::Error);
}

TEST_CASE("json: is read as json.loads reads it") {
    CHECK(from_json(" [ 1 , {\"a\" : null } ]\n") == Context::list({1, Context::dict({"a"}, {{}})}));
    CHECK(to_json(from_json("[-0, 1.50, 1E2, 123456789012345678901234567890]")) ==
          "[0, 1.5, 100.0, 123456789012345678901234567890]");
    CHECK(from_json(R"("\u00e9\ud83d\ude00\/")").text() == "\xc3\xa9\xf0\x9f\x98\x80/");
    CHECK(to_json(from_json(R"("\ud800x\udc00")")) == R"("\ud800x\udc00")");
    CHECK(from_json(R"({"a": 1, "b": 2, "a": 3})") == Context::dict({"a", "b"}, {3, 2}));
}

TEST_CASE("json: what is not JSON is refused") {
    for (const std::string_view bad : {"",
                                       " ",
                                       "[",
                                       "]",
                                       "[1",
                                       "[1,",
                                       "[1,]",
                                       "[,1]",
                                       "{",
                                       "{\"a\"",
                                       "{\"a\":",
                                       "{\"a\":1",
                                       "{\"a\":1,}",
                                       "{1: 2}",
                                       "{a: 1}",
                                       "nul",
                                       "nulll",
                                       "tru",
                                       "01",
                                       "-",
                                       "-a",
                                       "1.",
                                       ".5",
                                       "1e",
                                       "1e+",
                                       "+1",
                                       "1 2",
                                       "\"",
                                       "\"\\",
                                       "\"\\u",
                                       "\"\\u12",
                                       "\"\\uzzzz\"",
                                       "\"\\x\"",
                                       "\"\n\"",
                                       "'a'",
                                       "1e999",
                                       "\"\xff\"",
                                       "\"\xc0\x80\"",
                                       "\"\xf8\x88\x80\x80\x80\"",
                                       "\"\xe2\x82\""})
        CHECK_THROWS_AS_MESSAGE(static_cast<void>(from_json(bad)), ferry::Error, std::string(bad));
    CHECK_THROWS_AS(static_cast<void>(from_json(std::string_view("[1]\0", 4))), ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(from_json(std::string(5000, '9'))), ferry::Error);
    CHECK_THROWS_AS(static_cast<void>(from_json(std::string(1'000'000, '['))), ferry::Error);
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    CHECK_THROWS_AS(static_cast<void>(from_json(objects)), ferry::Error);
}
