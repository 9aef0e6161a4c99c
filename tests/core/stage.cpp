#include <ferry/core/stage.hpp>

#include <doctest/doctest.h>

#include <concepts>

using namespace ferry;

namespace {

struct capture_stages : stages<"capture", stage<"bind">, stage<"swap", patches, fakes>> {};
struct lower_stages : stages_after<capture_stages, "lower", stage<"translate", patches, translations>> {};

static_assert(capture_stages::backend == "capture" && lower_stages::backend == "lower");
static_assert(std::same_as<capture_stages::kinds, type_list<patches<>, fakes<>>>);
static_assert(std::same_as<lower_stages::kinds, type_list<patches<>, translations<>, fakes<>>>);
static_assert(lower_stages::steps::size == 1, "the earlier stages are not steps of the later backend");

}  // namespace

TEST_CASE("a stage keeps its name") {
    CHECK(at_t<1, capture_stages::steps>::name == "swap");
    CHECK(at_t<0, lower_stages::steps>::name == "translate");
}
