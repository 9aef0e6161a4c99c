#include <ferry/onnx/pipeline.hpp>

#include <ferry/core/stage_table.hpp>

#include <doctest/doctest.h>

using ferry::onnx_pipeline;

static_assert(onnx_pipeline::valid);

namespace {

struct Cache {};
struct cache_node {
    using type = Cache;
    static constexpr const char* name = "my.Cache";
    using leaves = ferry::type_list<>;
};

}  // namespace

TEST_CASE("onnx's stages stand in the order in which they run") {
    const auto stages = ferry::describe_stages<onnx_pipeline>();
    REQUIRE(stages.size() == 5);
    CHECK(stages[0].name == "torch patches");
    CHECK(stages[1].name == "onnx patches");
    CHECK(stages[2].name == "graph node fixes");
    CHECK(stages[3].name == "translations");
    CHECK(stages[4].name == "ONNX IR fixes");
}

TEST_CASE("lists for the capture before it are taken too") {
    using mine = ferry::extend<onnx_pipeline, ferry::pytrees<cache_node>>;
    CHECK(ferry::contains_v<mine, cache_node>);
    CHECK(mine::stage<ferry::pytrees>::size == 1);
}
