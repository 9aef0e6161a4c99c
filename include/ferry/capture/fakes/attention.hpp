#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

struct scaled_dot_product_attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static at::Tensor fake(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const std::optional<at::Tensor>& mask, double, bool, std::optional<double>, bool grouped);
};

struct encoder_layer {
    static constexpr auto target = op("aten::_transformer_encoder_layer_fwd");
    static at::Tensor fake(const at::Tensor& src, std::int64_t width, std::int64_t heads, const at::Tensor& qkv,
                           const at::Tensor&, const at::Tensor&, const at::Tensor&, bool, bool, double,
                           const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                           const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                           const std::optional<at::Tensor>&, std::optional<std::int64_t>);
};

struct multi_head_attention {
    static constexpr auto target = op("aten::_native_multi_head_attention");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& query, const at::Tensor& key,
                                                   const at::Tensor& value, std::int64_t width, std::int64_t heads,
                                                   const at::Tensor& qkv, const at::Tensor&, const at::Tensor&,
                                                   const at::Tensor&, const std::optional<at::Tensor>&,
                                                   bool need_weights, bool average, std::optional<std::int64_t>);
};

struct flash_attention_for_cpu {
    static constexpr auto target = op("aten::_scaled_dot_product_flash_attention_for_cpu");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& query, const at::Tensor& key,
                                                   const at::Tensor& value, double, bool,
                                                   const std::optional<at::Tensor>&, std::optional<double>);
};

struct masked_softmax {
    static constexpr auto target = op("aten::_masked_softmax");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor&, std::optional<std::int64_t>,
                           std::optional<std::int64_t>);
};

struct safe_softmax {
    static constexpr auto target = op("aten::_safe_softmax");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, std::optional<at::ScalarType> dtype);
};

}  // namespace ferry::fake_ops

namespace ferry {

using attention_fakes =
    fakes<fake_ops::scaled_dot_product_attention, fake_ops::encoder_layer, fake_ops::multi_head_attention,
          fake_ops::flash_attention_for_cpu, fake_ops::masked_softmax, fake_ops::safe_softmax>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/attention-inl.hpp>
#endif
