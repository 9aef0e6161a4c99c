// Recurrent layers and attention.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace ferry_test;
using ferry::inputs;
namespace nn = torch::nn;
using torch::Tensor;

TEST_CASE("recurrent layers: batch and time are dynamic") {
    torch::manual_seed(1);
    check_sizes("RNN", nn::RNN(nn::RNNOptions(4, 5)), {6, 3, 4}, {{6, 7, 4}, {9, 2, 4}});
    check_sizes("RNN relu", nn::RNN(nn::RNNOptions(4, 5).nonlinearity(torch::kReLU).bias(false)), {6, 3, 4},
                {{6, 7, 4}, {9, 2, 4}});
    check_sizes("LSTM", nn::LSTM(nn::LSTMOptions(4, 5)), {6, 3, 4}, {{6, 7, 4}, {9, 2, 4}});
    check_sizes("LSTM of two layers, both ways",
                nn::LSTM(nn::LSTMOptions(4, 5).num_layers(2).bidirectional(true).batch_first(true)), {3, 6, 4},
                {{7, 6, 4}, {4, 11, 4}});
    check_sizes("LSTM with projections", nn::LSTM(nn::LSTMOptions(4, 5).proj_size(3)), {6, 3, 4},
                {{6, 7, 4}, {9, 2, 4}});
    check_sizes("GRU", nn::GRU(nn::GRUOptions(4, 5)), {6, 3, 4}, {{6, 7, 4}, {9, 2, 4}});
    check_sizes("GRU of two layers, both ways",
                nn::GRU(nn::GRUOptions(4, 5).num_layers(2).bidirectional(true).batch_first(true)), {3, 6, 4},
                {{7, 6, 4}, {4, 11, 4}});
    nn::LSTM lstm(nn::LSTMOptions(4, 5));
    const auto with_state = [](int64_t t, int64_t b) {
        return inputs("x", torch::randn({t, b, 4}), "state",
                      std::make_tuple(torch::randn({1, b, 5}), torch::randn({1, b, 5})));
    };
    check_capture(lstm, with_state(6, 3), dynamic(), {with_state(6, 7), with_state(9, 2)});
    nn::GRU gru(nn::GRUOptions(4, 5));
    const auto with_hidden = [](int64_t t, int64_t b) {
        return inputs("x", torch::randn({t, b, 4}), "state", torch::randn({1, b, 5}));
    };
    check_capture(gru, with_hidden(6, 3), dynamic(), {with_hidden(6, 7), with_hidden(9, 2)});
}

TEST_CASE("recurrent cells") {
    torch::manual_seed(2);
    check_sizes("RNNCell", nn::RNNCell(4, 5), {3, 4}, {{7, 4}});
    check_sizes("LSTMCell", nn::LSTMCell(4, 5), {3, 4}, {{7, 4}});
    check_sizes("GRUCell", nn::GRUCell(4, 5), {3, 4}, {{7, 4}});
    struct Unrolled : nn::Module {
        nn::LSTMCell cell{4, 5};
        Unrolled() { register_module("cell", cell); }
        Tensor forward(Tensor x) {
            Tensor h = torch::zeros({x.size(0), 5}), c = torch::zeros({x.size(0), 5});
            for (int i = 0; i < 4; ++i) std::tie(h, c) = cell(x.select(1, i), std::make_tuple(h, c));
            return h;
        }
    } unrolled;
    check_sizes("unrolled", unrolled, {3, 6, 4}, {{7, 9, 4}});
}

TEST_CASE("attention") {
    torch::manual_seed(3);
    nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(8, 2));
    attention->eval();
    const auto make = [](int64_t t, int64_t s, int64_t b) {
        return inputs("query", torch::randn({t, b, 8}), "key", torch::randn({s, b, 8}));
    };
    const auto model = [&](Tensor query, Tensor key) { return attention(query, key, key); };
    check_capture(model, make(4, 5, 3), dynamic(), {make(6, 7, 2), make(9, 3, 5)});
    const auto masked = [&](Tensor query, Tensor key) {
        const Tensor mask = torch::full({query.size(0), key.size(0)}, -1e9).triu(1);
        return attention->forward(query, key, key, /*key_padding_mask=*/{}, /*need_weights=*/true, mask);
    };
    check_capture([&](Tensor x) { return attention(x, x, x); }, inputs("x", torch::randn({4, 3, 8})), dynamic(),
                  {inputs("x", torch::randn({7, 2, 8}))});
    check_capture(masked, make(4, 5, 3), dynamic(), {make(6, 7, 2)});
    // Of one shape: whether query, key and value are equal is not known, and does not matter.
    check_capture(model, make(4, 4, 3), dynamic(), {make(6, 7, 2), make(5, 5, 4)});
    const auto separate = [&](Tensor query, Tensor key, Tensor value) { return attention(query, key, value); };
    const auto all_three = [](int64_t t, int64_t s, int64_t b) {
        return inputs("query", torch::randn({t, b, 8}), "key", torch::randn({s, b, 8}), "value",
                      torch::randn({s, b, 8}));
    };
    check_capture(separate, all_three(4, 4, 3), dynamic(), {all_three(6, 7, 2), all_three(5, 5, 4)});
    const Tensor same = torch::randn({5, 2, 8});  // and when they are
    check_capture(separate, all_three(4, 5, 3), dynamic(), {inputs("query", same, "key", same, "value", same)});
    nn::MultiheadAttention wide(
        nn::MultiheadAttentionOptions(8, 2).add_bias_kv(true).add_zero_attn(true).kdim(8).vdim(8));
    wide->eval();
    check_capture([&](Tensor query, Tensor key) { return wide(query, key, key); }, make(4, 5, 3), dynamic(),
                  {make(6, 7, 2)});
    check_capture(
        [](Tensor q, Tensor k, Tensor v) { return at::scaled_dot_product_attention(q, k, v, {}, 0.0, true); },
        inputs("q", torch::randn({2, 3, 5, 8}), "k", torch::randn({2, 3, 5, 8}), "v", torch::randn({2, 3, 5, 8})),
        dynamic(),
        {inputs("q", torch::randn({4, 2, 9, 8}), "k", torch::randn({4, 2, 9, 8}), "v", torch::randn({4, 2, 9, 8}))});
}

TEST_CASE("transformers") {
    torch::manual_seed(4);
    nn::TransformerEncoder encoder(
        nn::TransformerEncoderOptions(nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0.1), 2));
    encoder->eval();
    check_capture([&](Tensor x) { return encoder(x); }, inputs("x", torch::randn({5, 3, 8})), dynamic(),
                  {inputs("x", torch::randn({7, 2, 8}))});
    nn::TransformerDecoder decoder(nn::TransformerDecoderOptions(
        nn::TransformerDecoderLayerOptions(8, 2).dim_feedforward(16).activation(torch::kGELU), 2));
    decoder->eval();
    const auto make = [](int64_t s, int64_t t, int64_t b) {
        return inputs("source", torch::randn({s, b, 8}), "target", torch::randn({t, b, 8}));
    };
    check_capture([&](Tensor source, Tensor target) { return decoder(target, source); }, make(5, 4, 3), dynamic(),
                  {make(7, 6, 2)});
    nn::Transformer both(nn::TransformerOptions(8, 2, 2, 2).dim_feedforward(16));
    both->eval();
    const auto causal = [&](Tensor source, Tensor target) {
        return both->forward(source, target, {}, nn::TransformerImpl::generate_square_subsequent_mask(target.size(0)));
    };
    check_capture(causal, make(5, 4, 3), dynamic(), {make(7, 6, 2), make(3, 9, 5)});
}
