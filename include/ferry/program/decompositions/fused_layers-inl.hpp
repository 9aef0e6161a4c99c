#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/program/decompositions/arguments.hpp>
#include <ferry/program/decompositions/fused_layers.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>

namespace ferry::decomposed {

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> multi_head_attention::decompose(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, std::int64_t width, std::int64_t heads,
    const at::Tensor& qkv_weight, const at::Tensor& qkv_bias, const at::Tensor& proj_weight,
    const at::Tensor& proj_bias, const std::optional<at::Tensor>& mask, bool need_weights, bool average,
    std::optional<std::int64_t> mask_type) {
    const std::int64_t batch = query.size(0), per_head = checked_floor_div(width, heads);
    const auto projected = [&](const at::Tensor& each, std::int64_t which) {
        const at::Tensor weight = qkv_weight.narrow(0, which * width, width),
                         bias = qkv_bias.narrow(0, which * width, width);
        return at::linear(each, weight, bias).view({batch, each.size(1), heads, per_head}).transpose(1, 2);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(per_head));
    at::Tensor scores = at::matmul(projected(query, 0) * scale, projected(key, 1).transpose(-2, -1));
    if (mask && mask->defined()) {
        const bool is_of_keys = mask_type == 1;
        const at::Tensor hidden = is_of_keys ? mask->view({batch, 1, 1, key.size(1)}) : *mask;
        scores = scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
    }
    const at::Tensor weights = at::softmax(scores, -1);
    const at::Tensor joined =
        at::matmul(weights, projected(value, 2)).transpose(1, 2).reshape({batch, query.size(1), width});
    return {at::linear(joined, proj_weight, proj_bias), !need_weights ? at::Tensor()
                                                        : average     ? weights.mean(1)
                                                                      : weights};
}

FERRY_INLINE at::Tensor encoder_layer::decompose(
    const at::Tensor& src, std::int64_t width, std::int64_t heads, const at::Tensor& qkv_weight,
    const at::Tensor& qkv_bias, const at::Tensor& proj_weight, const at::Tensor& proj_bias, bool use_gelu,
    bool norm_first, double eps, const at::Tensor& norm_weight_1, const at::Tensor& norm_bias_1,
    const at::Tensor& norm_weight_2, const at::Tensor& norm_bias_2, const at::Tensor& ffn_weight_1,
    const at::Tensor& ffn_bias_1, const at::Tensor& ffn_weight_2, const at::Tensor& ffn_bias_2,
    const std::optional<at::Tensor>& mask, std::optional<std::int64_t> mask_type) {
    const auto norm = [&](const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
        return at::layer_norm(x, {width}, weight, bias, eps);
    };
    const auto attend = [&](const at::Tensor& x) {
        return std::get<0>(multi_head_attention::decompose(x, x, x, width, heads, qkv_weight, qkv_bias, proj_weight,
                                                           proj_bias, mask, false, false, mask_type));
    };
    const auto feed = [&](const at::Tensor& x) {
        const at::Tensor inner = at::linear(x, ffn_weight_1, ffn_bias_1);
        return at::linear(use_gelu ? at::gelu(inner) : at::relu(inner), ffn_weight_2, ffn_bias_2);
    };
    if (norm_first) {
        const at::Tensor x = src + attend(norm(src, norm_weight_1, norm_bias_1));
        return x + feed(norm(x, norm_weight_2, norm_bias_2));
    }
    const at::Tensor x = norm(src + attend(src), norm_weight_1, norm_bias_1);
    return norm(x + feed(x), norm_weight_2, norm_bias_2);
}

}  // namespace ferry::decomposed
