#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/encoder_head.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>

#include <memory>
#include <string>

namespace ferry::models {

FERRY_INLINE at::Tensor pooled(const at::Tensor& tokens, const MaybeTensor& attention_mask, Pooling pooling) {
    if (pooling == Pooling::none) return tokens;
    if (pooling == Pooling::first) return tokens.select(1, 0);
    if (!is_given(attention_mask)) return tokens.mean(1);
    return (tokens * attention_mask->unsqueeze(-1)).sum(1) / attention_mask->sum(1, /*keepdim=*/true);
}

FERRY_INLINE LogitsHead::LogitsHead(const Weights& weights, const Options& options, const at::Tensor& words)
    : pooling_(options.pooling) {
    if (options.transform)
        transform_ = register_module("transform", std::make_shared<Transform>(weights, *options.transform));
    const std::string weight = options.output + ".weight", bias = options.output + ".bias";
    // As in transformers: a matrix that the file has is used, even where the config says that there is none but the words'.
    const bool has_own = !options.ties_words || weights.has(weight);
    weight_ = has_own ? weights.take(weight, {options.to, options.from}) : words;
    const bool is_tied = !has_own || (options.ties_words && !weight_.is_meta() && !words.is_meta() &&
                                      weight_.sizes() == words.sizes() && at::equal(weight_, words));
    weight_ = is_tied ? words : register_parameter("weight", weight_, false);
    const bool is_elsewhere = !options.other_bias.empty() && !weights.has(bias);
    if (options.has_bias)
        bias_ = register_parameter("bias", weights.take(is_elsewhere ? options.other_bias : bias, {options.to}), false);
    if (!options.other_bias.empty()) weights.ignore(options.other_bias);
    for (const std::string& name : options.unused) {
        weights.ignore(name + ".weight");
        weights.ignore(name + ".bias");
    }
}

FERRY_INLINE LogitsOutput LogitsHead::forward(const at::Tensor& tokens, const MaybeTensor& attention_mask) const {
    const at::Tensor x = pooled(tokens, attention_mask, pooling_);
    return {at::linear(transform_ ? transform_->forward(x) : x, weight_, bias_)};
}

}  // namespace ferry::models
