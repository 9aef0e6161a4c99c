// Small whole models.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

#include <cmath>

using namespace ferry_test;
using namespace torch::indexing;
using ferry::inputs;
namespace nn = torch::nn;
using torch::Tensor;

namespace {

struct Experts : nn::Module {
    nn::Linear router{nn::LinearOptions(8, 4).bias(false)};
    Tensor up = register_parameter("up", torch::randn({4, 8, 16}) * 0.1);
    Tensor down = register_parameter("down", torch::randn({4, 16, 8}) * 0.1);
    Experts() { register_module("router", router); }
    Tensor forward(Tensor x) {
        const Tensor flat = x.reshape({-1, x.size(-1)});
        auto [weight, chosen] = router(flat).softmax(-1).topk(2, -1);
        const Tensor expert = chosen.flatten();
        const Tensor order = expert.argsort(0, false);
        const Tensor rows = order.div(2, "floor");
        const Tensor counts =
            torch::zeros({4}, torch::kInt).scatter_add(0, expert, torch::ones_like(expert, torch::kInt));
        const Tensor ends = counts.cumsum(0, torch::kInt);
        const Tensor hidden = torch::silu(
            at::_grouped_mm(flat.index_select(0, rows).to(torch::kBFloat16), up.to(torch::kBFloat16), ends));
        const Tensor out = at::_grouped_mm(hidden, down.to(torch::kBFloat16), ends).to(torch::kFloat);
        return torch::zeros_like(flat)
            .index_add(0, rows, out * weight.flatten().index_select(0, order).unsqueeze(1))
            .view_as(x);
    }
};

struct StateSpace : nn::Module {
    Tensor a = register_parameter("a", torch::rand({6, 4}));
    nn::Linear in{6, 14};
    StateSpace() { register_module("in", in); }
    Tensor forward(Tensor x) {  // over a fixed count of steps
        const auto parts = in(x).split({6, 4, 4}, -1);
        const Tensor delta = torch::softplus(parts[0]);
        const Tensor decay = torch::exp(-delta.unsqueeze(-1) * a);
        const Tensor input = delta.unsqueeze(-1) * parts[1].unsqueeze(2) * x.unsqueeze(-1);
        Tensor state = torch::zeros({x.size(0), 6, 4});
        std::vector<Tensor> outputs;
        for (int t = 0; t < 8; ++t) {
            state = decay.select(1, t) * state + input.select(1, t);
            outputs.push_back((state * parts[2].select(1, t).unsqueeze(1)).sum(-1));
        }
        return torch::stack(outputs, 1);
    }
};

using Cache = std::vector<
    std::pair<std::vector<Tensor>, std::vector<Tensor>>>;  // by layer: self (keys, values), cross (keys, values)

struct EncoderDecoder : nn::Module {
    static constexpr int64_t width = 8, heads = 2;
    struct Attention : nn::Module {
        nn::Linear q{width, width}, k{width, width}, v{width, width}, o{width, width};
        Attention() {
            register_module("q", q);
            register_module("k", k);
            register_module("v", v);
            register_module("o", o);
        }
        static Tensor split(const Tensor& x) { return x.view({x.size(0), -1, heads, width / heads}).transpose(1, 2); }
        Tensor attend(const Tensor& x, const Tensor& keys, const Tensor& values, bool causal) {
            Tensor scores = torch::matmul(split(q(x)), keys.transpose(-1, -2)) / std::sqrt(double(width / heads));
            if (causal) {
                const int64_t past = keys.size(2) - x.size(1);
                const Tensor mask =
                    torch::arange(keys.size(2)).unsqueeze(0) > torch::arange(x.size(1)).unsqueeze(1) + past;
                scores = scores.masked_fill(mask, -1e9);
            }
            return o(torch::matmul(scores.softmax(-1), values).transpose(1, 2).reshape({x.size(0), x.size(1), width}));
        }
    };
    nn::Embedding embedding{20, width};
    std::vector<std::shared_ptr<Attention>> self, cross, encode;
    nn::LayerNorm norm{nn::LayerNormOptions({width})};
    EncoderDecoder() {
        register_module("embedding", embedding);
        register_module("norm", norm);
        for (int i = 0; i < 2; ++i) {
            self.push_back(register_module("self" + std::to_string(i), std::make_shared<Attention>()));
            cross.push_back(register_module("cross" + std::to_string(i), std::make_shared<Attention>()));
            encode.push_back(register_module("encode" + std::to_string(i), std::make_shared<Attention>()));
        }
    }
    std::tuple<Tensor, Cache> forward(Tensor source, Tensor target, Cache past) {
        Tensor memory = embedding(source);
        for (const auto& layer : encode)
            memory = norm(memory + layer->attend(memory, Attention::split(layer->k(memory)),
                                                 Attention::split(layer->v(memory)), false));
        Tensor x = embedding(target);
        Cache now;
        for (std::size_t i = 0; i < self.size(); ++i) {
            const Tensor keys = torch::cat({past[i].first[0], Attention::split(self[i]->k(x))}, 2);
            const Tensor values = torch::cat({past[i].first[1], Attention::split(self[i]->v(x))}, 2);
            x = norm(x + self[i]->attend(x, keys, values, true));
            const Tensor far_keys = Attention::split(cross[i]->k(memory)),
                         far_values = Attention::split(cross[i]->v(memory));
            x = norm(x + cross[i]->attend(x, far_keys, far_values, false));
            now.push_back({{keys, values}, {far_keys, far_values}});
        }
        return {torch::matmul(x, embedding->weight.t()), now};
    }
};

}  // namespace

TEST_CASE("mixture of experts with _grouped_mm") {
    torch::manual_seed(1);
    Experts experts;
    check_sizes("experts", experts, {2, 5, 8}, {{3, 7, 8}, {4, 16, 8}});
}

TEST_CASE("a state space scan over a fixed count") {
    torch::manual_seed(2);
    StateSpace model;
    check_sizes("state space", model, {2, 8, 6}, {{5, 8, 6}});
}

TEST_CASE("an encoder-decoder with a nested cache") {
    torch::manual_seed(3);
    EncoderDecoder model;
    const auto make = [](int64_t b, int64_t s, int64_t t, int64_t p) {
        const auto ids = [&](int64_t n) { return torch::randint(0, 20, {b, n}, torch::kLong); };
        const auto part = [&] { return torch::randn({b, 2, p, 4}); };
        return inputs("source", ids(s), "target", ids(t), "past",
                      Cache{{{part(), part()}, {}}, {{part(), part()}, {}}});
    };
    check_capture(model, make(2, 5, 3, 7), dynamic(), {make(3, 6, 2, 9), make(4, 9, 5, 2)});
    // The cache's length need not be given by the inputs' own names.
    const ferry::Dim batch{"batch", 1, 16}, past{"past", 1, 32};
    check_capture(model, make(2, 5, 3, 7),
                  {.dynamic_shapes = {{"source", {{0, batch}}},
                                      {"target", {{0, batch}}},
                                      {"past.0.0.0", {{0, batch}, {2, past}}},
                                      {"past.0.0.1", {{0, batch}, {2, past}}},
                                      {"past.1.0.0", {{0, batch}, {2, past}}},
                                      {"past.1.0.1", {{0, batch}, {2, past}}}}},
                  {make(1, 5, 3, 12), make(5, 5, 3, 1)});
}
