#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/layer_types.hpp>
#include <ferry/models/modernbert.hpp>
#include <ferry/tree/context.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::models {

FERRY_INLINE ModernBertOptions ModernBertOptions::read(ConfigReader& config) {
    ModernBertOptions made{.vocabulary = config.integer("vocab_size"),
                           .width = config.integer("hidden_size"),
                           .inner = config.integer("intermediate_size"),
                           .heads = config.integer("num_attention_heads")};
    made.activation = config.text("hidden_activation", "gelu");
    made.epsilon = config.real("norm_eps", 1e-5);
    made.has_norm_bias = config.flag("norm_bias", false);
    made.has_attention_bias = config.flag("attention_bias", false);
    made.has_mlp_bias = config.flag("mlp_bias", false);

    const std::int64_t layers = config.layers("num_hidden_layers");
    const std::int64_t period = config.integer("global_attn_every_n_layers", 3);
    made.is_local = sliding_layers(config, layers);
    if (period <= 0) throw Error(ErrorKind::bad_file, "config.json: 'global_attn_every_n_layers' must be positive");
    if (made.is_local.empty())
        for (std::int64_t i = 0; i < layers; ++i) made.is_local.push_back(i % period != 0);

    const std::int64_t positions = config.integer("max_position_embeddings", 8192);
    const tree::Context* nested = config.find("rope_parameters");
    const tree::Context* older = config.find("rope_scaling");
    if (nested != nullptr) config.expect("rope_scaling", tree::Context());
    const std::int64_t size = head_size(made.width, made.heads);
    const auto rotary = [&](const char* type, double theta) {
        const tree::Context* given = nested != nullptr ? nested->find(type) : older;
        return RotaryOptions::read(given != nullptr ? *given : tree::Context(), size,
                                   {.theta = theta, .positions = positions});
    };
    made.global_rotary = rotary("full_attention", config.real("global_rope_theta", 160000));
    made.local_rotary = rotary("sliding_attention", config.real("local_rope_theta", 10000));
    made.window = config.integer("local_attention", 128) / 2;
    if (nested != nullptr) {
        ConfigReader types(*nested);
        types.ignore({"full_attention", "sliding_attention"});
        types.finish();
    }

    config.ignore({"mlp_dropout", "initializer_cutoff_factor", "sparse_prediction", "sparse_pred_ignore_index"});
    config.ignore({"deterministic_flash_attn", "reference_compile", "repad_logits_with_grad"});
    config.ignore({"classifier_pooling", "classifier_bias", "classifier_activation", "decoder_bias"});  // of heads
    config.ignore({"layer_norm_eps", "position_embedding_type"});  // of BERT, in the first checkpoints
    return made;
}

FERRY_INLINE ModernBertLayer::ModernBertLayer(const Weights& weights, const ModernBertOptions& options, bool is_first)
    : heads_(options.heads),
      head_size_(head_size(options.width, options.heads)),
      activation_(activation(options.activation)) {
    const auto add_norm = [&](const char* name) {
        return register_module(
            name, std::make_shared<LayerNorm>(weights / name, options.width, options.epsilon, options.has_norm_bias));
    };
    const auto add = [&](const char* part, const char* name, std::int64_t from, std::int64_t to, bool has_bias) {
        return register_module(std::string(part) + "_" + name,
                               std::make_shared<Linear>(weights / part / name, from, to, has_bias));
    };
    if (!is_first) attention_norm_ = add_norm("attn_norm");
    attention_in_ = add("attn", "Wqkv", options.width, 3 * options.width, options.has_attention_bias);
    attention_out_ = add("attn", "Wo", options.width, options.width, options.has_attention_bias);
    mlp_norm_ = add_norm("mlp_norm");
    mlp_in_ = add("mlp", "Wi", options.width, 2 * options.inner, options.has_mlp_bias);
    mlp_out_ = add("mlp", "Wo", options.inner, options.width, options.has_mlp_bias);
}

FERRY_INLINE at::Tensor ModernBertLayer::forward(at::Tensor x, const Rotary::Turns& turns,
                                                 const MaybeTensor& seen) const {
    const std::vector<at::Tensor> parts =
        attention_in_->forward(attention_norm_ ? attention_norm_->forward(x) : x).chunk(3, -1);
    const auto heads = [&](const at::Tensor& part) { return in_heads(part, heads_, head_size_); };
    const auto turned_heads = [&](const at::Tensor& part) {
        return turned(heads(part).to(at::kFloat), turns).to(x.scalar_type());
    };
    x = x + attention_out_->forward(attended(turned_heads(parts[0]), turned_heads(parts[1]), heads(parts[2]), seen));
    const std::vector<at::Tensor> halves = mlp_in_->forward(mlp_norm_->forward(x)).chunk(2, -1);
    return x + mlp_out_->forward(activation_(halves[0]) * halves[1]);
}

FERRY_INLINE ModernBertBackbone::ModernBertBackbone(const Weights& weights, const Options& options)
    : is_local_(options.is_local), window_(options.window) {
    const auto norm = [&](const Weights& from) {
        return std::make_shared<LayerNorm>(from, options.width, options.epsilon, options.has_norm_bias);
    };
    const Weights embeddings = weights / "embeddings";
    tokens_ = register_module("tok_embeddings", std::make_shared<Embedding>(embeddings / "tok_embeddings",
                                                                            options.vocabulary, options.width));
    first_norm_ = register_module("norm", norm(embeddings / "norm"));
    for (std::size_t i = 0; i < is_local_.size(); ++i)
        layers_.push_back(register_module(
            "layers_" + std::to_string(i),
            std::make_shared<ModernBertLayer>(weights / "layers" / static_cast<std::int64_t>(i), options, i == 0)));
    last_norm_ = register_module("final_norm", norm(weights / "final_norm"));
    global_rotary_ = register_module("global_rotary", std::make_shared<Rotary>(options.global_rotary));
    local_rotary_ = register_module("local_rotary", std::make_shared<Rotary>(options.local_rotary));
}

FERRY_INLINE at::Tensor ModernBertBackbone::forward(const at::Tensor& input_ids,
                                                    const MaybeTensor& attention_mask) const {
    at::Tensor x = first_norm_->forward(tokens_->forward(input_ids));
    const at::Tensor positions = at::arange(input_ids.size(1), at::TensorOptions(input_ids.device()));
    const auto turns = [&](const Rotary& rotary) { return rotary.forward(positions.unsqueeze(0), x.scalar_type()); };
    const Rotary::Turns in_all = turns(*global_rotary_), in_window = turns(*local_rotary_);
    const MaybeTensor all_seen = seen_tokens(attention_mask);
    at::Tensor window_seen = (positions.unsqueeze(1) - positions).abs() <= window_;
    if (all_seen) window_seen = window_seen.logical_and(*all_seen);
    for (std::size_t i = 0; i < layers_.size(); ++i)
        x = is_local_[i] ? layers_[i]->forward(x, in_window, window_seen) : layers_[i]->forward(x, in_all, all_seen);
    return last_norm_->forward(x);
}

}  // namespace ferry::models
