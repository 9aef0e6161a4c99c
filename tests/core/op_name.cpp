#include <ferry/core/op_name.hpp>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

constexpr op_name add = "aten::add.Tensor";
static_assert(add.text() == "aten::add.Tensor");
static_assert(add.qualifier() == "aten" && add.name() == "add" && add.overload() == "Tensor");

constexpr op_name and_ = "aten::__and__.Tensor";
static_assert(and_.name() == "__and__");

constexpr op_name gelu = "aten::gelu";
static_assert(gelu.name() == "gelu" && gelu.overload().empty());
static_assert(gelu == op_name("aten::gelu") && gelu != add);

constexpr auto both = op("aten::add.Tensor", "transformers::grouped_mm_fallback");
static_assert(both.size() == 2 && both[0] == add && both[1].qualifier() == "transformers");

}  // namespace

TEST_CASE("op() keeps the names in the order they were written") {
    const auto names = op("aten::b", "aten::a");
    CHECK(names.front().text() == "aten::b");
    CHECK(names.back().text() == "aten::a");
}
