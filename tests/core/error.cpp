#include <ferry/core/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <type_traits>

using namespace ferry;

static_assert(std::is_nothrow_copy_constructible_v<Error>);

TEST_CASE("an error says what, where and what to do, in one text and apart") {
    const Error error(ErrorKind::unsupported, "no translation",
                      {.hint = "add one", .where = {.stage = "translations", .op = "aten::gelu", .path = "layers.3"}});
    CHECK(error.kind() == ErrorKind::unsupported);
    CHECK(error.message() == "no translation");
    CHECK(error.hint() == "add one");
    CHECK(error.where().path == "layers.3");
    CHECK(std::string(error.what()) ==
          "ferry: unsupported: no translation (at layers.3, op aten::gelu, stage translations)\n  hint: add one");
}

TEST_CASE("what is not known is left out") {
    CHECK(std::string(Error(ErrorKind::io, "disk full").what()) == "ferry: input/output: disk full");
    CHECK(std::string(Error(ErrorKind::bad_file, "cut off", {.where = {.op = "aten::t"}}).what()) ==
          "ferry: bad file: cut off (op aten::t)");
}

TEST_CASE("an error is caught as std::exception and keeps its text when copied") {
    std::string text;
    try {
        throw Error(ErrorKind::invalid_input, "x");
    } catch (const std::exception& error) {
        text = error.what();
    }
    CHECK(text == "ferry: invalid input: x");
}
