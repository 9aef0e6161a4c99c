#pragma once

#include <ferry/capture/fakes/attention.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace ferry::fake_ops {

/// libtorch's own Meta path stops at where.self_out, which it keeps in Python; on zeros the attention would be computed.
FERRY_INLINE at::Tensor scaled_dot_product_attention::fake(const at::Tensor& query, const at::Tensor& key,
                                                           const at::Tensor& value,
                                                           const std::optional<at::Tensor>& mask, double, bool,
                                                           std::optional<double>, bool grouped) {
    TORCH_CHECK(query.dim() >= 2 && query.dim() == key.dim() && key.dim() == value.dim(),
                "scaled_dot_product_attention: query, key and value have ", query.dim(), ", ", key.dim(), " and ",
                value.dim(), " dimensions");
    TORCH_CHECK(query.size(-1) == key.size(-1),
                "scaled_dot_product_attention: query and key differ in their last dimension: ", query.sizes(), " and ",
                key.sizes());
    TORCH_CHECK(key.size(-2) == value.size(-2),
                "scaled_dot_product_attention: key and value differ in length: ", key.sizes(), " and ", value.sizes());
    std::vector<std::int64_t> sizes = query.sizes().vec();
    const auto fit = [&](const at::Tensor& other, const char* name) {
        for (std::int64_t d = 0; d < query.dim() - 2; ++d) {
            std::int64_t& size = sizes[static_cast<std::size_t>(d)];
            const bool heads = grouped && d == query.dim() - 3;
            TORCH_CHECK(heads ? other.size(d) > 0 && size % other.size(d) == 0
                              : size == other.size(d) || other.size(d) == 1 || size == 1,
                        "scaled_dot_product_attention: dimension ", d, " of query and ", name,
                        " do not fit: ", query.sizes(), " and ", other.sizes());
            if (!heads) size = std::max(size, other.size(d));
        }
    };
    fit(key, "key");
    fit(value, "value");
    if (mask && mask->defined()) {
        sizes.back() = key.size(-2);
        bool fits = mask->dim() <= query.dim();
        for (std::int64_t d = 1; fits && d <= mask->dim(); ++d)
            fits = mask->size(-d) == 1 || mask->size(-d) == sizes[sizes.size() - static_cast<std::size_t>(d)];
        TORCH_CHECK(fits, "scaled_dot_product_attention: a mask of ", mask->sizes(), " does not fit query ",
                    query.sizes(), " and key ", key.sizes());
    }
    sizes.back() = value.size(-1);
    return at::empty(sizes, query.options());
}

/// What nn.TransformerEncoderLayer and nn.MultiheadAttention are without gradients.
FERRY_INLINE at::Tensor encoder_layer::fake(const at::Tensor& src, std::int64_t width, std::int64_t heads,
                                            const at::Tensor& qkv, const at::Tensor&, const at::Tensor&,
                                            const at::Tensor&, bool, bool, double, const at::Tensor&, const at::Tensor&,
                                            const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                            const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                                            std::optional<std::int64_t>) {
    TORCH_CHECK(src.dim() == 3 && src.size(2) == width && qkv.size(0) == 3 * width && heads > 0 && width % heads == 0,
                "transformer encoder layer: ", heads, " heads and a width of ", width, " for an input of ",
                src.sizes());
    return at::empty(src.sizes(), src.options());
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> multi_head_attention::fake(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, std::int64_t width, std::int64_t heads,
    const at::Tensor& qkv, const at::Tensor&, const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
    bool need_weights, bool average, std::optional<std::int64_t>) {
    TORCH_CHECK(query.dim() == 3 && key.dim() == 3 && value.sizes() == key.sizes() && query.size(2) == width &&
                    key.size(2) == width && query.size(0) == key.size(0) && qkv.size(0) == 3 * width && heads > 0 &&
                    width % heads == 0,
                "multi-head attention: ", heads, " heads and a width of ", width, " for ", query.sizes(), ", ",
                key.sizes(), " and ", value.sizes());
    std::vector<std::int64_t> weights{query.size(0), query.size(1), key.size(1)};
    if (!average) weights.insert(weights.begin() + 1, heads);
    return {at::empty(query.sizes(), query.options()),
            need_weights ? at::empty(weights, query.options()) : at::Tensor()};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> flash_attention_for_cpu::fake(const at::Tensor& query,
                                                                              const at::Tensor& key,
                                                                              const at::Tensor& value, double, bool,
                                                                              const std::optional<at::Tensor>&,
                                                                              std::optional<double>) {
    TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && value.sizes() == key.sizes() && query.size(3) == key.size(3) &&
                    query.size(0) == key.size(0) && query.size(1) == key.size(1),
                "flash attention: ", query.sizes(), ", ", key.sizes(), " and ", value.sizes());
    const std::int64_t batch = query.size(0), heads = query.size(1), length = query.size(2);
    const auto sums = query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return {at::empty_like(query), at::empty({batch, length, heads}, query.options().dtype(sums)).transpose(1, 2)};
}

FERRY_INLINE at::Tensor masked_softmax::fake(const at::Tensor& self, const at::Tensor&, std::optional<std::int64_t>,
                                             std::optional<std::int64_t>) {
    return at::empty_like(self, at::MemoryFormat::Contiguous);
}

/// Rows without a number give zeros, by where.self_out.
FERRY_INLINE at::Tensor safe_softmax::fake(const at::Tensor& self, std::int64_t dim,
                                           std::optional<at::ScalarType> dtype) {
    return at::softmax(self, dim, dtype);
}

}  // namespace ferry::fake_ops
