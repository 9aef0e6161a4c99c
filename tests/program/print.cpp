#include <ferry/program/print.hpp>

#include "../graph/build.hpp"

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::call_tuple;
using build::kw;
using build::tensor;

// What torch 2.12 prints for the same programs, without the lines that name files.

TEST_CASE("a program with mutations") {
    // s.k[1:2]=x; m.mul_(2); return s.k.sum(), complex(x,x)*(1+2j), var_mean(x) after run_decompositions(); n is the number 3
    ExportedProgram program;
    Graph& g = program.graph;
    const Value k = g.add_input("b_k", tensor({4, 3}));
    const Value x = g.add_input("x", tensor({1, 3}));
    const Value m = g.add_input("m", tensor({2}));
    const Value slice =
        call(g, "aten::slice.Tensor", {{"self", k}, {"dim", 0}, {"start", 1}, {"end", 2}}, tensor({1, 3}));
    const Value copy = call(g, "aten::copy", {{"self", slice}, {"src", x}}, tensor({1, 3}));
    const Value scatter = call(g, "aten::slice_scatter",
                               {{"self", k}, {"src", copy}, {"dim", 0}, {"start", 1}, {"end", 2}}, tensor({4, 3}));
    const Value mul = call(g, "aten::mul.Tensor", {{"self", m}, {"other", 2}}, tensor({2}));
    const Value sum = call(g, "aten::sum.dim_IntList", {{"self", scatter}, {"dim", ArgumentList{}}}, tensor({}));
    const Value complex = call(g, "aten::complex", {{"real", x}, {"imag", x}}, tensor({1, 3}, DType::complex64));
    const Value mul_1 = call(g, "aten::mul.Tensor", {{"self", complex}, {"other", std::complex<double>(1, 2)}},
                             tensor({1, 3}, DType::complex64));
    const auto var_mean =
        call_tuple(g, "aten::var_mean.correction", {{"self", x}, kw("correction", 0.0)}, {tensor({}), tensor({})});
    const Value sqrt = call(g, "aten::sqrt", {{"self", var_mean[0]}}, tensor({}));
    g.set_outputs({scatter, mul, sum, mul_1, sqrt, var_mean[1]});
    program.signature.inputs = {{.kind = InputKind::buffer, .argument = k, .name = "b_k", .target = "k"},
                                {.argument = x, .name = "x"},
                                {.argument = 3, .name = "n"},
                                {.argument = m, .name = "m"}};
    program.signature.outputs = {{.kind = OutputKind::buffer_mutation, .argument = scatter, .target = "k"},
                                 {.kind = OutputKind::user_input_mutation, .argument = mul, .target = "m"},
                                 {.argument = sum},
                                 {.argument = mul_1},
                                 {.argument = sqrt},
                                 {.argument = var_mean[1]}};
    CHECK(program.print() == R"py(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_k: "f32[4, 3]", x: "f32[1, 3]", n, m: "f32[2]"):
            slice_1: "f32[1, 3]" = torch.ops.aten.slice.Tensor(b_k, 0, 1, 2)
            copy: "f32[1, 3]" = torch.ops.aten.copy.default(slice_1, x);  slice_1 = None
            slice_scatter: "f32[4, 3]" = torch.ops.aten.slice_scatter.default(b_k, copy, 0, 1, 2);  b_k = copy = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(m, 2);  m = None
            sum_1: "f32[]" = torch.ops.aten.sum.dim_IntList(slice_scatter, [])
            complex_1: "c64[1, 3]" = torch.ops.aten.complex.default(x, x)
            mul_1: "c64[1, 3]" = torch.ops.aten.mul.Tensor(complex_1, (1+2j));  complex_1 = None
            var_mean = torch.ops.aten.var_mean.correction(x, correction = 0.0);  x = None
            getitem: "f32[]" = var_mean[0]
            getitem_1: "f32[]" = var_mean[1];  var_mean = None
            sqrt: "f32[]" = torch.ops.aten.sqrt.default(getitem);  getitem = None
            return (slice_scatter, mul, sum_1, mul_1, sqrt, getitem_1)
    
Graph signature: 
    # inputs
    b_k: BUFFER target='k' persistent=True
    x: USER_INPUT
    n: USER_INPUT
    m: USER_INPUT
    
    # outputs
    slice_scatter: BUFFER_MUTATION target='k'
    mul: USER_INPUT_MUTATION target='m'
    sum_1: USER_OUTPUT
    mul_1: USER_OUTPUT
    sqrt: USER_OUTPUT
    getitem_1: USER_OUTPUT
    
Range constraints: {}
)py");
}

TEST_CASE("parameters, constants, ranges, an output that is a number") {
    ExportedProgram program;
    Graph& g = program.graph;
    const SymExpr batch = SymExpr::symbol("s77");
    const Value w = g.add_input("p_l_weight", tensor({6, 4}));
    const Value c = g.add_input("c_c", tensor({6}));
    const Value x = g.add_input("x", tensor({batch, 4}));
    const Value linear = call(g, "aten::linear", {{"input", x}, {"weight", w}}, tensor({batch, 6}));
    const Value add = call(g, "aten::add.Tensor", {{"self", linear}, {"other", c}}, tensor({batch, 6}));
    g.set_outputs({add, 3, x});
    for (Node& node : g.nodes()) node.set_module_path("l");
    program.signature.inputs = {
        {.kind = InputKind::parameter, .argument = w, .name = "p_l_weight", .target = "l.weight"},
        {.kind = InputKind::constant_tensor, .argument = c, .name = "c_c", .target = "c"},
        {.argument = x, .name = "x"}};
    program.signature.outputs = {{.argument = add}, {.argument = 3}, {.argument = x}};
    program.ranges.set("s77", {1, 32});
    program.ranges.set("u0", ValueRange::at_least(2));
    CHECK(program.print() == R"py(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_l_weight: "f32[6, 4]", c_c: "f32[6]", x: "f32[s77, 4]"):
            # l
            linear: "f32[s77, 6]" = torch.ops.aten.linear.default(x, p_l_weight);  p_l_weight = None
            add: "f32[s77, 6]" = torch.ops.aten.add.Tensor(linear, c_c);  linear = c_c = None
            return (add, 3, x)
    
Graph signature: 
    # inputs
    p_l_weight: PARAMETER target='l.weight'
    c_c: CONSTANT_TENSOR target='c'
    x: USER_INPUT
    
    # outputs
    add: USER_OUTPUT
    : USER_OUTPUT
    x: USER_OUTPUT
    
Range constraints: {s77: VR[1, 32], u0: VR[2, int_oo]}
)py");
}
