#include <ferry/graph/print.hpp>

#include "build.hpp"

#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <ctime>
#include <limits>
#include <string>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::kw;
using build::size;
using build::tensor;

namespace {

const SymExpr batch = SymExpr::symbol("s77");
const SymExpr seq = SymExpr::symbol("s27");

std::string python(auto value) {
    std::string text;
    ferry::detail::append_python(text, value);
    return text;
}

}  // namespace

// The expected texts below are what torch 2.12's print_readable() writes for the module in the comment; lines that name files
// are left out, since C++ code has none.

TEST_CASE("sizes, infix arithmetic, lists, keywords, several results") {
    // h=l(x).view(B*S,6); a,b=h.split(3,-1); v,i=topk(h,2); cat([a,b*k],1).reshape(B,S,6), zeros(sym_max(S,8)//2, dtype=float16), v
    Graph g;
    const Value weight = g.add_input("p_l_weight", tensor({6, 4}));
    const Value bias = g.add_input("p_l_bias", tensor({6}));
    const Value k = g.add_input("b_k", tensor({3}));
    const Value x = g.add_input("x", tensor({batch, seq, 4}));
    const Value b = call(g, "aten::sym_size.int", {{"self", x}, {"dim", 0}}, size(batch));
    const Value s = call(g, "aten::sym_size.int", {{"self", x}, {"dim", 1}}, size(seq));
    const Value linear =
        call(g, "aten::linear", {{"input", x}, {"weight", weight}, {"bias", bias}}, tensor({batch, seq, 6}));
    const Value mul = call(g, "_operator::mul", {{"a", b}, {"b", s}}, size(batch * seq));
    const Value view =
        call(g, "aten::view", {{"self", linear}, {"size", ArgumentList{mul, 6}}}, tensor({batch * seq, 6}));
    const auto split = call_tuple(g, "aten::split.Tensor", {{"self", view}, {"split_size", 3}, {"dim", -1}},
                                  {tensor({batch * seq, 3}), tensor({batch * seq, 3})}, true);
    const auto topk = call_tuple(g, "aten::topk", {{"self", view}, {"k", 2}},
                                 {tensor({batch * seq, 2}), tensor({batch * seq, 2}, DType::int64)});
    const Value mul_1 = call(g, "aten::mul.Tensor", {{"self", split[1]}, {"other", k}}, tensor({batch * seq, 3}));
    const Value cat =
        call(g, "aten::cat", {{"tensors", ArgumentList{split[0], mul_1}}, {"dim", 1}}, tensor({batch * seq, 6}));
    const Value reshape =
        call(g, "aten::reshape", {{"self", cat}, {"shape", ArgumentList{b, s, 6}}}, tensor({batch, seq, 6}));
    const SymExpr at_least = sym_max({seq, 8});
    const Value max = call(g, "torch::sym_max", {{"a", s}, {"b", 8}}, size(at_least));
    const Value half = call(g, "_operator::floordiv", {{"a", max}, {"b", 2}}, size(floor_div(at_least, 2)));
    const Value zeros = call(
        g, "aten::zeros",
        {{"size", ArgumentList{half}}, kw("dtype", DType::float16), kw("device", Device{}), kw("pin_memory", false)},
        tensor({floor_div(at_least, 2)}, DType::float16));
    g.set_outputs({reshape, zeros, topk[0]});
    CHECK(to_string(g) == R"py(class GraphModule(torch.nn.Module):
    def forward(self, p_l_weight: "f32[6, 4]", p_l_bias: "f32[6]", b_k: "f32[3]", x: "f32[s77, s27, 4]"):
        sym_size_int: "Sym(s77)" = torch.ops.aten.sym_size.int(x, 0)
        sym_size_int_1: "Sym(s27)" = torch.ops.aten.sym_size.int(x, 1)
        linear: "f32[s77, s27, 6]" = torch.ops.aten.linear.default(x, p_l_weight, p_l_bias);  x = p_l_weight = p_l_bias = None
        mul: "Sym(s27*s77)" = sym_size_int * sym_size_int_1
        view: "f32[s27*s77, 6]" = torch.ops.aten.view.default(linear, [mul, 6]);  linear = mul = None
        split = torch.ops.aten.split.Tensor(view, 3, -1)
        getitem: "f32[s27*s77, 3]" = split[0]
        getitem_1: "f32[s27*s77, 3]" = split[1];  split = None
        topk = torch.ops.aten.topk.default(view, 2);  view = None
        getitem_2: "f32[s27*s77, 2]" = topk[0]
        getitem_3: "i64[s27*s77, 2]" = topk[1];  topk = getitem_3 = None
        mul_1: "f32[s27*s77, 3]" = torch.ops.aten.mul.Tensor(getitem_1, b_k);  getitem_1 = b_k = None
        cat: "f32[s27*s77, 6]" = torch.ops.aten.cat.default([getitem, mul_1], 1);  getitem = mul_1 = None
        reshape: "f32[s77, s27, 6]" = torch.ops.aten.reshape.default(cat, [sym_size_int, sym_size_int_1, 6]);  cat = sym_size_int = None
        sym_max: "Sym(Max(8, s27))" = torch.sym_max(sym_size_int_1, 8);  sym_size_int_1 = None
        floordiv: "Sym((Max(8, s27)//2))" = sym_max // 2;  sym_max = None
        zeros: "f16[(Max(8, s27)//2)]" = torch.ops.aten.zeros.default([floordiv], dtype = torch.float16, device = device(type='cpu'), pin_memory = False);  floordiv = None
        return (reshape, zeros, getitem_2)
)py");
}

TEST_CASE("a graph inside a graph") {
    // cond(x.sum()>0, lambda x: (x+1, x.sum()), lambda x: (x*2, x.mean()), (x,))
    const auto body = [](std::string_view first, Argument operand, std::string_view second) {
        Graph inner;
        const Value x = inner.add_input("x", tensor({batch, 2}));
        const Value a = call(inner, first, {{"self", x}, {"other", std::move(operand)}}, tensor({batch, 2}));
        const Value b = call(inner, second, {{"self", x}}, tensor({}));
        inner.set_outputs({a, b});
        return inner;
    };
    Graph g;
    const Value x = g.add_input("x", tensor({batch, 2}));
    const Value sum = call(g, "aten::sum", {{"self", x}}, tensor({}));
    const Value gt = call(g, "aten::gt.Scalar", {{"self", sum}, {"other", 0}}, tensor({}, DType::boolean));
    const Subgraph yes = g.add_subgraph("true_graph_0", body("aten::add.Tensor", 1, "aten::sum"));
    const Subgraph no = g.add_subgraph("false_graph_0", body("aten::mul.Tensor", 2, "aten::mean"));
    const auto results = call_tuple(g, "higher_order::cond",
                                    {{"pred", gt}, {"true_fn", yes}, {"false_fn", no}, {"operands", ArgumentList{x}}},
                                    {tensor({batch, 2}), tensor({})});
    g.set_outputs({results[0], results[1]});
    CHECK(to_string(g) == R"py(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s77, 2]"):
        sum_1: "f32[]" = torch.ops.aten.sum.default(x)
        gt: "b8[]" = torch.ops.aten.gt.Scalar(sum_1, 0);  sum_1 = None
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(gt, true_graph_0, false_graph_0, (x,));  gt = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[s77, 2]" = cond[0]
        getitem_1: "f32[]" = cond[1];  cond = None
        return (getitem, getitem_1)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s77, 2]"):
            add: "f32[s77, 2]" = torch.ops.aten.add.Tensor(x, 1)
            sum_1: "f32[]" = torch.ops.aten.sum.default(x);  x = None
            return (add, sum_1)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s77, 2]"):
            mul: "f32[s77, 2]" = torch.ops.aten.mul.Tensor(x, 2)
            mean: "f32[]" = torch.ops.aten.mean.default(x);  x = None
            return (mul, mean)
)py");
}

TEST_CASE("asserts, unbacked sizes, comparisons, constants of all kinds") {
    Graph g;
    const SymExpr u0 = SymExpr::symbol("u0");
    const Value x = g.add_input("x", tensor({3, 4}, DType::int64));
    const Value nonzero = call(g, "aten::nonzero", {{"self", x}}, tensor({u0, 2}, DType::int64));
    const Value rows = call(g, "aten::sym_size.int", {{"self", nonzero}, {"dim", 0}}, size(u0));
    const Value most = call(g, "_operator::le", {{"a", rows}, {"b", 12}}, size(le(u0, 12), ValueKind::sym_bool));
    g.append("aten::_assert_scalar",
             {{"self", most}, {"assert_msg", "Runtime assertion failed for expression u0 <= 12 on node 'le'"}}, {});
    const Value gelu = call(g, "aten::gelu", {{"self", x}, kw("approximate", "tanh")}, tensor({3, 4}));
    g.append("aten::_assert_tensor_metadata",
             {{"a", gelu}, kw("dtype", DType::float32), kw("device", Device{"cuda", 0}), kw("layout", Layout::strided)},
             {});
    const Value to = call(g, "aten::to.dtype",
                          {{"self", gelu},
                           {"dtype", DType::float64},
                           {"non_blocking", false},
                           {"copy", false},
                           {"memory_format", MemoryFormat::contiguous}},
                          tensor({3, 4}, DType::float64));
    const Value mul = call(g, "aten::mul.Tensor", {{"self", to}, {"other", std::complex<double>(1, 2)}},
                           tensor({3, 4}, DType::complex128));
    g.set_outputs({mul, 3, Argument(), nonzero});
    CHECK(to_string(g) == R"py(class GraphModule(torch.nn.Module):
    def forward(self, x: "i64[3, 4]"):
        nonzero: "i64[u0, 2]" = torch.ops.aten.nonzero.default(x)
        sym_size_int: "Sym(u0)" = torch.ops.aten.sym_size.int(nonzero, 0)
        le: "Sym(u0 <= 12)" = sym_size_int <= 12;  sym_size_int = None
        _assert_scalar_default = torch.ops.aten._assert_scalar.default(le, "Runtime assertion failed for expression u0 <= 12 on node 'le'");  le = _assert_scalar_default = None
        gelu: "f32[3, 4]" = torch.ops.aten.gelu.default(x, approximate = 'tanh');  x = None
        _assert_tensor_metadata_default = torch.ops.aten._assert_tensor_metadata.default(gelu, dtype = torch.float32, device = device(type='cuda', index=0), layout = torch.strided);  _assert_tensor_metadata_default = None
        to: "f64[3, 4]" = torch.ops.aten.to.dtype(gelu, torch.float64, False, False, torch.contiguous_format);  gelu = None
        mul: "c128[3, 4]" = torch.ops.aten.mul.Tensor(to, (1+2j));  to = None
        return (mul, 3, None, nonzero)
)py");
}

TEST_CASE("module paths stand where Python names lines") {
    Graph g;
    const Value x = g.add_input("x", tensor({2}));
    Value last = x;
    for (const std::string_view path : {"", "layers.0.act", "layers.0.act", "layers.1.act", ""}) {
        last = call(g, "aten::relu", {{"self", last}}, tensor({2}));
        g.last()->set_module_path(g.intern(path));
    }
    g.set_outputs({last});
    CHECK(to_string(g) == R"py(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None

        # layers.0.act
        relu_1: "f32[2]" = torch.ops.aten.relu.default(relu);  relu = None
        relu_2: "f32[2]" = torch.ops.aten.relu.default(relu_1);  relu_1 = None

        # layers.1.act
        relu_3: "f32[2]" = torch.ops.aten.relu.default(relu_2);  relu_2 = None

        relu_4: "f32[2]" = torch.ops.aten.relu.default(relu_3);  relu_3 = None
        return (relu_4,)
)py");
}

TEST_CASE("empty graphs; names of tuples never clash") {
    Graph empty;
    CHECK(to_string(empty) == "class GraphModule(torch.nn.Module):\n    def forward(self):\n        return ()\n");

    Graph g;
    const Value x = g.add_input("split", tensor({2, 2}));
    for (int i = 0; i < 3; ++i) {
        call_tuple(g, "aten::split.Tensor", {{"self", x}, {"split_size", 1}}, {tensor({1, 2})}, true);
        call_tuple(g, "aten::max.dim", {{"self", x}, {"dim", 0}}, {tensor({2}), tensor({2}, DType::int64)});
    }
    const std::string text = to_string(g);
    for (const std::string name : {"\n        split_1 = ", "\n        split_2 = ", "\n        split_3 = ",
                                   "\n        max_1 = ", "\n        max_2 = ", "\n        max_3 = "}) {
        CAPTURE(name);
        CHECK(text.find(name) != std::string::npos);
        CHECK(text.find(name) == text.rfind(name));
    }
    CHECK(text.find("\n        split = ") == std::string::npos);
    CHECK(text.find("\n        max = ") == std::string::npos);
}

TEST_CASE("numbers and texts as Python's repr() has them") {
    CHECK(python(1e-05) == "1e-05");
    CHECK(python(0.0001) == "0.0001");
    CHECK(python(1.0) == "1.0");
    CHECK(python(-0.0) == "-0.0");
    CHECK(python(0.1) == "0.1");
    CHECK(python(1e15) == "1000000000000000.0");
    CHECK(python(1e16) == "1e+16");
    CHECK(python(1.5e300) == "1.5e+300");
    CHECK(python(-3.4028234663852886e+38) == "-3.4028234663852886e+38");
    CHECK(python(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(python(-std::numeric_limits<double>::infinity()) == "-inf");
    CHECK(python(std::nan("")) == "nan");
    CHECK(python(std::complex<double>(1, 2)) == "(1+2j)");
    CHECK(python(std::complex<double>(0, 2)) == "2j");
    CHECK(python(std::complex<double>(1.5, -0.5)) == "(1.5-0.5j)");
    CHECK(python(std::complex<double>(-0.0, 1)) == "(-0+1j)");
    CHECK(python(std::string_view("it's")) == "\"it's\"");
    CHECK(python(std::string_view("a\"b'c\n\\\x01")) == "'a\"b\\'c\\n\\\\\\x01'");
}

TEST_CASE("ten thousand nodes are built and printed in well under a second") {
    const std::clock_t start = std::clock();  // not the wall's: tests run beside others
    Graph g;
    Value last = g.add_input("x", tensor({batch, seq, 64}));
    const Value weight = g.add_input("w", tensor({64, 64}));
    for (int i = 0; i < 2500; ++i) {
        const Value linear = call(g, "aten::linear", {{"input", last}, {"weight", weight}}, tensor({batch, seq, 64}));
        const auto parts = call_tuple(g, "aten::split.Tensor", {{"self", linear}, {"split_size", 32}, {"dim", -1}},
                                      {tensor({batch, seq, 32}), tensor({batch, seq, 32})}, true);
        const Value cat = call(g, "aten::cat", {{"tensors", ArgumentList{parts[1], parts[0]}}, {"dim", -1}},
                               tensor({batch, seq, 64}));
        last = call(g, "aten::add.Tensor", {{"self", cat}, {"other", last}}, tensor({batch, seq, 64}));
    }
    g.set_outputs({last});
    const std::string text = to_string(g);
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    CHECK(g.num_nodes() == 10000);
    CHECK(text.find("split_2499 = torch.ops.aten.split.Tensor(linear_2499, 32, -1);  linear_2499 = None") !=
          std::string::npos);
    CHECK(text.find("return (add_2499,)") != std::string::npos);
    MESSAGE("built and printed in ", taken * 1000, " ms, ", text.size(), " bytes");
    CHECK(taken < 1.0);
}
