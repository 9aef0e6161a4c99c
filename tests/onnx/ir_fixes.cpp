// Each pass alone: fewer nodes, and the same numbers in ONNX Runtime.
#include <ferry/onnx/builder.hpp>
#include <ferry/onnx/ir/check.hpp>
#include <ferry/onnx/ir/emit.hpp>
#include <ferry/onnx/ir_fixes/batch_norm_folding.hpp>
#include <ferry/onnx/ir_fixes/chains.hpp>
#include <ferry/onnx/ir_fixes/common_subexpressions.hpp>
#include <ferry/onnx/ir_fixes/constant_folding.hpp>
#include <ferry/onnx/ir_fixes/dead_code.hpp>
#include <ferry/onnx/ir_fixes/pad_folding.hpp>
#include <ferry/onnx/ir_fixes/same_initializers.hpp>
#include <ferry/onnx/names.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace {

namespace fo = ferry::onnx;
using ferry::DType;
using ferry::SymExpr;
using fo::Builder;
using fo::Ref;

/// A model of one input x [n, 3, 4] and what `fill` makes of it.
struct Case {
    explicit Case(const std::function<std::vector<Ref>(Builder&, Ref)>& fill, DType dtype = DType::float32) {
        model.opsets = {{"", 20}};
        ranges.set("n", ferry::ValueRange{1, 100});
        Builder builder(model, ranges);
        const Ref x = model.add({.name = "x", .dtype = dtype, .sizes = fo::Sizes{SymExpr::symbol("n"), 3, 4}});
        model.main().inputs = {x};
        builder.know_symbols(x);
        for (const Ref each : fill(builder, x)) {
            const Ref output = builder.like(builder.add("Identity", {each}), each);
            model.main().outputs.push_back(output);
        }
        input = dtype == DType::float32 ? at::rand({5, 3, 4}) : at::randint(-9, 9, {5, 3, 4}).to(ferry::to_c10(dtype));
    }
    [[nodiscard]] std::vector<at::Tensor> run() {
        fo::name_values(model);
        fo::check(model);
        const std::string bytes = fo::emit(model, fo::Weights::inside).proto.SerializeAsString();
        return ferry::runtime::OnnxSession(std::as_bytes(std::span(bytes)), {.optimize = false}).run({input});
    }
    /// How many nodes are left, with those that the outputs need for their names.
    template <class... Passes>
    std::size_t fix(double tolerance = 0) {
        const auto before = run();
        (Passes::fix(model), ...);
        fo::dead_code::fix(model);
        const auto after = run();
        REQUIRE(before.size() == after.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            CHECK(after[i].sizes() == before[i].sizes());
            CHECK((tolerance == 0 ? at::equal(after[i], before[i])
                                  : at::allclose(after[i], before[i], tolerance, tolerance)));
        }
        return model.num_nodes();
    }

    fo::Model model;
    ferry::SymRanges ranges;
    at::Tensor input;
};

}  // namespace

TEST_CASE("nodes that nothing needs go") {
    Case one([](Builder& b, Ref x) {
        b.add("Neg", {b.add("Exp", {x})});
        return std::vector{b.like(b.add("Abs", {x}), x)};
    });
    CHECK(one.fix<>() == 2);
}

TEST_CASE("equal nodes are computed once") {
    Case one([](Builder& b, Ref x) {
        const Ref first = b.add("Mul", {x, b.number(2, DType::float32)});
        const Ref second = b.add("Mul", {x, b.number(2, DType::float32)});
        return std::vector{b.like(b.add("Add", {b.add("Exp", {first}), b.add("Exp", {second})}), x)};
    });
    CHECK(one.fix<fo::common_subexpressions>() == 4);
}

TEST_CASE("views of views are one view") {
    Case back([](Builder& b, Ref x) { return std::vector{b.transpose(b.transpose(x, 0, 2), 0, 2)}; });
    CHECK(back.fix<fo::chains>() == 1);
    Case turned([](Builder& b, Ref x) { return std::vector{b.transpose(b.transpose(x, 0, 2), 1, 2)}; });
    CHECK(turned.fix<fo::chains>() == 2);
    const SymExpr n = SymExpr::symbol("n");
    Case flat([&](Builder& b, Ref x) { return std::vector{b.reshape(b.reshape(x, {n * SymExpr(12)}), {n, 2, 6})}; });
    CHECK(flat.fix<fo::chains>() == 2);
    Case undone([&](Builder& b, Ref x) { return std::vector{b.reshape(b.unsqueeze(x, {1}), {n, 3, 4})}; });
    CHECK(undone.fix<fo::chains>() == 1);
    Case kept([&](Builder& b, Ref x) {  // the zero stands for the size of another input
        return std::vector{b.reshape(b.permute(b.reshape(x, {n, 12}), {1, 0}), {12, n, 1})};
    });
    CHECK(kept.fix<fo::chains>() == 4);
}

TEST_CASE("a cast that loses nothing is left out in front of another") {
    Case exact([](Builder& b, Ref x) { return std::vector{b.cast(b.cast(x, DType::int64), DType::int32)}; },
               DType::int32);
    CHECK(exact.fix<fo::chains>() == 1);
    Case through([](Builder& b, Ref x) { return std::vector{b.cast(b.cast(x, DType::int64), DType::float32)}; },
                 DType::int32);
    CHECK(through.fix<fo::chains>() == 2);
    Case lossy([](Builder& b, Ref x) { return std::vector{b.cast(b.cast(x, DType::int32), DType::float32)}; });
    CHECK(lossy.fix<fo::chains>() == 3);
}

TEST_CASE("initializers of the same content are one") {
    const at::Tensor weight = at::rand({3, 4}), other = weight.clone();
    at::Tensor last = weight.clone();
    last.view(-1)[5] += 1;
    Case one([&](Builder& b, Ref x) {
        Ref sum = x;
        for (const at::Tensor& each : {weight, other, last})
            sum = b.like(
                b.add("Add",
                      {sum, b.model().add({.dtype = DType::float32, .sizes = fo::Sizes{3, 4}, .constant = each})}),
                x);
        return std::vector{sum};
    });
    one.fix<fo::same_initializers>();
    CHECK(fo::emit(one.model, fo::Weights::inside).proto.graph().initializer_size() == 2);
}

TEST_CASE("what depends on constants alone is computed at export") {
    Case test([](Builder& b, Ref x) {
        const Ref row = b.constant(at::rand({4}));
        const Ref table =
            b.add("Concat", {b.unsqueeze(row, {0}), b.add("Neg", {b.unsqueeze(row, {0})})}, {{"axis", 0}});
        const Ref last = b.add("Gather", {table, b.number(-1, DType::int64)}, {{"axis", 0}});
        const Ref middle = b.add("Slice", {table, b.ints({0}), b.ints({-1}), b.ints({-2})});
        const Ref known = b.add("Shape", {x}, {{"start", 1}});  // 3, 4
        const Ref minus_two = b.add("Div", {b.add("Slice", {known, b.ints({1}), b.ints({2})}), b.ints({-2})});
        return std::vector<Ref>{b.like(b.add("Add", {b.add("Mul", {x, last}), middle}), x),
                                b.like(b.add("Reshape", {x, b.add("Concat", {b.ints({-1}), known}, {{"axis", 0}})}), x),
                                b.like(b.add("Mul", {x, b.cast(minus_two, DType::float32)}), x)};
    });
    CHECK(test.fix<fo::constant_folding>() == 4 + 3);
}

TEST_CASE("large constants are left to ONNX Runtime") {
    Case test([](Builder& b, Ref x) {
        const Ref large = b.filled({200, 3, 400}, 1.5, DType::float32);
        const Ref most = b.add("ReduceMax", {large}, {{"keepdims", 0}});
        return std::vector<Ref>{b.like(b.add("Add", {x, most}), x)};
    });
    CHECK(test.fix<fo::constant_folding>() == 4);
}

TEST_CASE("a convolution does what a batch norm behind it would") {
    const auto normed = [](Builder& b, Ref value) {
        std::vector<Ref> inputs{value};
        for (int i = 0; i < 4; ++i) inputs.push_back(b.constant(at::rand({5}) + 0.1));
        return b.with_sizes(b.add("BatchNormalization", inputs, {{"epsilon", 1e-3}}), {SymExpr::symbol("n"), 5, 3});
    };
    const auto convolved = [](Builder& b, Ref x, bool has_bias) {
        std::vector<Ref> inputs{x, b.constant(at::rand({5, 3, 2}))};
        if (has_bias) inputs.push_back(b.constant(at::rand({5})));
        return b.with_sizes(b.add("Conv", inputs), {SymExpr::symbol("n"), 5, 3});
    };
    for (const bool has_bias : {true, false}) {
        Case test([&](Builder& b, Ref x) {
            return std::vector<Ref>{normed(b, convolved(b, x, has_bias)), normed(b, convolved(b, x, !has_bias))};
        });
        CHECK(test.fix<fo::batch_norm_folding>(1e-5) == 2 + 2);
    }
    Case shared([&](Builder& b, Ref x) {
        const Ref used_twice = convolved(b, x, true);
        return std::vector<Ref>{used_twice, normed(b, used_twice)};
    });
    CHECK(shared.fix<fo::batch_norm_folding>() == 2 + 2);
}

TEST_CASE("a convolution adds the zeros around an image itself") {
    const auto convolved = [](const std::vector<std::int64_t>& pads, float value) {
        return Case([=](Builder& b, Ref x) {
            const Ref padded = b.add("Pad", {x, b.ints(pads), b.number(value, DType::float32)});
            const Ref weight = b.constant(at::rand({5, 3, 2}));
            const Ref made = b.add("Conv", {padded, weight}, {{"pads", std::vector<std::int64_t>{1, 0}}});
            return std::vector<Ref>{
                b.with_sizes(made, {SymExpr::symbol("n") + SymExpr(pads[0]), 5, 4 + pads[2] + pads[5]})};
        });
    };
    CHECK(convolved({0, 0, 2, 0, 0, 1}, 0).fix<fo::pad_folding>(1e-6) == 1 + 1);
    CHECK(convolved({0, 0, 2, 0, 0, 1}, 1).fix<fo::pad_folding>() == 1 + 2);   // not zeros
    CHECK(convolved({0, 0, -1, 0, 0, 1}, 0).fix<fo::pad_folding>() == 1 + 2);  // a part of the image goes
    CHECK(convolved({1, 0, 2, 0, 0, 1}, 0).fix<fo::pad_folding>() == 1 + 2);   // more images
    Case named([](Builder& b, Ref x) {
        const Ref padded = b.add("Pad", {x, b.ints({2, 1}), b.number(0, DType::float32), b.ints({2})});
        const Ref made =
            b.add("Conv", {padded, b.constant(at::rand({5, 3, 2}))}, {{"pads", std::vector<std::int64_t>{1, 0}}});
        return std::vector<Ref>{b.with_sizes(made, {SymExpr::symbol("n"), 5, 7})};
    });
    CHECK(named.fix<fo::pad_folding>(1e-6) == 1 + 1);
}
