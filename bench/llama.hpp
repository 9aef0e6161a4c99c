// The architecture of Llama, as a plain C++ module: what transformers calls LlamaForCausalLM, without a cache.
#pragma once

#include <torch/nn/init.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llama {

using torch::Tensor;

struct Config {
    std::int64_t layers = 2, hidden = 64, inner = 128, heads = 4, key_heads = 2, vocabulary = 1000;
    at::TensorOptions options{};  ///< of the weights: dtype, device

    [[nodiscard]] std::int64_t head_size() const { return hidden / heads; }
};

struct Linear : torch::nn::Module {
    Linear(std::int64_t from, std::int64_t to, const at::TensorOptions& options)
        : weight(register_parameter("weight", torch::empty({to, from}, options))) {
        if (!weight.is_meta()) torch::nn::init::normal_(weight, 0, 0.02);
    }
    Tensor forward(const Tensor& x) { return at::linear(x, weight); }
    Tensor weight;
};

struct RmsNorm : torch::nn::Module {
    explicit RmsNorm(const Config& config)
        : weight(register_parameter("weight", torch::ones({config.hidden}, config.options))) {}
    Tensor forward(const Tensor& x) { return weight * (x * torch::rsqrt(x.pow(2).mean(-1, true) + 1e-6)); }
    Tensor weight;
};

struct Attention : torch::nn::Module {
    explicit Attention(const Config& config_) : config(config_) {
        const auto size = config.head_size();
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to) {
            return register_module(name, std::make_shared<Linear>(from, to, config.options));
        };
        q_proj = add("q_proj", config.hidden, config.heads * size);
        k_proj = add("k_proj", config.hidden, config.key_heads * size);
        v_proj = add("v_proj", config.hidden, config.key_heads * size);
        o_proj = add("o_proj", config.heads * size, config.hidden);
    }

    static Tensor rotate(const Tensor& x, const Tensor& cos, const Tensor& sin) {
        const auto halves = x.chunk(2, -1);
        return x * cos + torch::cat({-halves[1], halves[0]}, -1) * sin;
    }

    Tensor forward(const Tensor& x, const Tensor& cos, const Tensor& sin, const Tensor& mask) {
        const auto batch = x.size(0), length = x.size(1), size = config.head_size();
        const auto heads = [&](Linear& projection, std::int64_t count) {
            return projection.forward(x).view({batch, length, count, size}).transpose(1, 2);
        };
        const auto repeat = [&](const Tensor& each) {
            return each.unsqueeze(2)
                .expand({batch, config.key_heads, config.heads / config.key_heads, length, size})
                .reshape({batch, config.heads, length, size});
        };
        const Tensor query = rotate(heads(*q_proj, config.heads), cos, sin);
        const Tensor key = repeat(rotate(heads(*k_proj, config.key_heads), cos, sin)),
                     value = repeat(heads(*v_proj, config.key_heads));
        const Tensor seen = torch::scaled_dot_product_attention(query, key, value, mask);
        return o_proj->forward(seen.transpose(1, 2).contiguous().view({batch, length, config.heads * size}));
    }

    Config config;
    std::shared_ptr<Linear> q_proj, k_proj, v_proj, o_proj;
};

struct Layer : torch::nn::Module {
    explicit Layer(const Config& config) {
        self_attn = register_module("self_attn", std::make_shared<Attention>(config));
        gate_proj = register_module("gate_proj", std::make_shared<Linear>(config.hidden, config.inner, config.options));
        up_proj = register_module("up_proj", std::make_shared<Linear>(config.hidden, config.inner, config.options));
        down_proj = register_module("down_proj", std::make_shared<Linear>(config.inner, config.hidden, config.options));
        input_layernorm = register_module("input_layernorm", std::make_shared<RmsNorm>(config));
        post_attention_layernorm = register_module("post_attention_layernorm", std::make_shared<RmsNorm>(config));
    }
    Tensor forward(Tensor x, const Tensor& cos, const Tensor& sin, const Tensor& mask) {
        x = x + self_attn->forward(input_layernorm->forward(x), cos, sin, mask);
        const Tensor normal = post_attention_layernorm->forward(x);
        return x + down_proj->forward(torch::silu(gate_proj->forward(normal)) * up_proj->forward(normal));
    }
    std::shared_ptr<Attention> self_attn;
    std::shared_ptr<Linear> gate_proj, up_proj, down_proj;
    std::shared_ptr<RmsNorm> input_layernorm, post_attention_layernorm;
};

struct Model : torch::nn::Module {
    explicit Model(const Config& config) {
        embed_tokens =
            register_parameter("embed_tokens", torch::empty({config.vocabulary, config.hidden}, config.options));
        if (!embed_tokens.is_meta()) torch::nn::init::normal_(embed_tokens, 0, 0.02);
        for (std::int64_t i = 0; i < config.layers; ++i)
            layers.push_back(register_module("layers_" + std::to_string(i), std::make_shared<Layer>(config)));
        norm = register_module("norm", std::make_shared<RmsNorm>(config));
        lm_head =
            register_module("lm_head", std::make_shared<Linear>(config.hidden, config.vocabulary, config.options));
        const auto size = config.head_size();
        frequencies = register_buffer(
            "frequencies", torch::pow(10000.0, -torch::arange(0, size, 2, torch::kFloat) / static_cast<double>(size)));
    }

    Tensor forward(Tensor input_ids, Tensor attention_mask) {
        const auto batch = input_ids.size(0), length = input_ids.size(1);
        Tensor x = torch::embedding(embed_tokens, input_ids);
        const Tensor angles = torch::arange(length, torch::kFloat).unsqueeze(1) * frequencies;
        const Tensor both = torch::cat({angles, angles}, -1);
        const Tensor cos = both.cos().to(x.scalar_type()), sin = both.sin().to(x.scalar_type());
        const Tensor mask = torch::ones({length, length}, torch::kBool).tril() &
                            attention_mask.to(torch::kBool).view({batch, 1, 1, length});
        for (const auto& layer : layers) x = layer->forward(x, cos, sin, mask);
        return lm_head->forward(norm->forward(x));
    }

    Tensor embed_tokens, frequencies;
    std::vector<std::shared_ptr<Layer>> layers;
    std::shared_ptr<RmsNorm> norm;
    std::shared_ptr<Linear> lm_head;
};

}  // namespace llama
