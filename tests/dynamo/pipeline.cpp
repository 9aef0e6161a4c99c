#include <ferry/dynamo/pipeline.hpp>

#include <ferry/core/stage_table.hpp>

#include <doctest/doctest.h>

using namespace ferry;

static_assert(dynamo_pipeline::valid);

TEST_CASE("dynamo's stages stand in the order in which they run") {
    const auto stages = describe_stages<dynamo_pipeline>();
    REQUIRE(stages.size() == 5);
    CHECK(stages[0].name == "signature");
    CHECK(stages[1].name == "model patches");
    CHECK(stages[2].name == "pytree registration");
    CHECK(stages[3].name == "dynamic shapes");
    CHECK(stages[4].name == "state clean-up");
}
