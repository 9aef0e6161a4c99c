#include <ferry/graph/passes/linear.hpp>

#include "../build.hpp"

#include <ferry/graph/interpreter.hpp>

#include <doctest/doctest.h>

using namespace ferry;
using build::call;
using build::kw;
using build::tensor;

namespace {

const SymExpr s0 = SymExpr::symbol("s0");

struct Spelt {
    Graph g;
    std::vector<SymExpr> lead;
    Value x, w, b, t;

    explicit Spelt(std::vector<SymExpr> leading, SymExpr bias_size = 6) : lead(std::move(leading)) {
        x = g.add_input("x", tensor(with(4)));
        w = g.add_input("w", tensor({6, 4}));
        b = g.add_input("b", tensor({std::move(bias_size)}));
        t = call(g, "aten::t", {{"self", w}}, tensor({4, 6}));
    }
    std::vector<SymExpr> with(SymExpr last) const {
        auto sizes = lead;
        sizes.push_back(std::move(last));
        return sizes;
    }
    Value matmul() { return call(g, "aten::matmul", {{"self", x}, {"other", t}}, tensor(with(6))); }
    Value add(Value product, std::vector<NamedArgument> more = {}) {
        std::vector<NamedArgument> arguments{{"self", product}, {"other", b}};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return call(g, "aten::add.Tensor", std::move(arguments), tensor(with(6)));
    }
    Value addmm(std::vector<NamedArgument> more = {}) {
        std::vector<NamedArgument> arguments{{"self", b}, {"mat1", x}, {"mat2", t}};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return call(g, "aten::addmm", std::move(arguments), tensor(with(6)));
    }
    std::vector<at::Tensor> run(std::vector<std::int64_t> leading) const {
        leading.push_back(4);
        torch::manual_seed(7);
        const std::vector<c10::IValue> values{torch::randn(leading), torch::randn({6, 4}), torch::randn({6})};
        std::vector<at::Tensor> results;
        for (const c10::IValue& result : Interpreter(g).run(values)) results.push_back(result.toTensor());
        return results;
    }
    void check_restored(const std::vector<std::vector<std::int64_t>>& points, bool biased) {
        std::vector<std::vector<at::Tensor>> before;
        for (const auto& point : points) before.push_back(run(point));
        CHECK(restore_linear(g) == 1);
        CHECK(g.num_nodes() == 1);
        REQUIRE(g.first() != nullptr);
        CHECK(g.first()->op() == "aten::linear");
        CHECK(g.first()->arguments().size() == (biased ? 3 : 2));
        CHECK(g.outputs()[0] == Argument(g.first()->output()));
        CHECK((g.info(g.first()->output()).tensor.sizes == with(6)));
        for (std::size_t i = 0; i < points.size(); ++i)
            CHECK(torch::allclose(run(points[i])[0], before[i][0], 1e-5, 1e-5));
        CHECK(restore_linear(g) == 0);
    }
    void check_left() {
        const std::size_t nodes = g.num_nodes();
        CHECK(restore_linear(g) == 0);
        CHECK(g.num_nodes() == nodes);
    }
};

}  // namespace

TEST_CASE("t, matmul and add") {
    Spelt spelt({s0, 5});
    spelt.g.set_outputs({spelt.add(spelt.matmul())});
    spelt.check_restored({{1, 5}, {3, 5}, {8, 5}}, true);
}

TEST_CASE("t and matmul, of one dimension too") {
    Spelt spelt({s0});
    spelt.g.set_outputs({spelt.matmul()});
    spelt.check_restored({{1}, {9}}, false);
    Spelt vector({});
    vector.g.set_outputs({vector.matmul()});
    vector.check_restored({{}}, false);
}

TEST_CASE("t and addmm") {
    Spelt spelt({s0});
    spelt.g.set_outputs({spelt.addmm()});
    spelt.check_restored({{1}, {9}}, true);
    Spelt ones({s0});
    ones.g.set_outputs({ones.addmm({kw("beta", 1), kw("alpha", 1.0)})});
    ones.check_restored({{2}, {3}}, true);
}

TEST_CASE("the module is the weight's where that is known more precisely") {
    Spelt spelt({s0});
    spelt.g.set_outputs({spelt.addmm()});
    spelt.g.first()->set_module_path("mlp.up");
    spelt.g.last()->set_module_path("mlp");
    CHECK(restore_linear(spelt.g) == 1);
    CHECK(spelt.g.first()->module_path() == "mlp.up");
}

TEST_CASE("only exactly that") {
    Spelt scaled({s0});
    scaled.g.set_outputs({scaled.addmm({kw("alpha", 2)})});
    scaled.check_left();
    Spelt part({s0}, 1);  // a bias that is broadcast
    part.g.set_outputs({part.addmm()});
    part.check_left();
    Spelt shared({s0});  // the product is an output itself
    const Value product = shared.addmm();
    shared.g.set_outputs({product, shared.t});
    shared.check_left();
    Spelt transposed({s0});
    transposed.g.set_outputs({transposed.matmul()});
    call(transposed.g, "aten::sin", {{"self", transposed.t}}, tensor({4, 6}));
    transposed.check_left();
    Spelt dtype({s0});
    dtype.g.info(dtype.b).tensor.dtype = DType::float64;
    dtype.g.set_outputs({dtype.addmm()});
    dtype.check_left();
}

TEST_CASE("a sum that is no bias stays behind its linear") {
    Spelt spelt({s0});
    spelt.g.set_outputs({spelt.add(spelt.matmul(), {kw("alpha", 3)})});
    const auto before = spelt.run({5});
    CHECK(restore_linear(spelt.g) == 1);
    CHECK(spelt.g.first()->op() == "aten::linear");
    CHECK(spelt.g.last()->op() == "aten::add.Tensor");
    CHECK(torch::allclose(spelt.run({5})[0], before[0], 1e-5, 1e-5));
}

TEST_CASE("core ATen: permute or transpose, and mm") {
    const auto spelt_by = [](std::string_view op, std::vector<NamedArgument> dims, bool is_computed = false) {
        Graph g;
        const Value x = g.add_input("x", tensor({s0, 4}));
        Value w = g.add_input("w", tensor({6, 4}));
        if (is_computed) w = call(g, "aten::sin", {{"self", w}}, tensor({6, 4}));
        dims.insert(dims.begin(), {"self", w});
        const Value turned = call(g, op, std::move(dims), tensor({4, 6}));
        g.set_outputs({call(g, "aten::mm", {{"self", x}, {"mat2", turned}}, tensor({s0, 6}))});
        return g;
    };
    for (Graph g : {spelt_by("aten::t", {}), spelt_by("aten::permute", {{"dims", ArgumentList{1, 0}}}),
                    spelt_by("aten::permute", {{"dims", ArgumentList{-1, 0}}}),
                    spelt_by("aten::transpose.int", {{"dim0", 0}, {"dim1", -1}})}) {
        CHECK(restore_linear(g) == 0);
        const std::vector<c10::IValue> given{torch::randn({5, 4}), torch::randn({6, 4})};
        const at::Tensor before = Interpreter(g).run(given)[0].toTensor();
        CHECK(restore_linear(g, true) == 1);
        CHECK(g.num_nodes() == 1);
        CHECK(torch::allclose(Interpreter(g).run(given)[0].toTensor(), before, 1e-5, 1e-5));
    }
    Graph computed = spelt_by("aten::permute", {{"dims", ArgumentList{1, 0}}}, true);
    CHECK(restore_linear(computed, true) == 0);
}
