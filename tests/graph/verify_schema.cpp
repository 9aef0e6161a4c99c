#include <ferry/graph/verify_schema.hpp>

#include "build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::kw;
using build::tensor;

namespace {

std::string complaint(std::string_view op, std::vector<NamedArgument> arguments, ValueInfo info = tensor({4})) {
    Graph g;
    g.add_input("x", tensor({4}));
    call(g, op, std::move(arguments), std::move(info));
    try {
        verify_schemas(g);
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::internal);
        CHECK(error.where().op == op);
        return error.message();
    }
    return "";
}
const Value x{0};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("calls that fit") {
    CHECK(complaint("aten::add.Tensor", {{"self", x}, {"other", x}, kw("alpha", 2)}) == "");
    CHECK(complaint("aten::sum.dim_IntList",
                    {{"self", x}, {"dim", {}}, {"keepdim", true}, kw("dtype", DType::float64)}) == "");
    CHECK(complaint("aten::index.Tensor", {{"self", x}, {"indices", ArgumentList{Argument(), x}}}) == "");
    CHECK(complaint("aten::zeros",
                    {{"size", ArgumentList{2, 3}}, kw("layout", Layout::strided), kw("device", Device{})}) == "");
    CHECK(complaint("aten::gelu", {{"self", x}, kw("approximate", "tanh")}) == "");
    CHECK(complaint("aten::softplus", {{"self", x}, {"beta", 1.5}}) == "");
    CHECK(complaint("aten::item", {{"self", x}}, build::size(SymExpr::symbol("u0"))) == "");
    Graph g;
    const Value in = g.add_input("x", tensor({4}));
    call_tuple(g, "aten::split.Tensor", {{"self", in}, {"split_size", 2}}, {tensor({2}), tensor({2})}, true);
    const Value n = call(g, "aten::sym_size.int", {{"self", in}, {"dim", 0}}, build::size(4));
    call(g, "_operator::add", {{"a", n}, {"b", 1}}, build::size(5));
    call(g, "aten::full", {{"size", ArgumentList{n, 2}}, {"fill_value", n}}, tensor({4, 2}));
    CHECK_NOTHROW(verify_schemas(g));
}

TEST_CASE("calls that do not") {
    CHECK(says(complaint("nobody::knows", {{"self", x}}), "no such op"));
    CHECK(says(complaint("aten::add.Tensor", {{"self", x}}), "argument 'other' is missing, at node 'add'"));
    CHECK(says(complaint("aten::add.Tensor", {{"self", x}, {"other", x}, kw("beta", 2)}),
               "the op has no argument 'beta'"));
    CHECK(
        says(complaint("aten::add.Tensor", {{"self", x}, {"other", x}, {"alpha", 2}}), "'alpha' is for keywords only"));
    CHECK(says(complaint("aten::relu", {{"self", 1.5}}), "'self' is not of type Tensor"));
    CHECK(says(complaint("aten::zeros", {{"size", ArgumentList{2.5}}}), "'size' is not of type"));
    CHECK(says(complaint("aten::zeros", {{"size", ArgumentList{x}}}), "'size' is not of type"));
    CHECK(says(complaint("aten::relu", {{"self", x}}, build::size(4)), "result 0 is not of type Tensor"));
    CHECK(says(complaint("aten::split.Tensor", {{"self", x}, {"split_size", 2}}), "result 0 is not of type"));
}
