#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

TEST_CASE("nlohmann_json keeps the order of keys where asked to") {
    const auto object = nlohmann::ordered_json::parse(R"({"b": 1, "a": [true, null]})");
    CHECK(object.dump() == R"({"b":1,"a":[true,null]})");
}
