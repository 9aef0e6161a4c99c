// Sizes and numbers that depend on values: each program runs at data with counts that no probe had, none at all among them.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/types.h>

#include <vector>

namespace {

using at::Tensor;
using ferry_test::check_capture;
using ferry_test::dynamic;
using ferry_test::refusal;
using torch::indexing::Slice;

ferry::Inputs x_of(const Tensor& x) { return ferry::inputs("x", x); }

/// Many, all, one and no positive elements.
std::vector<ferry::Inputs> data(bool with_none = true) {
    at::manual_seed(3);
    Tensor one = -at::ones({4, 5});
    one[1][2] = 9;
    std::vector<ferry::Inputs> made{x_of(at::randn({9, 5})), x_of(at::randn({13, 7})), x_of(at::ones({3, 4})),
                                    x_of(at::randn({40, 11})), x_of(one)};
    if (with_none) made.push_back(x_of(-at::ones({8, 5})));
    return made;
}

template <class Model>
ferry::ExportedProgram check(Model&& model, bool with_none = true) {
    return check_capture(model, x_of(at::randn({6, 5})), dynamic(), data(with_none));
}

Tensor labels(const Tensor& x) { return x.abs().floor().to(at::kLong); }

}  // namespace

TEST_CASE("what a mask selects is a size of its own, zero and one included") {
    auto program = check([](Tensor x) { return (x > 0).nonzero() * 2; });
    CHECK(*program.ranges.find("u0") == ferry::ValueRange::at_least(0));
    check([](Tensor x) { return x.masked_select(x > 0) + 1; });
    check([](Tensor x) { return at::argwhere(x > 0); });
    check([](Tensor x) { return x.index({x > 0}).cumsum(0); });
    check([](Tensor x) { return x.index({Slice(), x.sum(0) > 0}).sum(1); });
    check([](Tensor x) {
        const Tensor y = x.index({x.sum(1) > 0});
        return at::relu(y).matmul(y.t());
    });
    check([](Tensor x) {
        const Tensor y = x.index({x.sum(1) > 0});
        return y.reshape({y.size(0) * y.size(1)}).cumsum(0);
    });
}

TEST_CASE("one mask is one size, however often it is used") {
    auto program = check([](Tensor x) {
        const Tensor mask = x > 0;
        return x.index({mask}) * x.mul(2).index({mask}) + at::masked_select(x, mask) + mask.nonzero().sum(1);
    });
    CHECK(program.ranges.find("u1") == nullptr);
    program = check([](Tensor x) { return at::cat({x.index({x > 0}), x.index({x < 0})}); });
    CHECK(program.ranges.find("u1") != nullptr);
}

TEST_CASE("a mask beside index tensors") {
    check([](Tensor x) { return x.index({x.sum(1) > 0, at::zeros({1}, at::kLong)}); });
    check([](Tensor x) {
        const Tensor mask = x.sum(1) > 0;
        const Tensor columns = mask.nonzero().select(1, 0).remainder(x.size(1));
        return x.index({mask, columns});
    });
    check([](Tensor x) { return x.index({x.sum(1) > 0, torch::tensor(0)}); });
}

TEST_CASE("composite ops that select by value are recorded as what they consist of") {
    auto program = check([](Tensor x) {
        const Tensor rows = at::where(x.sum(1) > 0)[0];
        return x.index_select(0, rows) * 3;
    });
    bool found = false;
    for (const ferry::Node& node : program.graph.nodes()) found = found || node.op() == "aten::nonzero";
    CHECK(found);
    check([](Tensor x) { return at::repeat_interleave(x, labels(x.sum(1)), 0); });
}

TEST_CASE("writing where a mask says") {
    check([](Tensor x) { return x.masked_scatter(x > 0, x.index({x > 0}) * 2); });
    check([](Tensor x) {
        Tensor y = x.clone();
        y.index_put_({y > 0}, 0.5);
        return y;
    });
}

TEST_CASE("a mixture of experts, each of which sees the rows that are its own") {
    check([](Tensor x) {
        const Tensor expert = x.sum(1).gt(0).to(at::kLong);
        Tensor out = at::zeros_like(x);
        for (int i = 0; i < 2; ++i) {
            const Tensor rows = at::where(expert == i)[0];
            out.index_add_(0, rows, x.index_select(0, rows) * (i + 2));
        }
        return out;
    });
    check([](Tensor x) {
        const Tensor rows = (x.sum(1) > 0).nonzero().squeeze(1);
        return x.index_copy(0, rows, x.index_select(0, rows).sigmoid());
    });
}

TEST_CASE("unique, bincount, one_hot") {
    check([](Tensor x) { return std::get<0>(at::_unique2(x.round())); });
    check([](Tensor x) {
        const auto [values, places, counts] = at::_unique2(x.round(), true, true, true);
        return values.index_select(0, places.flatten()) + counts.sum();
    });
    check([](Tensor x) { return std::get<2>(at::unique_dim(x.sign(), 0, true, true, true)); });
    check([](Tensor x) { return std::get<0>(at::unique_consecutive(x.sign(), false, false, 1)).sum(0); });
    check([](Tensor x) { return std::get<0>(at::unique_consecutive(x.sign())); });
    check([](Tensor x) { return at::bincount(labels(x).flatten()); });
    auto program = check([](Tensor x) { return at::bincount(labels(x).flatten(), {}, 10); });
    CHECK(*program.ranges.find("u0") == ferry::ValueRange::at_least(10));
    check([](Tensor x) { return at::one_hot(labels(x)); });
    check([](Tensor x) { return at::one_hot(labels(x), 30); });
}

TEST_CASE("an integer of a tensor, as a size and as a number") {
    check([](Tensor x) { return at::arange((x > 0).sum().item<std::int64_t>()) + x.sum(); });
    auto program = check([](Tensor x) {
        const auto number = x.sum().to(at::kLong).item<std::int64_t>();
        return x * number + (2 * number + 1);
    });
    CHECK(*program.ranges.find("u0") == ferry::ValueRange{});  // below zero too
}

TEST_CASE("an integer of a tensor, as a position") {
    const auto position = [](const Tensor& x) { return ((x > 0).sum() % 2).item<std::int64_t>(); };
    auto program = check([=](Tensor x) { return x.narrow(0, position(x), 2) * 2; });
    CHECK(*program.ranges.find("u0") == ferry::ValueRange{});
    check([=](Tensor x) { return x.select(1, position(x)) + x[position(x)].sum(); });
    check([=](Tensor x) {
        Tensor y = x.clone();
        y.narrow(0, position(x), 2).mul_(3);
        y[position(x) + 1].add_(1);
        return y;
    });
    check([](Tensor x) { return x.narrow(0, (x > 0).sum() % 2, 1); });

    struct Cache {
        Tensor cache = at::zeros({2, 16, 3});
        [[nodiscard]] Tensor operator()(const Tensor& x, const Tensor& at) const {
            const Tensor filled = cache.clone();
            filled.narrow(1, at.item<std::int64_t>(), x.size(1)).copy_(x);
            return filled;
        }
    } cache;
    const auto make = [](std::int64_t length, std::int64_t at) {
        return ferry::inputs("x", at::randn({2, length, 3}), "position", at::scalar_tensor(at, at::kLong));
    };
    program = check_capture([&](Tensor x, Tensor position) { return cache(x, position); }, make(4, 3), dynamic(),
                            {make(2, 0), make(2, 14), make(6, 10), make(3, 7)});
    CHECK_THROWS(static_cast<void>(program.module()(make(3, 14))));  // as in eager
    CHECK_THROWS(static_cast<void>(program.module()(make(3, 40))));
    CHECK_THROWS_WITH(static_cast<void>(program.module()(make(3, -3))), doctest::Contains("u0 >= 0"));
}

TEST_CASE("values at which the model does something else are refused when the program runs") {
    auto halves = [](Tensor x) {
        return x * (x.sum().to(at::kLong).item<std::int64_t>() / 2);
    };  // C++ rounds to zero, not down
    auto program = ferry_test::export_any(ferry_test::any_model(halves), x_of(at::ones({6, 5})), dynamic());
    CHECK(*program.ranges.find("u0") == ferry::ValueRange::at_least(0));
    CHECK(program.module()(x_of(at::ones({3, 5}))).leaves[0].tensor().equal(at::full({3, 5}, 7.0)));
    CHECK_THROWS_WITH(static_cast<void>(program.module()(x_of(-at::ones({3, 5})))), doctest::Contains("u0 >= 0"));
}

TEST_CASE("a branch on a value is refused, with the way out") {
    CHECK(refusal([](Tensor x) { return (x > 0).any().item<bool>() ? x : -x; }, x_of(at::ones({6, 5})))
              .find("ferry::cond") != std::string::npos);
    CHECK(refusal([](Tensor x) { return x * x.sum().item<float>(); }, x_of(at::ones({6, 5}))).find("ferry::cond") !=
          std::string::npos);
    CHECK(refusal([](Tensor x) { return at::equal(x, x * 2) ? x : -x; }, x_of(at::ones({6, 5}))).find("ferry::cond") !=
          std::string::npos);
}
