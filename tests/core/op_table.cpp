#include <ferry/core/op_table.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace ferry;

namespace {

struct add {
    static constexpr auto target = op("aten::add.Tensor", "aten::add.Scalar");
    static int arity() { return 2; }
};
struct gelu {
    static constexpr auto target = op("aten::gelu");
    static int arity() { return 1; }
};
struct where {
    static constexpr auto target = op("aten::where.self");
    static int arity() { return 3; }
};

using table = op_table<type_list<where, add, gelu>>;
static_assert(table::size == 4 && table::no_clash);
static_assert(table::find("aten::where.self") == 0);
static_assert(table::find("aten::add.Scalar") == 1 && table::find("aten::add.Tensor") == 1);
static_assert(table::find("aten::gelu") == 2);
static_assert(table::find("aten::add") == table::npos && table::find("") == table::npos);
static_assert(!op_table<type_list<>>::contains("aten::gelu"));

template <class Entry>
using arity_of = std::integral_constant<int (*)(), &Entry::arity>;

}  // namespace

TEST_CASE("a name made at run time finds its entry's function") {
    const auto arity = [](const std::string& op) {
        const auto function = table::function<int (*)(), arity_of>(op);
        return function == nullptr ? 0 : function();
    };
    CHECK(arity(std::string("aten::") + "gelu") == 1);
    CHECK(arity(std::string("aten::add.") + "Scalar") == 2);
    CHECK(arity("aten::where.self") == 3);
    CHECK(arity("aten::where") == 0);
    CHECK(arity("zzz") == 0);
}
