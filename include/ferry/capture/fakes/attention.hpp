#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <optional>
#include <vector>

namespace ferry::fake_ops {

/// libtorch's own Meta path stops at where.self_out, which it keeps in Python; on zeros the attention would be computed.
struct scaled_dot_product_attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static at::Tensor fake(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const std::optional<at::Tensor>& mask, double, bool, std::optional<double>, bool grouped) {
        TORCH_CHECK(query.dim() >= 2 && query.dim() == key.dim() && key.dim() == value.dim(),
                    "scaled_dot_product_attention: query, key and value have ", query.dim(), ", ", key.dim(), " and ",
                    value.dim(), " dimensions");
        TORCH_CHECK(query.size(-1) == key.size(-1),
                    "scaled_dot_product_attention: query and key differ in their last dimension: ", query.sizes(),
                    " and ", key.sizes());
        TORCH_CHECK(key.size(-2) == value.size(-2),
                    "scaled_dot_product_attention: key and value differ in length: ", key.sizes(), " and ",
                    value.sizes());
        std::vector<std::int64_t> sizes = query.sizes().vec();
        for (std::int64_t d = 0; d < query.dim() - 2; ++d) {
            const bool heads = grouped && d == query.dim() - 3;
            TORCH_CHECK(heads ? query.size(d) % key.size(d) == 0
                              : query.size(d) == key.size(d) || key.size(d) == 1 || query.size(d) == 1,
                        "scaled_dot_product_attention: dimension ", d, " of query and key do not fit: ", query.sizes(),
                        " and ", key.sizes());
            if (!heads) sizes[static_cast<std::size_t>(d)] = std::max(query.size(d), key.size(d));
        }
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
};

}  // namespace ferry::fake_ops

namespace ferry {
using attention_fakes = fakes<fake_ops::scaled_dot_product_attention>;
}  // namespace ferry
