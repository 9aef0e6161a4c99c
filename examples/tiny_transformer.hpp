// A small language model in plain libtorch, as users have them: nothing in it knows of Ferry.
#pragma once

#include <torch/nn/functional/activation.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <cstdint>

namespace examples {

struct TransformerOptions {
    std::int64_t vocabulary = 1000;
    std::int64_t width = 64;
    std::int64_t heads = 4;
    std::int64_t layers = 2;
    std::int64_t positions = 4096;
};

struct BlockImpl : torch::nn::Module {
    explicit BlockImpl(const TransformerOptions& options)
        : heads(options.heads),
          attention_norm(
              register_module("attention_norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.width})))),
          mlp_norm(register_module("mlp_norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.width})))),
          qkv(register_module("qkv", torch::nn::Linear(options.width, 3 * options.width))),
          out(register_module("out", torch::nn::Linear(options.width, options.width))),
          up(register_module("up", torch::nn::Linear(options.width, 4 * options.width))),
          down(register_module("down", torch::nn::Linear(4 * options.width, options.width))) {}

    torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask) {
        const auto batch = x.size(0), length = x.size(1), width = x.size(2);
        const auto parts =
            qkv(attention_norm(x)).view({batch, length, 3, heads, width / heads}).permute({2, 0, 3, 1, 4}).unbind(0);
        const auto attended = at::scaled_dot_product_attention(parts[0], parts[1], parts[2], mask);
        x = x + out(attended.transpose(1, 2).reshape({batch, length, width}));
        return x + down(torch::nn::functional::gelu(up(mlp_norm(x))));
    }

    std::int64_t heads;
    torch::nn::LayerNorm attention_norm, mlp_norm;
    torch::nn::Linear qkv, out, up, down;
};
TORCH_MODULE(Block);

struct TinyTransformer : torch::nn::Module {
    explicit TinyTransformer(const TransformerOptions& options = {})
        : tokens(register_module("tokens", torch::nn::Embedding(options.vocabulary, options.width))),
          positions(register_module("positions", torch::nn::Embedding(options.positions, options.width))),
          norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.width})))),
          head(register_module(
              "head", torch::nn::Linear(torch::nn::LinearOptions(options.width, options.vocabulary).bias(false)))) {
        for (std::int64_t i = 0; i < options.layers; ++i) layers->push_back(Block(options));
        register_module("layers", layers);
    }

    /// Token ids and a mask of the same shape, one where there is a token: logits for each position.
    torch::Tensor forward(const torch::Tensor& input_ids, const torch::Tensor& attention_mask) {
        const auto length = input_ids.size(1);
        const auto causal = torch::ones({length, length}, torch::kBool).tril();
        const auto mask = causal.logical_and(attention_mask.to(torch::kBool).unsqueeze(1).unsqueeze(1));
        auto x = tokens(input_ids) + positions(torch::arange(length));
        for (const auto& layer : *layers) x = layer->as<Block>()->forward(x, mask);
        return head(norm(x));
    }

    torch::nn::Embedding tokens, positions;
    torch::nn::ModuleList layers;
    torch::nn::LayerNorm norm;
    torch::nn::Linear head;
};

}  // namespace examples
