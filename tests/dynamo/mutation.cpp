// What forward writes to: views, views of views, buffers, inputs.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace ferry_test;
using namespace torch::indexing;
using ferry::inputs;
using torch::Tensor;

namespace {

/// A write through a view, to a copy and to the input itself.
template <class Write>
void check_write(const char* name, const Write& write, const Sizes& sample = {4, 6, 5},
                 std::initializer_list<Sizes> others = {{6, 8, 7}, {3, 10, 9}}) {
    check_sizes(
        name,
        [&](Tensor x) {
            Tensor y = x.clone();
            write(y);
            return y;
        },
        sample, others);
    check_sizes(
        name,
        [&](Tensor x) {
            Tensor all = x.view({-1});
            write(x);
            return std::make_tuple(x * 1, all.sum());
        },
        sample, others);
}

}  // namespace

TEST_CASE("writes through views") {
    torch::manual_seed(1);
    check_write("whole", [](Tensor y) { y.add_(1).mul_(y).relu_(); });
    check_write("in place alone named otherwise", [](Tensor y) { torch::dropout_(y, 0.5, false).add_(1); });
    check_write("select", [](Tensor y) { y[1].zero_(); });
    check_write("select of select", [](Tensor y) { y[1][2].add_(y[0][0]); });
    check_write("slice of slice", [](Tensor y) { y.slice(1, 1, -1).slice(2, 0, 3).mul_(3); });
    check_write("slice with a step", [](Tensor y) { y.slice(1, 0, y.size(1), 2).copy_(y.slice(1, 1, y.size(1), 2)); });
    check_write("transpose", [](Tensor y) { y.transpose(0, 2).select(0, 1).fill_(7); });
    check_write("permute", [](Tensor y) { y.permute({2, 0, 1})[0].add_(1); });
    check_write("movedim", [](Tensor y) { y.movedim(0, 2)[1].add_(1); });
    check_write("narrow from the end", [](Tensor y) { y.narrow(1, -3, 3).mul_(2); });
    check_write("view", [](Tensor y) { y.view({y.size(0), -1}).narrow(1, 2, 4).sub_(2); });
    check_write("view of an even size",
                [](Tensor y) { y.view({y.size(0), y.size(1) / 2, 2, y.size(2)}).select(2, 1).neg_(); });
    check_write("flatten, unflatten", [](Tensor y) {
        y.flatten(0, 1).select(0, 3).exp_();
        y.unflatten(1, {2, -1}).select(1, 0).sin_();
    });
    check_write("unsqueeze, squeeze", [](Tensor y) { y.unsqueeze(1).squeeze(1).select(2, 0).zero_(); });
    check_write("split and chunk",
                [](Tensor y) {
                    y.split(2, 1)[0].add_(1);
                    y.chunk(2, 1)[1].mul_(2);
                    y.unbind(1)[1].zero_();
                },
                {4, 6, 5}, {{5, 6, 3}});
    check_write("diagonal", [](Tensor y) { y.diagonal(0, 0, 1).fill_(9); });
    check_write("expand of a row", [](Tensor y) { y.copy_(y[0].unsqueeze(0).expand_as(y).clone()); });
    check_write("two views of one tensor", [](Tensor y) {
        Tensor a = y[0], b = y.select(1, 0);
        a.add_(1);
        b.add_(a.sum());
        a.mul_(b.mean());
    });
    check_write("a view read after a write to its base", [](Tensor y) {
        Tensor a = y[0];
        y.add_(1);
        y[1].copy_(a * 2);
    });
    check_write("ops with out", [](Tensor y) {
        Tensor a = y[0];
        torch::add_out(a, y[1], y[2]);
    });
    check_write("unsafe and detached", [](Tensor y) {
        y.detach().select(0, 1).add_(1);
        y.data().select(0, 2).add_(1);
    });
    check_write("reshape that is a view", [](Tensor y) { y.reshape({-1}).slice(0, 0, 3).zero_(); });
    check_write("unsqueeze_ and transpose_", [](Tensor y) {
        Tensor a = y.select(0, 1);
        a.unsqueeze_(0);
        a.add_(1);
        a.transpose_(1, 2);
        a.mul_(2);
    });
    check_write("clamp_, lerp_, addcmul_, bernoulli",
                [](Tensor y) { y.clamp_(-1, 1).lerp_(y * 2, 0.3).addcmul_(y, y, 0.5).clamp_min_(-0.5); });
    check_write("cumsum_, tril_, round_", [](Tensor y) {
        y.cumsum_(1).tril_();
        y[0].round_();
    });
    check_write("scatter_", [](Tensor y) {
        y.scatter_(2, torch::zeros({y.size(0), 2, 1}, torch::kLong), 4);
        y.scatter_add_(0, torch::ones({1, 2, 2}, torch::kLong), torch::ones({1, 2, 2}));
    });
    check_write("index_add_, index_copy_, index_fill_", [](Tensor y) {
        const auto rows = torch::tensor({0, 2});
        y.index_add_(0, rows, y.index({rows})).index_copy_(0, rows, y.index({rows}) * 2).index_fill_(1, rows, 1);
    });
    check_write("swap by copies", [](Tensor y) {
        const Tensor a = y[0].clone();
        y[0].copy_(y[1]);
        y[1].copy_(a);
    });
    check_write("comparison and logic in place", [](Tensor y) {
        Tensor mask = y > 0;
        mask.logical_not_();
        mask &= y < 1;
        y.mul_(mask);
    });
}

TEST_CASE("complex views") {
    torch::manual_seed(2);
    check_sizes("view_as_real",
                [](Tensor x) {
                    const Tensor z = torch::complex(x, x * 2);
                    torch::view_as_real(z).select(-1, 0).add_(1);
                    torch::imag(z).mul_(3);
                    return torch::view_as_real(z * z.conj());
                },
                {4, 6}, {{5, 9}});
}

TEST_CASE("static caches") {
    struct Cached : torch::nn::Module {
        Tensor keys = register_buffer("keys", torch::zeros({2, 4, 16, 3}));
        Tensor seen = register_buffer("seen", torch::zeros({}, torch::kLong));
        Tensor forward(Tensor x, Tensor position) {
            keys.index_put_({Slice(), Slice(), position}, x);  // at positions
            seen += position.size(0);
            return torch::einsum("bhsd,bhtd->bhst", {x, keys});
        }
    } by_positions;
    torch::manual_seed(3);
    const auto make = [](int64_t n, int64_t start) {
        return inputs("x", torch::randn({2, 4, n, 3}), "position", torch::arange(start, start + n));
    };
    const auto program = check_capture(by_positions, make(5, 0), dynamic(), {make(7, 3), make(2, 14)});
    std::size_t mutated = 0;
    for (const auto& output : program.signature.outputs)
        mutated += output.kind == ferry::OutputKind::buffer_mutation ? 1 : 0;
    CHECK(mutated == 2);

    struct Sliced : torch::nn::Module {
        Tensor cache = register_buffer("cache", torch::randn({2, 32, 3}));
        Tensor forward(Tensor x) {
            cache.narrow(1, 0, x.size(1)).copy_(x);
            return cache.narrow(1, 0, x.size(1)).cumsum(1) + cache.sum();
        }
    } sliced;
    check_sizes("sliced", sliced, {2, 5, 3}, {{2, 9, 3}, {2, 32, 3}});

    struct Rolled : torch::nn::Module {
        Tensor window = register_buffer("window", torch::randn({8, 3}));
        Tensor forward(Tensor x) {
            window.copy_(window.roll(-1, 0));
            window[-1] = x.mean(0);
            return window.clone();
        }
    } rolled;
    check_sizes("rolled", rolled, {4, 3}, {{7, 3}});
}

TEST_CASE("a tensor that is empty at first") {
    check_sizes("filled by an op",
                [](Tensor x) {
                    Tensor out = at::empty({0}, x.options());
                    at::mul_out(out, x, x);
                    at::add_out(out, out, x.select(0, 0));  // has its size by now
                    return out;
                },
                {4, 3}, {{5, 2}, {2, 7}});
    check_sizes("resized",
                [](Tensor x) {
                    Tensor y = at::empty({0}, x.options()), z = at::empty({0}, x.options());
                    y.resize_({x.size(1), 2}).fill_(1.5);
                    z.resize_as_(x).copy_(x * 2).select(1, 0).zero_();
                    return std::make_tuple(y, z, x.matmul(y));
                },
                {4, 3}, {{5, 2}, {2, 7}});
    const auto in_use = [](Tensor x) {
        Tensor y = x * 2;
        return y.resize_({2});
    };
    CHECK(refusal(in_use, inputs("x", at::randn({4}))).c_str() == doctest::Contains("aten::resize_"));
}

TEST_CASE("a program keeps its own buffers, call after call") {
    struct Counter : torch::nn::Module {
        Tensor count = register_buffer("count", torch::zeros({3}));
        Tensor forward(Tensor x) { return count += x; }
    } counter;
    const auto program = export_any(any_model(counter), inputs("x", torch::ones({3})), {});
    auto module = program.module();
    static_cast<void>(module(inputs("x", torch::ones({3}))));
    const auto second = module(inputs("x", torch::full({3}, 2.0)));
    CHECK(torch::equal(second.leaves[0].tensor(), torch::full({3}, 3.0)));
    CHECK(torch::equal(counter.count, torch::zeros({3})));
    CHECK(torch::equal(program.module()(inputs("x", torch::ones({3}))).leaves[0].tensor(), torch::ones({3})));
}
