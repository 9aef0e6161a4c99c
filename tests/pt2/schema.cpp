#include <ferry/pt2/schema.hpp>
#include <ferry/pt2/targets.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace ferry;
using namespace ferry::pt2;

TEST_CASE("ops have a name in the graph and one in the file") {
    for (const auto& [op, target] :
         {std::pair<std::string, std::string>{"aten::add.Tensor", "torch.ops.aten.add.Tensor"},
          {"aten::relu", "torch.ops.aten.relu.default"},
          {"mylib::twist.out", "torch.ops.mylib.twist.out"},
          {"higher_order::cond", "torch.ops.higher_order.cond"},
          {"_operator::mul", "_operator.mul"},
          {"math::ceil", "math.ceil"},
          {"torch::sym_max", "torch.sym_max"}}) {
        CHECK(to_target(op) == target);
        CHECK(from_target(target) == op);
    }
    for (const std::string target :
         {"", "torch", "os.system", "torch.ops.", "torch.ops.aten", "torch.ops.aten.", "torch.nn.Linear"})
        CHECK_THROWS_AS(static_cast<void>(from_target(target)), Error);
}

TEST_CASE("the format's numbers are its own") {
    CHECK(number_of(scalar_types, DType::float32, "dtype") == 7);
    CHECK(number_of(scalar_types, DType::bfloat16, "dtype") == 13);
    CHECK(from_number(scalar_types, 28, "dtype") == DType::uint16);
    CHECK(from_number(layouts, 7, "layout") == Layout::strided);
    CHECK(from_number(memory_formats, 4, "memory format") == MemoryFormat::preserve);
    CHECK_THROWS_AS(static_cast<void>(from_number(scalar_types, 0, "dtype")), Error);
    CHECK_THROWS_AS(static_cast<void>(number_of(scalar_types, DType::quint8, "dtype")), Error);
    CHECK_NOTHROW(check_version({8, 5}));
    CHECK_THROWS_AS(check_version({8, 21}), Error);
}
