#include <ferry/executorch/pipeline.hpp>

#include <ferry/core/stage_table.hpp>

#include <doctest/doctest.h>

using namespace ferry;

static_assert(executorch_pipeline::valid);

TEST_CASE("executorch's stages stand in the order in which they run") {
    const auto stages = describe_stages<executorch_pipeline>();
    REQUIRE(stages.size() == 6);
    CHECK(stages[0].name == "backend preparation");
    CHECK(stages[1].name == "torch patches");
    CHECK(stages[2].name == "executorch patches");
    CHECK(stages[3].name == "program fixes");
    CHECK(stages[4].name == "node fixes");
    CHECK(stages[5].name == "delegation");
}
