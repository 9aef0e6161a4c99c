// A program is differentiable: its gradients are those of the model, and training it is training the model.
#include <ferry/dynamo/exporter.hpp>

#include <torch/torch.h>

#include <algorithm>

#include <doctest/doctest.h>

using namespace ferry;
using at::Tensor;

namespace {

struct Mlp : torch::nn::Module {
    torch::nn::Linear first = register_module("first", torch::nn::Linear(6, 16));
    torch::nn::Linear second = register_module("second", torch::nn::Linear(16, 3));
    Tensor forward(Tensor x) { return second(torch::gelu(first(x))); }
};

struct ConvNet : torch::nn::Module {
    torch::nn::Conv2d conv =
        register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(6, 8, 3).padding(1).stride(2)));
    torch::nn::BatchNorm2d norm = register_module("norm", torch::nn::BatchNorm2d(8));
    torch::nn::Linear head = register_module("head", torch::nn::Linear(8, 5));
    Tensor forward(Tensor x) { return head(torch::max_pool2d(torch::relu(norm(conv(x))), 2).mean({2, 3})); }
};

struct Attention : torch::nn::Module {
    torch::nn::Linear qkv = register_module("qkv", torch::nn::Linear(6, 24));
    torch::nn::LayerNorm norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({8})));
    Tensor forward(Tensor x) {
        const auto b = x.size(0), s = x.size(1);
        const auto parts = qkv(x).view({b, s, 3, 2, 4}).permute({2, 0, 3, 1, 4}).unbind(0);
        Tensor y =
            torch::scaled_dot_product_attention(parts[0], parts[1], parts[2]).transpose(1, 2).reshape({b, s, 8}) + 1;
        y.mul_(0.5).add_(1);  // in place: functional in the program
        return norm(y);
    }
};

struct Recurrent : torch::nn::Module {
    torch::nn::LSTM lstm = register_module(
        "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(6, 7).num_layers(2).bidirectional(true).batch_first(true)));
    Tensor forward(Tensor x) {
        const auto [output, state] = lstm(x);
        return output.sum(1) + std::get<0>(state).sum() * 0.1;
    }
};

/// Gradients of a loss in the input and all parameters.
std::vector<Tensor> gradients(const Tensor& output, const Tensor& x, torch::nn::Module& model) {
    std::vector<Tensor> all{x};
    for (const Tensor& parameter : model.parameters()) all.push_back(parameter);
    return torch::autograd::grad({output.pow(2).sum()}, all);
}

template <class Model>
void check_gradients(std::initializer_list<std::vector<std::int64_t>> sizes) {
    torch::manual_seed(3);
    Model model;
    model.eval();
    ProgramModule program =
        DynamoExporter{}.export_model(model, inputs("x", torch::randn(*sizes.begin())), {.dynamic = true}).module();
    for (const auto& size : sizes) {
        const Tensor x = torch::randn(size).requires_grad_();
        const Tensor expected = model.forward(x);
        const Tensor found = program.call<Tensor>(x);
        CHECK(torch::allclose(found, expected, 1e-5, 1e-6));
        CHECK(found.requires_grad());
        const auto right = gradients(expected, x, model), ours = gradients(found, x, model);
        for (std::size_t i = 0; i < right.size(); ++i) {
            CAPTURE(i);
            CHECK(torch::allclose(ours[i], right[i], 1e-4, 1e-5));
        }
    }
}

}  // namespace

TEST_CASE("gradients equal eager's") {
    SUBCASE("mlp") { check_gradients<Mlp>({{4, 6}, {3, 6}, {11, 6}}); }
    SUBCASE("convolutions") { check_gradients<ConvNet>({{2, 6, 12, 12}, {3, 6, 16, 10}, {5, 6, 9, 21}}); }
    SUBCASE("attention") { check_gradients<Attention>({{2, 5, 6}, {3, 9, 6}, {7, 2, 6}}); }
    SUBCASE("lstm") { check_gradients<Recurrent>({{2, 5, 6}, {3, 9, 6}, {4, 3, 6}}); }
}

TEST_CASE("what forward detaches stays without gradient") {
    const auto partly = [](Tensor x, Tensor w) { return x * w.detach() + w; };
    ProgramModule program =
        DynamoExporter{}
            .export_model(partly, inputs("x", torch::randn({4}), "w", torch::randn({4})), {.dynamic = true})
            .module();
    const Tensor x = torch::randn({6}).requires_grad_(), w = torch::randn({6}).requires_grad_();
    const auto found = torch::autograd::grad({program.call<Tensor>(x, w).sum()}, {x, w});
    CHECK(torch::allclose(found[0], w));
    CHECK(torch::allclose(found[1], torch::ones({6})));
}

TEST_CASE("a region without gradients in forward") {
    torch::manual_seed(4);
    const auto compare = [](const auto& model, const ExportedProgram& exported, std::size_t detached) {
        CHECK(std::ranges::count(exported.graph.nodes(), "aten::detach", &Node::op) ==
              static_cast<std::ptrdiff_t>(detached));
        ProgramModule program = exported.module();
        for (const std::int64_t n : {5, 9}) {
            const Tensor x = torch::randn({n, 4}).requires_grad_(), w = torch::randn({4, 4}).requires_grad_();
            const Tensor expected = model(x, w), found = program.call<Tensor>(x, w);
            CHECK(torch::allclose(found, expected, 1e-5, 1e-6));
            REQUIRE(found.requires_grad() == expected.requires_grad());
            if (!expected.requires_grad()) continue;
            const auto of = [&](const Tensor& y) {
                return torch::autograd::grad({y.pow(2).sum()}, {x, w}, {}, {}, false, /*allow_unused=*/true);
            };
            const auto right = of(expected), ours = of(found);
            for (std::size_t i = 0; i < 2; ++i) {
                CAPTURE(i);
                REQUIRE(ours[i].defined() == right[i].defined());
                if (right[i].defined()) CHECK(torch::allclose(ours[i], right[i], 1e-4, 1e-5));
            }
        }
    };
    const auto exported = [](const auto& model) {
        return DynamoExporter{}.export_model(model, inputs("x", torch::randn({3, 4}), "w", torch::randn({4, 4})),
                                             {.dynamic = true});
    };
    SUBCASE("its result goes on into one with gradients, twice") {
        const auto model = [](Tensor x, Tensor w) {
            Tensor scale;
            {
                const torch::NoGradGuard none;
                scale = x.matmul(w).abs().amax();
            }
            return x.matmul(w) / scale + scale;
        };
        compare(model, exported(model), 1);
    }
    SUBCASE("gradients on again inside") {
        const auto model = [](Tensor x, Tensor w) {
            const torch::NoGradGuard none;
            const Tensor y = x * 2;
            Tensor z;
            {
                const torch::AutoGradMode again(true);
                z = y.matmul(w);
            }
            const Tensor q = z.tanh();
            const torch::AutoGradMode at_last(true);
            return z + q;
        };
        compare(model, exported(model), 2);
    }
    SUBCASE("all of forward") {
        const auto model = [](Tensor x, Tensor w) {
            const torch::NoGradGuard none;
            return x.matmul(w).relu();
        };
        compare(model, exported(model), 1);
    }
    SUBCASE("what has no gradient anyway is not detached") {
        const auto model = [](Tensor x, Tensor w) {
            Tensor first, table;
            {
                const torch::NoGradGuard none;
                first = x.matmul(w).argmax(1);
                table = torch::arange(4, torch::kFloat).cos();
            }
            return x.matmul(w).gather(1, first.unsqueeze(1)) * table;
        };
        compare(model, exported(model), 0);
    }
    SUBCASE("written in place and read again") {
        const auto model = [](Tensor x, Tensor w) {
            Tensor y = torch::zeros_like(x);
            {
                const torch::NoGradGuard none;
                y.copy_(x.matmul(w)).select(1, 0).mul_(3);
            }
            return y * w.sum() + x;
        };
        compare(model, exported(model), 1);
    }
    SUBCASE("a capture without gradients says nothing of them") {
        const auto model = [](Tensor x, Tensor w) {
            const torch::NoGradGuard none;
            return x.matmul(w).relu();
        };
        const torch::NoGradGuard outer;
        const ExportedProgram program = exported(model);
        CHECK(std::ranges::count(program.graph.nodes(), "aten::detach", &Node::op) == 0);
    }
}

TEST_CASE("training the program trains the model, step for step like eager") {
    torch::manual_seed(5);
    Mlp eager, captured;
    {
        const torch::NoGradGuard no_gradients;
        for (std::size_t i = 0; i < eager.parameters().size(); ++i)
            captured.parameters()[i].copy_(eager.parameters()[i]);
    }
    ProgramModule program =
        DynamoExporter{}.export_model(captured, inputs("x", torch::randn({4, 6})), {.dynamic = true}).module();
    torch::optim::SGD of_eager(eager.parameters(), 0.05), of_program(captured.parameters(), 0.05);
    for (int step = 0; step < 5; ++step) {
        const Tensor x = torch::randn({3 + step, 6}), y = torch::randn({3 + step, 3});
        const Tensor expected = torch::mse_loss(eager.forward(x), y),
                     found = torch::mse_loss(program.call<Tensor>(x), y);
        CHECK(found.item<float>() == doctest::Approx(expected.item<float>()).epsilon(1e-5));
        of_eager.zero_grad();
        of_program.zero_grad();
        expected.backward();
        found.backward();
        of_eager.step();
        of_program.step();
    }
    for (std::size_t i = 0; i < eager.parameters().size(); ++i)
        CHECK(torch::allclose(captured.parameters()[i], eager.parameters()[i], 1e-5, 1e-6));
    CHECK(torch::equal(program.tensor("first.weight"), captured.first->weight));
}
