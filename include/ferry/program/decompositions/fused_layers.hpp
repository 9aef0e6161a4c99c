#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Whole layers that libtorch has one op for, which programs keep as Python's do, and which no other runtime has.
namespace ferry {
namespace decomposed {

struct multi_head_attention {
    static constexpr auto target = op("aten::_native_multi_head_attention");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& query, const at::Tensor& key,
                                                        const at::Tensor& value, std::int64_t width, std::int64_t heads,
                                                        const at::Tensor& qkv_weight, const at::Tensor& qkv_bias,
                                                        const at::Tensor& proj_weight, const at::Tensor& proj_bias,
                                                        const std::optional<at::Tensor>& mask, bool need_weights,
                                                        bool average, std::optional<std::int64_t> mask_type);
};

struct encoder_layer {
    static constexpr auto target = op("aten::_transformer_encoder_layer_fwd");
    static at::Tensor decompose(const at::Tensor& src, std::int64_t width, std::int64_t heads,
                                const at::Tensor& qkv_weight, const at::Tensor& qkv_bias, const at::Tensor& proj_weight,
                                const at::Tensor& proj_bias, bool use_gelu, bool norm_first, double eps,
                                const at::Tensor& norm_weight_1, const at::Tensor& norm_bias_1,
                                const at::Tensor& norm_weight_2, const at::Tensor& norm_bias_2,
                                const at::Tensor& ffn_weight_1, const at::Tensor& ffn_bias_1,
                                const at::Tensor& ffn_weight_2, const at::Tensor& ffn_bias_2,
                                const std::optional<at::Tensor>& mask, std::optional<std::int64_t> mask_type);
};

}  // namespace decomposed

struct fused_layer_decompositions : decompositions<decomposed::multi_head_attention, decomposed::encoder_layer>,
                                    own_list {};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/decompositions/fused_layers-inl.hpp>
#endif
