#pragma once

#include <ferry/capture/control_flow.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/mamba.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace ferry::models {

FERRY_INLINE MambaOptions MambaOptions::read(ConfigReader& config) {
    MambaOptions made{.vocabulary = config.integer("vocab_size"),
                      .width = config.integer("hidden_size"),
                      .layers = config.layers("num_hidden_layers")};
    made.channels = config.integer("expand", 2) * made.width;
    made.state = config.integer("state_size", 16);
    made.kernel = config.integer("conv_kernel", 4);
    const tree::Context* rank = config.find("time_step_rank");
    const bool has_default_rank = rank == nullptr || (rank->is_text() && rank->text() == "auto");
    made.rank = has_default_rank ? (made.width + 15) / 16 : config.integer("time_step_rank");
    made.activation = config.text("hidden_act", "silu");
    made.epsilon = config.real("layer_norm_epsilon", 1e-5);
    made.has_bias = config.flag("use_bias", false);
    made.has_conv_bias = config.flag("use_conv_bias", true);
    made.adds_in_float = config.flag("residual_in_fp32", true);
    made.ties_embeddings = config.flag("tie_word_embeddings", true);
    config.expect("rms_norm", true);
    // How weights begin, which kernels compute, and sizes once more: transformers goes by `expand` as well.
    config.ignore({"intermediate_size", "time_step_scale", "time_step_min", "time_step_max", "time_step_floor",
                   "time_step_init_scheme", "rescale_prenorm_residual", "use_mambapy", "use_associative_scan",
                   "d_inner", "d_model", "n_layer", "ssm_cfg", "fused_add_norm", "pad_vocab_size_multiple"});
    return made;
}

FERRY_INLINE MambaMixer::MambaMixer(const Weights& weights, const MambaOptions& options, std::int64_t layer)
    : options_(options), layer_(static_cast<std::size_t>(layer)), activation_(activation(options.activation)) {
    const std::int64_t channels = options.channels;
    const auto add = [&](const char* name, std::int64_t from, std::int64_t to, bool has_bias) {
        return register_module(name, std::make_shared<Linear>(weights / name, from, to, has_bias));
    };
    in_ = add("in_proj", options.width, 2 * channels, options.has_bias);
    select_ = add("x_proj", channels, options.rank + 2 * options.state, false);
    step_ = add("dt_proj", options.rank, channels, true);
    out_ = add("out_proj", channels, options.width, options.has_bias);
    const Weights convolution = weights / "conv1d";
    kernel_ = register_parameter("conv1d_weight", convolution.take("weight", {channels, 1, options.kernel}), false);
    if (options.has_conv_bias)
        kernel_bias_ = register_parameter("conv1d_bias", convolution.take("bias", {channels}), false);
    fading_ = register_parameter("A_log", weights.take("A_log", {channels, options.state}), false);
    around_ = register_parameter("D", weights.take("D", {channels}), false);
}

FERRY_INLINE std::pair<at::Tensor, at::Tensor> MambaMixer::convolved(const at::Tensor& x,
                                                                     const MambaCache& cache) const {
    const at::Tensor fresh = x.transpose(1, 2);
    const at::Tensor all = cache.has(layer_) ? at::cat({cache.conv_states[layer_], fresh}, -1)
                                             : at::constant_pad_nd(fresh, {options_.kernel, 0});
    const at::Tensor made = at::conv1d(all, kernel_, kernel_bias_, /*stride=*/1, /*padding=*/at::IntArrayRef({0}),
                                       /*dilation=*/1, /*groups=*/options_.channels);
    return {made.slice(-1, 1).transpose(1, 2), all.slice(-1, -options_.kernel)};
}

FERRY_INLINE std::pair<at::Tensor, at::Tensor> MambaMixer::selected(const at::Tensor& x,
                                                                    const MambaCache& cache) const {
    using Tensors = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;  // x, length of the step, written, read
    const auto chosen = select_->forward(x).split_with_sizes({options_.rank, options_.state, options_.state}, -1);
    const Tensors tokens(x, at::softplus(step_->forward(chosen[0])), chosen[1], chosen[2]);
    const at::Tensor rate = -fading_.to(at::kFloat).exp();
    const auto step = [&](const at::Tensor& state, const Tensors& token) {
        const auto& [input, length, written, read] = token;
        const at::Tensor wide = length.to(at::kFloat).unsqueeze(-1);
        const at::Tensor added = wide * written.to(at::kFloat).unsqueeze(1) * input.to(at::kFloat).unsqueeze(-1);
        const at::Tensor next = (wide * rate).exp() * state + added;
        return std::pair(next, next.to(read.scalar_type()).matmul(read.unsqueeze(-1)).squeeze(-1));
    };
    const auto each = [&](const auto& take) {
        return std::apply([&](const auto&... all) { return Tensors(take(all)...); }, tokens);
    };
    if (cache.has(layer_) && x.size(1) == 1) {
        const auto [state, found] =
            step(cache.ssm_states[layer_], each([](const at::Tensor& all) { return all.select(1, 0); }));
        return {found.unsqueeze(1), state};
    }
    const at::Tensor before = cache.has(layer_)
                                  ? cache.ssm_states[layer_]
                                  : at::zeros({x.size(0), options_.channels, options_.state}, rate.options());
    const auto [state, found] = scan(step, before, each([](const at::Tensor& all) { return all.transpose(0, 1); }));
    return {found.transpose(0, 1), state};
}

FERRY_INLINE at::Tensor MambaMixer::forward(const at::Tensor& given, const std::optional<at::Tensor>& is_token,
                                            MambaCache& cache) const {
    const auto without_padding = [&](const at::Tensor& x) {
        return is_token ? (x * *is_token).to(x.scalar_type()) : x;
    };
    const auto projected = in_->forward(without_padding(given)).chunk(2, -1);
    const auto [made, last_inputs] = convolved(projected[0], cache);
    const at::Tensor x = without_padding(activation_(made));
    const auto [found, state] = selected(x, cache);
    cache.set(layer_, last_inputs, state);
    const at::Tensor gated = (found + x * around_.to(at::kFloat)) * at::silu(projected[1]);
    return out_->forward(gated.to(given.scalar_type()));
}

FERRY_INLINE MambaDecoder::MambaDecoder(const Weights& weights, const MambaOptions& options) {
    const Weights model = weights / "backbone";
    tokens_ = register_module("embeddings",
                              std::make_shared<Embedding>(model / "embeddings", options.vocabulary, options.width));
    for (std::int64_t i = 0; i < options.layers; ++i)
        layers_.push_back(register_module("layers_" + std::to_string(i),
                                          std::make_shared<MambaBlock>(model / "layers" / i, options, i)));
    norm_ = register_module("norm_f", std::make_shared<RmsNorm>(model / "norm_f", options.width, options.epsilon));
    if (options.ties_embeddings) {
        head_ = tokens_->weight;
        weights.ignore("lm_head.weight");
    } else {
        head_ =
            register_parameter("lm_head", weights.take("lm_head.weight", {options.vocabulary, options.width}), false);
    }
}

FERRY_INLINE MambaOutput MambaDecoder::forward(const at::Tensor& input_ids,
                                               const std::optional<at::Tensor>& attention_mask,
                                               MambaCache cache_params) const {
    std::optional<at::Tensor> is_token;
    if (attention_mask)
        is_token = (cache_params.has(0) ? attention_mask->slice(1, -input_ids.size(1)) : *attention_mask).unsqueeze(-1);
    at::Tensor x = tokens_->forward(input_ids);
    for (const auto& layer : layers_) x = layer->forward(x, is_token, cache_params);
    const at::Tensor logits = at::linear(norm_->forward(x).to(head_.scalar_type()), head_);
    return {logits.to(at::kFloat), std::move(cache_params)};
}

}  // namespace ferry::models
